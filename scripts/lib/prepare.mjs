/**
 * What every command does first: a Node that is new enough, the packages of the lock file, a build of the
 * sources. Each step looks first and is skipped when there is nothing to do. No dependencies, and no syntax
 * that an old Node would stumble over before it can be told that it is too old.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeProblem } from '../package/node-version.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

const INSTALL_STAMP = path.join(root, 'node_modules', '.postrider-installed');
const BUILD_STAMP = path.join(root, 'dist', '.built-from');
const BUNDLING = ['scripts/lib/bundle.mjs', 'scripts/lib/programs.mjs'];
const DASHBOARD_STAMP = path.join(root, 'dashboard', 'dist', '.built-from');
const DOCS_STAMP = path.join(root, 'docs-site', 'dist', '.built-from');

/** A problem that its message explains; no stack trace is shown for it. */
export class Problem extends Error {}

/** Runs `main` in the project's folder; a Problem becomes a plain sentence and exit code 1. */
export async function command(main) {
  try {
    checkNode();
    process.chdir(root);
    await main();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.error(`\n${error.message}`);
    process.exit(1);
  }
}

export async function installIfNeeded(say) {
  const wanted = digest([
    fs.readFileSync(path.join(root, 'package-lock.json')),
    process.platform,
    process.arch,
  ]);
  if (readOr(INSTALL_STAMP, '') === wanted) return;
  if (!isInstalled()) {
    const first = !fs.existsSync(path.join(root, 'node_modules'));
    say(first ? 'Installing packages (first start, about a minute)…' : 'Installing packages (they changed)…');
    await npmCi();
  }
  linkOwnCommand();
  fs.writeFileSync(INSTALL_STAMP, wanted);
}

/** The server, the dashboard and the documentation, side by side; each only when its sources changed. */
export async function buildIfNeeded(say) {
  const server = digestOf(
    ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json', ...BUNDLING],
    ['src'],
  );
  const dashboard = digestOf(
    ['package-lock.json', 'dashboard/index.html', 'dashboard/vite.config.ts', 'dashboard/package.json'],
    ['dashboard/src', 'dashboard/public', 'sdk/src', 'src/template-language'],
  );
  const docs = docsDigest();
  const serverIsOld = readOr(BUILD_STAMP, '') !== server;
  const dashboardIsOld = readOr(DASHBOARD_STAMP, '') !== dashboard;
  const docsAreOld = readOr(DOCS_STAMP, '') !== docs;
  if (!serverIsOld && !dashboardIsOld && !docsAreOld) return;
  say('Building…');
  const codes = await Promise.all([
    serverIsOld ? compile(server) : 0,
    dashboardIsOld ? bundleDashboard(dashboard) : 0,
    docsAreOld ? makeDocs(docs) : 0,
  ]);
  if (codes.some((code) => code !== 0)) throw new Problem('The build failed; the messages above say where.');
}

async function compile(stamp) {
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const code = await run(process.execPath, [compiler, '-p', 'tsconfig.build.json']);
  if (code !== 0) return code;
  removeOrphans();
  const bundled = await run(process.execPath, [path.join(root, 'scripts', 'lib', 'bundle.mjs')]);
  if (bundled === 0) fs.writeFileSync(BUILD_STAMP, stamp);
  return bundled;
}

async function bundleDashboard(stamp) {
  const bundler = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const code = await run(process.execPath, [bundler, 'build', '--logLevel', 'warn'], {
    cwd: path.join(root, 'dashboard'),
    // Somebody's NODE_ENV must not decide whether people get the slow development build of React.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (code === 0) fs.writeFileSync(DASHBOARD_STAMP, stamp);
  return code;
}

/** Pages that are not below docs/ are listed in docs-site/site/sources.ts; the reference is made from the schemas in src/. */
function docsDigest() {
  const pages = ['ARCHITECTURE', 'CONTRIBUTING', 'CHANGELOG', 'SECURITY'].map((name) => `${name}.md`);
  const readmes = [
    'bench/RESULTS.md',
    'sdk/README.md',
    'clients/python/README.md',
    'clients/php/README.md',
    'compose.yaml',
  ];
  const sites = listFiles(path.join(root, 'docs-site')).filter(
    (file) => !file.includes(`${path.sep}dist${path.sep}`),
  );
  return digestOf(
    [
      'package-lock.json',
      'scripts/lib/build-docs.mjs',
      'dashboard/src/ui/styles/tokens.css',
      ...pages,
      ...readmes,
      ...sites,
    ],
    [
      'docs',
      'examples',
      'ops',
      'dashboard/public',
      'src',
      'sdk/scripts',
      'clients/scripts',
      'clients/python/scripts',
    ],
  );
}

async function makeDocs(stamp) {
  const code = await buildDocs([]);
  if (code === 0) fs.writeFileSync(DOCS_STAMP, stamp);
  return code;
}

/** The documentation as a site; `docs-site/build.ts` says with which options. */
export function buildDocs(args) {
  return run(process.execPath, [path.join(root, 'scripts', 'lib', 'build-docs.mjs'), ...args]);
}

/** Resolves with the exit code; the child shares our terminal and process group. */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options });
    // From a terminal both get a signal; from elsewhere only this process does.
    const passOn = (signal) => child.kill(signal);
    process.on('SIGTERM', passOn);
    child.once('error', reject);
    child.once('exit', (code) => {
      process.off('SIGTERM', passOn);
      resolve(code === null ? 1 : code);
    });
  });
}

function checkNode() {
  const problem = nodeProblem();
  if (problem !== undefined) throw new Problem(problem);
}

/** npm leaves a copy of what it installed; packages for other platforms are allowed to be missing. */
function isInstalled() {
  const wanted = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  const found = JSON.parse(readOr(path.join(root, 'node_modules', '.package-lock.json'), '{}')).packages;
  if (found === undefined) return false;
  const matches = ([name, entry]) =>
    !name.startsWith('node_modules/') ||
    (found[name]
      ? found[name].version === entry.version
      : (entry.optional || entry.devOptional) === true && !fitsHere(entry));
  return Object.entries(wanted).every(matches);
}

function fitsHere({ os: systems, cpu, libc }) {
  const allows = (list, value) => list === undefined || list.includes(value);
  // Packages that differ by C library are optional twins: one of them is always missing.
  return allows(systems, process.platform) && allows(cpu, process.arch) && libc === undefined;
}

async function npmCi() {
  // Development packages build the project, and PostgreSQL is an optional package of its platform:
  // NODE_ENV=production or an `omit` in somebody's npmrc must not leave them out.
  // Nothing needs the install scripts of other packages, so none is run (test/processes/install-scripts.test.ts).
  const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--prefer-offline'];
  const code = await runNpm([...args, '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0)
    throw new Problem('npm ci failed; the messages above say why. Is the package registry reachable?');
}

/** The npm that runs us, else the one on the path. */
export function runNpm(args, options) {
  const all = [...args, ...writableCache()];
  const cli = process.env.npm_execpath;
  const byNode = cli !== undefined && /\.[cm]?js$/.test(cli) && /npm/.test(path.basename(cli));
  return byNode ? run(process.execPath, [cli, ...all], options) : run('npm', all, options);
}

/** A home folder that does not exist or is not ours is common in containers. */
function writableCache() {
  const cache = process.env.npm_config_cache || path.join(os.homedir(), '.npm');
  try {
    fs.mkdirSync(cache, { recursive: true });
    fs.accessSync(cache, fs.constants.W_OK);
    return [];
  } catch {
    return ['--cache', fs.mkdtempSync(path.join(os.tmpdir(), 'postrider-npm-'))];
  }
}

/** npm links the commands of dependencies but not the project's own; with this, `npx postrider` finds ours. */
function linkOwnCommand() {
  const link = path.join(root, 'node_modules', '.bin', 'postrider');
  fs.rmSync(link, { force: true });
  fs.symlinkSync(path.join('..', '..', 'scripts', 'postrider.mjs'), link);
}

/** Names, times and sizes: reading every file would cost more than the rest of a start. */
function digestOf(files, folders) {
  const inputs = [...files, ...folders.flatMap((folder) => listFiles(path.join(root, folder)))];
  const parts = inputs
    .filter((name) => !/\.test\.tsx?$/.test(name))
    .map((file) => {
      const full = path.resolve(root, file);
      const { mtimeMs, size } = fs.statSync(full);
      return `${path.relative(root, full)} ${mtimeMs} ${size}\n`;
    });
  return digest(parts.sort());
}

/** Compiled files whose source is gone would otherwise go on being there. */
function removeOrphans() {
  const dist = path.join(root, 'dist');
  for (const file of listFiles(dist)) {
    const source = path.join(root, 'src', path.relative(dist, file).replace(/\.js(\.map)?$/, '.ts'));
    if (/\.js(\.map)?$/.test(file) && !fs.existsSync(source)) fs.rmSync(file, { force: true });
  }
}

function listFiles(directory) {
  const files = [];
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const full = path.join(directory, entry.name);
    if (entry.isDirectory()) files.push(...listFiles(full));
    else files.push(full);
  }
  return files;
}

function digest(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

function readOr(file, fallback) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return fallback;
  }
}
