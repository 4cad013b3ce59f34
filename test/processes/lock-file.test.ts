import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Entry>;
};
/** Without our own package and the workspaces. */
const others = Object.entries(packages).filter(
  ([name, { link }]) => name.includes('node_modules/') && link !== true,
);
const runtime = others.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true);
const namesOf = (entries: typeof others) => entries.map(([name]) => name.replace(/^.*node_modules\//, ''));

/** They ask for no more than to be named, in what users run. */
const PERMISSIVE = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'PostgreSQL',
];
/** Fine for building and testing as well: nothing of it is handed on. */
const FOR_DEVELOPMENT = [...PERMISSIVE, 'MPL-2.0', 'CC0-1.0', 'Unlicense', 'MIT OR Apache-2.0', 'PSF-2.0'];

/** Says so in a file of its own only. */
const MIT_BY_FILE = ['mailcheck'];

describe('the lock file', () => {
  it('has every platform, or npm ci refuses it: take a version that the registry has for all of them', () => {
    const missing = Object.values(packages)
      .flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
      .filter((name) => packages[`node_modules/${name}`] === undefined);
    expect(missing).toEqual([]);
  });

  it('has a checksum for every package', () => {
    expect(others.length).toBeGreaterThan(100);
    expect(namesOf(others.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')))).toEqual([]);
  });

  it('brings users permissive licences only', () => {
    const odd = (allowed: readonly string[]) =>
      others.filter(([, { license }]) => !allowed.includes(license ?? 'none'));
    expect(namesOf(odd(PERMISSIVE).filter((one) => runtime.includes(one)))).toEqual([]);
    expect(namesOf(odd(FOR_DEVELOPMENT))).toEqual(MIT_BY_FILE);
  });

  it('brings users no tools for building and testing', () => {
    const tools =
      /^(typescript|tsx|vite|vitest|esbuild|rolldown|react(-dom)?|playwright-core|@(types|biomejs|vitejs|rolldown|esbuild|vitest|typescript|tanstack)\/.*)$/;
    expect(runtime.length).toBeGreaterThan(30);
    expect(namesOf(runtime).filter((name) => tools.test(name))).toEqual([]);
  });
});
