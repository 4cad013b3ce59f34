/** Rows as one parameter, read by PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binaryRows } from '../../src/database/binary-rows.ts';
import { adHoc } from '../../src/database/sql.ts';
import { NEW_ATTACHMENT, NEW_CONTENT, NEW_EMAIL, NEW_RECIPIENT } from '../../src/emails/new-rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const EVERY_TYPE = {
  ...({ a: 'text', b: 'jsonb', c: 'bytea', d: 'uuid', e: 'boolean' } as const),
  ...({ f: 'smallint', g: 'integer', h: 'timestamptz', i: 'integer[]' } as const),
} as const;

const FULL = {
  ...{ a: 'Ünï “quoted”, {braces} \\ 𝒳', b: '{"a": [1, "ü"]}', c: Buffer.from([0, 255, 92]) },
  ...{ d: '0195a0e2-7d3c-7c1e-8a44-0123456789ab', e: true, f: -2, g: 2_000_000_000 },
  ...{ h: Date.UTC(1999, 11, 31, 23, 59, 59, 123), i: [1, -2_147_483_648, 3] },
};
const EMPTY = { ...FULL, a: '', b: '[]', c: Buffer.alloc(0), e: false, i: [] };
/** Longer than what is written without being measured, with letters of one to four bytes. */
const LONG = { ...FULL, a: 'aü€𝒳'.repeat(20_000) };
const NULLS = {
  ...{ a: null, b: null, c: null, d: null, e: null },
  ...{ f: null, g: null, h: null, i: null },
};

/** As PostgreSQL shows it. */
const read = (row: typeof FULL | typeof EMPTY | typeof NULLS) => ({
  ...row,
  b: row.b === null ? null : JSON.parse(row.b),
  h: row.h === null ? null : new Date(row.h),
});

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  const attributes = Object.entries(EVERY_TYPE).map(([name, type]) => `${name} ${type}`);
  await test.db.exec(adHoc(`CREATE TYPE every_type AS (${attributes.join(', ')})`));
});
afterAll(() => test.drop());

const select = adHoc('SELECT * FROM unnest($1::every_type[])');

describe('rows in binary form', () => {
  it.each([
    ['several rows', [FULL, EMPTY, NULLS]],
    ['one row', [FULL]],
    ['long text', [LONG, FULL]],
    ['no rows', []],
  ])('arrive as they were sent: %s', async (_, rows) => {
    expect(await test.db.many(select, [binaryRows(EVERY_TYPE, rows)])).toEqual(rows.map(read));
  });

  it.each([
    ['new_email', NEW_EMAIL],
    ['new_content', NEW_CONTENT],
    ['new_recipient', NEW_RECIPIENT],
    ['new_attachment', NEW_ATTACHMENT],
  ] as const)('%s has the attributes of the type in the database, in their order', async (name, type) => {
    const attributes = adHoc<{ name: string; type: string }>(
      `SELECT attname::text AS name, format_type(atttypid, atttypmod) AS type
       FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 ORDER BY attnum`,
    );
    const found = await test.db.many(attributes, [name]);
    const shown = (type: string) => (type === 'timestamptz' ? 'timestamp with time zone' : type);
    expect(found).toEqual(Object.entries(type).map(([own, of]) => ({ name: own, type: shown(of) })));
  });
});
