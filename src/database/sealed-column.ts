/**
 * The operations on a column of sealed values that re-encryption needs. Each table's own module creates these for its columns.
 */
import { type Sql, sql } from './sql.ts';

export interface SealedRow {
  readonly id: string;
  /** Null if the value belongs to the installation. */
  readonly organization_id: string | null;
  readonly sealed: Buffer;
}

export interface SealedColumn {
  /** Whether rows belong to organizations, in their cells. Otherwise they belong to the installation and exist once. */
  readonly isOfOrganizations: boolean;
  /** Rows after that id, ordered by id, whose value does not begin with this prefix. */
  otherThan(db: Sql, prefix: Buffer, afterId: string, limit: number): Promise<SealedRow[]>;
  /** False if the value has changed since it was read. */
  replace(db: Sql, row: SealedRow, sealed: Buffer): Promise<boolean>;
  countByPrefix(db: Sql, prefixBytes: number): Promise<{ prefix: Buffer; count: number }[]>;
}

interface SealedColumnOptions {
  /** The column with the id that the value is bound to. */
  readonly idColumn?: string;
  /** The table belongs to a cell and its rows to organizations; otherwise both belong to control. */
  readonly ofOrganizations?: boolean;
}

/** The names are constants, never from a request. */
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
