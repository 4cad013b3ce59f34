/** The tables with an organization's rows in a cell, according to the catalog. */
import { tablesThat } from '../../cells/tables.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { inOrderOfReference, quotedName, tableShapes } from '../backup/catalog.ts';

export interface MovingTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Without the organization's column. */
  readonly key: readonly string[];
  /** Whether its primary key includes the organization, so that a publication can filter changes and removals. */
  readonly isKeyed: boolean;
  /** Of a weekly table, the partition column. */
  readonly weeklyBy: string | null;
}

const MOVING: readonly string[] = tablesThat(({ move }) => move === 'rows');

const selectKeys = sql<{ name: string; key: string[]; is_divided: boolean }>(
  'moves.keys',
  `SELECT c.relname::text AS name, c.relkind = 'p' AS is_divided,
          array_agg(a.attname::text ORDER BY array_position(x.indkey::smallint[], a.attnum)) AS key
   FROM pg_class c
   JOIN pg_index x ON x.indrelid = c.oid AND x.indisprimary
   JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (x.indkey::smallint[])
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
   GROUP BY c.oid`,
  { home: 'either' },
);

/** In an order in which their rows can be written: referenced tables come first. */
export async function movingTables(db: Sql): Promise<MovingTable[]> {
  const keys = new Map((await db.many(selectKeys)).map((row) => [row.name, row]));
  const shapes = (await tableShapes(db)).filter(({ name }) => MOVING.includes(name));
  const tables = shapes.map(({ name, columns }) => {
    const { key = [], is_divided = false } = keys.get(name) ?? {};
    const weeklyBy = is_divided ? (columns.includes('email_id') ? 'email_id' : 'id') : null;
    const isKeyed = key.includes('organization_id');
    return { name, columns, key: key.filter((column) => column !== 'organization_id'), isKeyed, weeklyBy };
  });
  return inOrderOfReference(db, tables);
}

export function quotedList(names: readonly string[]): string {
  return names.map(quotedName).join(', ');
}
