/** What re-sealing needs of a column that holds sealed values. Each table's own module makes these for its columns. */
import { type Sql, sql } from './sql.ts';

export interface SealedRow {
  readonly id: string;
  readonly sealed: Buffer;
}

export interface SealedColumn {
  /** Rows after that id, in its order, whose value does not begin with this prefix. */
  otherThan(db: Sql, prefix: Buffer, afterId: string, limit: number): Promise<SealedRow[]>;
  /** False when the value has changed since it was read. */
  replace(db: Sql, row: SealedRow, sealed: Buffer): Promise<boolean>;
  /** How many values begin with which bytes. */
  countByPrefix(db: Sql, prefixBytes: number): Promise<{ prefix: Buffer; count: number }[]>;
}

/** `idColumn` holds what the value is sealed for. The names stand in the code, never in a request. */
export function sealedColumn(table: string, column: string, idColumn = 'id'): SealedColumn {
  const name = `${table}.${column}`;
  const select = sql<SealedRow>(
    `${name}.sealed_otherwise`,
    `SELECT ${idColumn} AS id, ${column} AS sealed FROM ${table}
     WHERE ${idColumn} > $2 AND substring(${column} FROM 1 FOR length($1::bytea)) <> $1
     ORDER BY ${idColumn} LIMIT $3`,
  );
  const update = sql(
    `${name}.reseal`,
    `UPDATE ${table} SET ${column} = $3 WHERE ${idColumn} = $1 AND ${column} = $2`,
  );
  const count = sql<{ prefix: Buffer; count: number }>(
    `${name}.sealed_count`,
    `SELECT substring(${column} FROM 1 FOR $1::int) AS prefix, count(*) AS count FROM ${table}
     WHERE ${column} IS NOT NULL GROUP BY 1`,
  );
  return {
    otherThan: (db, prefix, afterId, limit) => db.many(select, [prefix, afterId, limit]),
    replace: async (db, { id, sealed: before }, sealed) => (await db.exec(update, [id, before, sealed])) > 0,
    countByPrefix: (db, prefixBytes) => db.many(count, [prefixBytes]),
  };
}
