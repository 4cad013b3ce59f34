/** Makes a copy of the built API without some of its code, to measure the cost of that code. */
import { readFileSync, writeFileSync } from 'node:fs';

/** A pattern in the built program and its replacement. */
export type Cut = readonly [RegExp, string];

/** Writes the copy beside the original, because it uses the same files. Returns its path. */
export function cutProgram(name: string, cuts: readonly Cut[]): URL {
  const program = new URL(`../../dist/processes/${name}.js`, import.meta.url);
  let code = readFileSync(new URL('../../dist/processes/api.js', import.meta.url), 'utf8');
  for (const [found, left] of cuts) {
    if (!found.test(code))
      throw new Error(`The built API has no ${found}: say in the bench what it has now.`);
    code = code.replace(found, left);
  }
  writeFileSync(program, code);
  return program;
}
