/**
 * The packages that people install: `postrider`, which runs without this repository, and `@postrider/sdk`.
 *
 * The first is the built programs, which hold the packages they use, and the files they read; nothing is compiled or
 * fetched by anything of ours when it is installed. PostgreSQL's programs are packages of their own, one for each platform.
 */
import fs from 'node:fs';
import path from 'node:path';
import { nameAt, postgresqlPlaces } from './bundled-packages.mjs';
import { writeChecksums } from './checksums.mjs';
import { Problem, root, run, runNpm } from './prepare.mjs';
import { PROGRAMS } from './programs.mjs';
import { sbomOf } from './sbom.mjs';
import { thirdPartyLicences } from './third-party-licences.mjs';

/** Read at run time, each at the same distance from the programs as here. */
const DATA = ['migrations', 'validation-data', 'dashboard/dist', 'docs-site/dist'];
/** Units, proxies and dashboards, for people to copy. */
const OPS = 'ops';
const TEXTS = ['README.md', 'CHANGELOG.md', 'LICENSE'];
const SBOM = 'sbom.json';

/** Makes both from a build that is up to date; returns their tarballs in `folder`, what is in the first, and checksums of all. */
export async function makePackages(folder) {
  fs.mkdirSync(folder, { recursive: true });
  const unpacked = { server: path.join(folder, 'postrider'), sdk: path.join(folder, 'sdk') };
  fillServerFolder(unpacked.server);
  await fillSdkFolder(unpacked.sdk);
  const server = await pack(unpacked.server, folder);
  const sdk = await pack(unpacked.sdk, folder);
  const sbom = server.replace(/\.tgz$/, '.sbom.json');
  fs.copyFileSync(path.join(unpacked.server, SBOM), sbom);
  return { server, sdk, sbom, checksums: writeChecksums(folder, [server, sdk, sbom]) };
}

function fillServerFolder(folder) {
  fs.rmSync(folder, { recursive: true, force: true });
  const put = (from, to = from) =>
    fs.cpSync(path.join(root, from), path.join(folder, to), { recursive: true, filter: isToBePacked });
  for (const file of programFiles()) put(`dist/processes/${file}`);
  for (const one of [...DATA, ...TEXTS, OPS]) put(one);
  put('scripts/package', 'bin');
  const lock = readJson('package-lock.json');
  fs.writeFileSync(path.join(folder, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences(root, lock));
  fs.writeFileSync(path.join(folder, SBOM), sbomOf(lock));
  fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest(lock), null, 2)}\n`);
}

/** Stamps of the build and tests are for a checkout. What an installation in this checkout has put into `ops` are its secrets. */
export function isToBePacked(file) {
  const name = path.basename(file);
  const inOps = path.relative(path.join(root, OPS), file);
  return name !== '.built-from' && !name.endsWith('.test.ts') && !OF_THIS_MACHINE.has(inOps);
}

const OF_THIS_MACHINE = new Set(['secrets', 'tls', 'postrider.env']);

/** The programs, what they import from beside them, and the maps that lead from a stack trace to `src`. */
function programFiles() {
  const folder = path.join(root, 'dist', 'processes');
  const files = new Set(PROGRAMS.map((program) => `${program}.js`));
  for (const file of files) {
    const text = fs.readFileSync(path.join(folder, file), 'utf8');
    for (const [, name] of text.matchAll(/(?:from|import|import\() ?"\.\/([\w.-]+\.js)"/g)) files.add(name);
  }
  return [...files]
    .flatMap((file) => [file, `${file}.map`])
    .filter((file) => fs.existsSync(path.join(folder, file)));
}

/** The repository's own manifest has what builds it; what runs needs PostgreSQL alone, where it exists. */
function manifest(lock) {
  const {
    private: _,
    workspaces,
    scripts,
    dependencies,
    devDependencies,
    overrides,
    ...own
  } = readJson('package.json');
  const versions = postgresqlPlaces(lock).map((place) => [nameAt(place), lock.packages[place].version]);
  return {
    ...own,
    bin: { postrider: 'bin/postrider.mjs' },
    optionalDependencies: Object.fromEntries(versions),
  };
}

async function fillSdkFolder(folder) {
  const tsx = path.join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs');
  const code = await run(process.execPath, [tsx, 'sdk/scripts/build.ts', folder]);
  if (code !== 0) throw new Problem('The SDK could not be built; the messages above say why.');
}

async function pack(folder, destination) {
  const { name, version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', destination];
  const code = await runNpm(args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (code !== 0) throw new Problem(`npm pack failed in ${folder}; the messages above say why.`);
  return path.join(destination, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));
}
