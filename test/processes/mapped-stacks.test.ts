/** Errors of built programs, shown with the lines of their sources. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'postrider-stacks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Of a source with a line for a type, and an empty one, before these. */
const BUILT = `export function fail(given) {
  throw new RangeError(given.out);
}
`;
const MAP = {
  version: 3,
  sources: ['../src/left.ts'],
  names: [],
  mappings: 'AAEA;EACE,MAAM',
};

/** The stack of an error in a built file, as a program shows it. */
function stackOf(name: string, map: string | null): string {
  const built = join(folder, `${name}.js`);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(built, BUILT);
  if (map !== null) writeFileSync(`${built}.map`, map);
  const program = `
    import { mapStacks } from ${JSON.stringify(new URL('../../dist/runtime/mapped-stacks.js', import.meta.url).href)};
    import { fail } from ${JSON.stringify(pathToFileURL(built).href)};
    mapStacks();
    try { fail({ out: 'too far' }); } catch (error) { console.log(error.stack); }`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
}

it('names the source, its line and its column', () => {
  const [title, first] = stackOf('mapped', JSON.stringify(MAP)).split('\n');
  expect(title).toBe('RangeError: too far');
  expect(first).toBe(`    at fail (${pathToFileURL(join(folder, '../src/left.ts')).href}:4:9)`);
});

it.each([
  ['has no map', null],
  ['has a map that cannot be read', '{'],
] as const)('names the built file where it %s', (words, map) => {
  const name = words.replaceAll(' ', '-');
  const [title, first] = stackOf(name, map).split('\n');
  expect(title).toBe('RangeError: too far');
  expect(first).toBe(`    at fail (${pathToFileURL(join(folder, `${name}.js`)).href}:2:9)`);
});
