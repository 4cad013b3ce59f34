/** The files in schema/ describe the migrated database: `npm run schema` writes schema.sql anew. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dumpSchema } from '../../schema/scripts/dump.ts';
import { functionFiles, SCHEMA_FILE } from '../../schema/scripts/files.ts';
import { type FunctionFile, functionsOfFiles, liveFunctions } from '../../schema/scripts/functions.ts';
import { adHoc } from '../../src/database/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const WITHOUT_COMMENT = adHoc<{ name: string }>(
  `SELECT c.relname::text AS name FROM pg_class c
   WHERE c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace
     AND obj_description(c.oid, 'pg_class') IS NULL`,
);

const PARTITIONS = adHoc<{ name: string }>(
  `SELECT relname::text AS name FROM pg_class WHERE relispartition AND relkind = 'r' LIMIT 1`,
);

let test: TestDatabase;
let files: FunctionFile[];
beforeAll(async () => {
  test = await createTestDatabase();
  files = await test.db.transaction(functionsOfFiles);
});
afterAll(() => test.drop());

describe('schema/schema.sql', () => {
  it('is what a migrated database has; if not, run `npm run schema`', async () => {
    expect(readFileSync(SCHEMA_FILE, 'utf8')).toBe(await dumpSchema(test.db, functionFiles()));
  });

  it('is the same whichever weeks have partitions', async () => {
    const { name } = await test.db.one(PARTITIONS);
    expect(readFileSync(SCHEMA_FILE, 'utf8')).not.toContain(name);
    await test.db.exec(adHoc(`SELECT ensure_email_partitions('2031-05-05')`));
    expect(await dumpSchema(test.db, functionFiles())).toBe(readFileSync(SCHEMA_FILE, 'utf8'));
  });

  it('explains every table and view', async () => {
    expect(await test.db.many(WITHOUT_COMMENT)).toEqual([]);
  });
});

describe('schema/functions', () => {
  it('has the definition of every function in the database, and no other', async () => {
    const live = await liveFunctions(test.db);
    expect(files.map(({ signature }) => signature).toSorted()).toEqual([...live.keys()].toSorted());
    for (const { file, signature, definition } of files)
      expect(definition, `${file} differs: see "A database function" in CONTRIBUTING.md`).toBe(
        live.get(signature),
      );
  });

  it('begins every file with a comment', () => {
    expect(files.filter(({ text }) => !text.startsWith('-- ')).map(({ file }) => file)).toEqual([]);
  });
});
