/** Reads the list of tables from the database's catalog, so that a backup includes every table, also new ones. */
import { adHoc, type Sql, sql } from '../../database/sql.ts';
import type { SavedSequence } from './manifest.ts';

export interface TableShape {
  readonly name: string;
  /** The columns with data of their own. */
  readonly columns: readonly string[];
}

/** Partitions belong to their table. Generated columns are computed again. */
const selectTables = sql<TableShape>(
  'catalog.tables',
  `SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
   FROM pg_class c
   JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
   GROUP BY c.oid ORDER BY c.relname`,
  { home: 'either' },
);

const selectSizes = sql<{ name: string; bytes: number }>(
  'catalog.sizes',
  `SELECT c.relname::text AS name,
          coalesce((SELECT sum(pg_table_size(relid)) FROM pg_partition_tree(c.oid)), pg_table_size(c.oid))::bigint AS bytes
   FROM pg_class c
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
  { home: 'either' },
);

const selectSequences = sql<{ name: string }>(
  'catalog.sequences',
  `SELECT c.relname::text AS name FROM pg_class c
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S' ORDER BY c.relname`,
  { home: 'either' },
);

const selectReferences = sql<{ table: string; needs: string }>(
  'catalog.references',
  `SELECT t.relname::text AS "table", f.relname::text AS needs
   FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class f ON f.oid = k.confrelid
   WHERE k.contype = 'f' AND t.relnamespace = current_schema()::regnamespace AND t.oid <> f.oid`,
  { home: 'either' },
);

const setSequence = sql(
  'catalog.set_sequence',
  'SELECT setval(found, $2::bigint, $3::bool) FROM to_regclass($1::text) AS found WHERE found IS NOT NULL',
  { home: 'either' },
);

export function tableShapes(db: Sql): Promise<TableShape[]> {
  return db.many(selectTables);
}

export async function tableSizes(db: Sql): Promise<ReadonlyMap<string, number>> {
  return new Map((await db.many(selectSizes)).map(({ name, bytes }) => [name, bytes]));
}

/** The current values, independent of the transaction's snapshot: a sequence is not transactional. */
export async function readSequences(db: Sql): Promise<SavedSequence[]> {
  const found: SavedSequence[] = [];
  for (const { name } of await db.many(selectSequences)) {
    const text = `SELECT last_value AS value, is_called AS "isCalled" FROM ${quotedName(name)}`;
    found.push({ name, ...(await db.one(adHoc<Omit<SavedSequence, 'name'>>(text))) });
  }
  return found;
}

/** Skips a sequence that does not exist here, because it is not Postrider's. */
export async function writeSequence(db: Sql, { name, value, isCalled }: SavedSequence): Promise<void> {
  await db.many(setSequence, [quotedName(name), value, isCalled]);
}

/** Sorts tables so that each comes after those that its rows refer to. */
export async function inOrderOfReference<T extends { readonly name: string }>(
  db: Sql,
  tables: readonly T[],
): Promise<T[]> {
  const references = await db.many(selectReferences);
  const ordered: T[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name));
    const waits = (one: T) => references.some(({ table, needs }) => table === one.name && names.has(needs));
    const next = left.filter((one) => !waits(one));
    if (next.length === 0) throw new Error(`${[...names].join(', ')} refer to each other in a circle.`);
    ordered.push(...next);
    left = left.filter(waits);
  }
  return ordered;
}

/** Quotes a name for SQL, whatever characters it has. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function columnList({ columns }: TableShape): string {
  return columns.map(quotedName).join(', ');
}
