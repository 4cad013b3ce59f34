/** All SQL statements in `src`, as their modules register them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { registeredStatements, type Statement } from '../../src/database/sql.ts';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
/** Entry points are not imported, because importing starts them. They contain no SQL. */
const ENTRY_POINTS = join(SRC, 'processes');

/** Every file of `src` except tests, with its text. */
export function sourceFiles(): readonly { readonly file: string; readonly text: string }[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }));
}

export async function allStatements(): Promise<readonly Statement<unknown>[]> {
  for (const { file, text } of sourceFiles()) {
    const path = join(SRC, file);
    if (/\bsql(<[^(]*>)?\(/.test(text) && !path.startsWith(ENTRY_POINTS))
      await import(pathToFileURL(path).href);
  }
  return registeredStatements();
}
