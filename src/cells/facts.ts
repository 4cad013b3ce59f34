/** Facts about a cell's server and the size of its data. Reads only. */
import { type Sql, sql } from '../database/sql.ts';

export interface CellFacts {
  /** The PostgreSQL version, such as `17.5`. */
  readonly server: string;
  /** The size of its schema on the disk. */
  readonly bytes: number;
}

const select = sql<CellFacts>(
  'cells.facts',
  `SELECT split_part(current_setting('server_version'), ' ', 1) AS server,
          (SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c
           WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'm'))::bigint AS bytes`,
  { home: 'either' },
);

export function cellFactsOf(db: Sql): Promise<CellFacts> {
  return db.one(select);
}
