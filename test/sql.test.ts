/** Every registered statement is PREPAREd against the migrated schema: a renamed column fails here, in seconds. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc, registeredStatements } from '../src/kit/database/sql.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
/** Entry points start things when they are imported; they hold no SQL of their own. */
const ENTRY_POINTS = join(SRC, 'processes');

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => join(SRC, file))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith(ENTRY_POINTS))
  .filter((file) => /\bsql(<[^(]*>)?\(/.test(readFileSync(file, 'utf8')));
for (const file of files) await import(pathToFileURL(file).href);

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

describe('every SQL statement fits the schema', () => {
  it('finds the modules that hold them', () => {
    expect(files.length).toBeGreaterThan(3);
    expect(registeredStatements().map((one) => one.name)).toContain('organizations.insert');
  });

  it.each(registeredStatements().map((one) => [one.name, one.text] as const))('%s', async (_name, text) => {
    await test.db.transaction(async (tx) => {
      await tx.exec(adHoc(`PREPARE checked AS ${text}`));
      await tx.exec(adHoc('DEALLOCATE checked'));
    });
  });
});
