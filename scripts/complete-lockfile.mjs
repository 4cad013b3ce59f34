// Run after a change of dependencies: `node scripts/complete-lockfile.mjs`.
//
// npm leaves a platform's package out of the lock file when the registry it asked did not have it (a mirror that
// lags), and then `npm ci` refuses the lock file everywhere. This adds what is missing: name, version and the
// platform it is for, so that others skip it. It has no checksum; npm fills that in where the package is used.
import fs from 'node:fs';
import path from 'node:path';
import { root } from './lib/prepare.mjs';

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm64',
  'arm',
  'x64',
  'ia32',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'mips64el',
  'wasm32',
];

const file = path.join(root, 'package-lock.json');
const lock = JSON.parse(fs.readFileSync(file, 'utf8'));
const missing = Object.values(lock.packages).flatMap((parent) =>
  Object.entries(parent.optionalDependencies ?? {})
    .filter(([name]) => lock.packages[`node_modules/${name}`] === undefined)
    .map(([name, version]) => [`node_modules/${name}`, entryFor(name, version, parent)]),
);
for (const [key, entry] of missing) lock.packages[key] = entry;
const [own, ...others] = Object.entries(lock.packages);
others.sort(([a], [b]) => a.localeCompare(b, 'en'));
lock.packages = Object.fromEntries([own, ...others]);
fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${missing.length} entries added.`);

function entryFor(name, version, parent) {
  const words = name.split(/[/-]/);
  const system = SYSTEMS.find((one) => words.includes(one));
  const processor = PROCESSORS.find((one) => words.includes(one));
  if (system === undefined && processor !== 'wasm32') throw new Error(`${name}: for which platform is it?`);
  if (!/^\d/.test(version)) throw new Error(`${name}: ${version} is not a version`);
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : undefined;
  return {
    version,
    cpu: [processor ?? 'unknown'],
    ...(parent.dev ? { dev: true } : {}),
    ...(libc === undefined ? {} : { libc }),
    license: parent.license,
    optional: true,
    ...(system === undefined ? {} : { os: [system] }),
  };
}
