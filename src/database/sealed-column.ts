/** What re-sealing needs of a column that holds sealed values. Each table's own module makes these for its columns. */
import { type Sql, sql } from './sql.ts';

export interface SealedRow {
  readonly id: string;
  /** Null where it is nobody's but the installation's. */
  readonly organization_id: string | null;
  readonly sealed: Buffer;
}

export interface SealedColumn {
  /** Rows are organizations', wherever those are; otherwise they are the installation's, and there once. */
  readonly isOfOrganizations: boolean;
  /** Rows after that id, in its order, whose value does not begin with this prefix. */
  otherThan(db: Sql, prefix: Buffer, afterId: string, limit: number): Promise<SealedRow[]>;
  /** False when the value has changed since it was read. */
  replace(db: Sql, row: SealedRow, sealed: Buffer): Promise<boolean>;
  /** How many values begin with which bytes. */
  countByPrefix(db: Sql, prefixBytes: number): Promise<{ prefix: Buffer; count: number }[]>;
}

interface SealedColumnOptions {
  /** The column that holds what the value is sealed for. */
  readonly idColumn?: string;
  /** The table belongs to a cell and its rows to organizations; otherwise both belong to control. */
  readonly ofOrganizations?: boolean;
}

/** The names stand in the code, never in a request. */
export function sealedColumn(
  table: string,
  column: string,
  { idColumn = 'id', ofOrganizations = false }: SealedColumnOptions = {},
): SealedColumn {
  const name = `${table}.${column}`;
  const home = ofOrganizations ? ('cell' as const) : ('control' as const);
  const select = sql<SealedRow>(
    `${name}.sealed_otherwise`,
    `SELECT ${idColumn} AS id, ${ofOrganizations ? 'organization_id' : 'NULL AS organization_id'}, ${column} AS sealed
     FROM ${table}
     WHERE ${idColumn} > $2 AND substring(${column} FROM 1 FOR length($1::bytea)) <> $1
     ORDER BY ${idColumn} LIMIT $3`,
    { home },
  );
  const update = sql(
    `${name}.reseal`,
    `UPDATE ${table} SET ${column} = $3
     WHERE ${idColumn} = $1 AND ${column} = $2${ofOrganizations ? ' AND organization_id = $4' : ''}`,
    ofOrganizations ? { home, organization: '$4' } : { home },
  );
  const count = sql<{ prefix: Buffer; count: number }>(
    `${name}.sealed_count`,
    `SELECT substring(${column} FROM 1 FOR $1::int) AS prefix, count(*) AS count FROM ${table}
     WHERE ${column} IS NOT NULL GROUP BY 1`,
    { home },
  );
  return {
    isOfOrganizations: ofOrganizations,
    otherThan: (db, prefix, afterId, limit) => db.many(select, [prefix, afterId, limit]),
    replace: async (db, { id, organization_id, sealed: before }, sealed) => {
      const whose = ofOrganizations ? [organization_id] : [];
      return (await db.exec(update, [id, before, sealed, ...whose])) > 0;
    },
    countByPrefix: (db, prefixBytes) => db.many(count, [prefixBytes]),
  };
}
