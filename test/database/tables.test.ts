/** The list of tables in src/cells/tables.ts, compared with the migrated schema, with the source and with the docs. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FUNCTIONS_FOLDER, functionFiles, TABLES_PAGE } from '../../schema/scripts/files.ts';
import { withTables } from '../../schema/scripts/tables-page.ts';
import { TABLES, type TableEntry, tablesThat } from '../../src/cells/tables.ts';
import { adHoc } from '../../src/database/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sourceFiles } from '../support/statements.ts';

const FOUND = adHoc<{ name: string; organization: string | null }>(
  `SELECT c.relname::text AS name, a.attname::text AS organization
   FROM pg_class c
   LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped
   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace
   ORDER BY c.relname`,
);

const REFERENCES = adHoc<{ from: string; to: string }>(
  `SELECT c.conrelid::regclass::text AS from, c.confrelid::regclass::text AS to FROM pg_constraint c
   WHERE c.contype = 'f' AND c.conparentid = 0 AND c.conrelid <> c.confrelid`,
);

/** Removes rows from tables of other modules when a throw-away organization ends. */
const REMOVES_ALL = 'operations/throw-away.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

it('has every table, and the column that names the organization of a row', async () => {
  const listed = Object.entries<TableEntry>(TABLES).map(([name, { organization }]) => ({
    name,
    organization,
  }));
  const found = await test.db.many(FOUND);
  expect(listed.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(found);
});

it('names a table before those that its rows refer to', async () => {
  const names = Object.keys(TABLES);
  const references = await test.db.many(REFERENCES);
  expect(references.filter(({ from, to }) => names.indexOf(from) > names.indexOf(to))).toEqual([]);
  expect(references.length).toBeGreaterThan(10);
});

it('removes the rows of a throw-away organization from every table that has any', () => {
  const staying = tablesThat(({ organization, throwAway }) => organization !== null && throwAway === 'stays');
  expect(staying).toEqual(['search_backfill', 'standstills']);
  expect(tablesThat(({ throwAway }) => throwAway === 'before' || throwAway === 'after')).toEqual([
    'outbox',
    'object_removals',
  ]);
  expect(tablesThat(({ organization, throwAway }) => organization === null && throwAway !== 'stays')).toEqual(
    [],
  );
});

it('moves the rows of an organization in every table of a cell', () => {
  const staying = tablesThat(
    ({ home, organization, move }) => home === 'cell' && organization !== null && move === 'stays',
  );
  expect(staying).toEqual(['search_backfill', 'standstills']);
  expect(
    tablesThat(
      ({ home, organization, move }) => move === 'rows' && (home !== 'cell' || organization === null),
    ),
  ).toEqual([]);
});

it('says why a table is of control', () => {
  expect(tablesThat(({ home, because }) => (home === 'control') !== (because !== undefined))).toEqual([]);
});

it('names exactly the files and functions that write a table', () => {
  const sources = [
    ...sourceFiles().map(({ file, text }) => ({ writer: file, text })),
    ...functionFiles().map((file) => ({
      writer: `${basename(file, '.sql')}()`,
      text: readFileSync(join(FUNCTIONS_FOLDER, file), 'utf8'),
    })),
  ].filter(({ writer }) => writer !== REMOVES_ALL);
  const writersOf = (table: string) => {
    const write = new RegExp(`\\b(?:INSERT INTO|UPDATE(?: ONLY)?|DELETE FROM(?: ONLY)?)\\s+${table}\\b`);
    return [...new Set(sources.filter(({ text }) => write.test(text)).map(({ writer }) => writer))];
  };
  for (const [table, { writers }] of Object.entries<TableEntry>(TABLES))
    expect([...writers].toSorted(), table).toEqual(writersOf(table).toSorted());
});

it('is the table in docs/internals/tables.md; if not, run `npm run schema`', () => {
  const page = readFileSync(TABLES_PAGE, 'utf8');
  expect(page).toBe(withTables(page));
});
