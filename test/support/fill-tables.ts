/** Inserts a row of an organization into every table that has none, with any valid values. */

import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { movingTables } from '../../src/operations/move/moving-tables.ts';

/** Values for columns that accept only certain values. */
const REQUIRED_VALUES: Readonly<Record<string, string>> = {
  'attempts.outcome': 'delivered',
  'dkim_rotations.status': 'waiting_for_dns',
  'dmarc_rows.disposition': 'none',
  'dmarc_rows.kind': 'dmarc',
  'domain_reports.kind': 'dmarc',
  'tls_rows.kind': 'tls',
  'inbound_messages.mailbox': 'fbl',
  'object_removals.state': 'removing',
  'delivery_counts.dimension': 'provider',
};

/** Values by the beginning of the type's name. No value makes a row due soon, so that no worker claims it. */
const VALUES: readonly (readonly [type: string, value: string])[] = [
  ['text[]', `'{}'`],
  ['integer[]', `'{}'`],
  ['text', `'x'`],
  ['uuid', 'uuid_v7_floor(now())'],
  ['timestamp', `now() + interval '1 day'`],
  ['date', 'current_date'],
  ['bytea', `'\\x01'`],
  ['json', `'{}'`],
  ['boolean', 'false'],
  ['inet', `'127.0.0.1'`],
  ['', '1'],
];

/** Columns that refer to an existing row of another table. */
const REFERRED: Readonly<Record<string, string>> = { domain_id: 'domains', template_id: 'templates' };

interface Column {
  readonly name: string;
  readonly type: string;
}

/** The columns without a default that must not be null, and a column that some states require. */
const COLUMNS = `
  SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
  WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND NOT atthasdef
    AND (attnotnull OR attname = 'private_key') AND attgenerated = '' AND attidentity = '' AND attname <> 'organization_id'`;

export async function fillTables(db: Database, organizationId: string): Promise<void> {
  for (const { name } of await movingTables(db)) {
    const has = adHoc(`SELECT FROM ${name} WHERE organization_id = $1 LIMIT 1`);
    if ((await db.maybeOne(has, [organizationId])) !== undefined) continue;
    const columns = await db.many(adHoc<Column>(COLUMNS), [name]);
    const values = columns.map((column) => valueFor(name, column));
    const names = ['organization_id', ...columns.map((one) => one.name)].join(', ');
    const insert = `INSERT INTO ${name} (${names}) VALUES (${['$1', ...values].join(', ')})`;
    await db.exec(adHoc(insert), [organizationId]);
    // Rows of each kind refer to one.
    if (name === 'domain_reports') await db.exec(adHoc(insert.replace("'dmarc'", "'tls'")), [organizationId]);
  }
}

function valueFor(table: string, { name, type }: Column): string {
  const picky = REQUIRED_VALUES[`${table}.${name}`];
  if (picky !== undefined) return `'${picky}'`;
  const of = REFERRED[name];
  if (of !== undefined) return `(SELECT id FROM ${of} WHERE organization_id = $1 LIMIT 1)`;
  return VALUES.find(([start]) => type.startsWith(start))?.[1] ?? 'NULL';
}
