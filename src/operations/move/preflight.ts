/** Checks the requirements of a move between two cells, and which method is possible. */
import type { Sql } from '../../database/sql.ts';
import { sql } from '../../database/sql.ts';
import type { CellEnd } from './cell-end.ts';
import { MoveError } from './move-error.ts';
import type { MovingTable } from './moving-tables.ts';
import { movingTables } from './moving-tables.ts';

interface Facts {
  readonly server_version: number;
  readonly wal_level: string;
  readonly schema: string;
  readonly database_id: string;
  readonly may_replicate: boolean;
  /** Each reader of this server's log needs a slot and a process. */
  readonly free_slots: number;
  /** For the copies of one subscription, besides its main worker. */
  readonly sync_workers: number;
  readonly version: number;
  readonly is_indexing: boolean;
  readonly is_citus: boolean;
}

const selectFacts = sql<Facts>(
  'moves.facts',
  `SELECT current_setting('server_version_num')::int AS server_version, current_setting('wal_level') AS wal_level,
          current_schema() AS schema,
          pg_postmaster_start_time()::text || ' ' || (SELECT oid FROM pg_database WHERE datname = current_database())
            AS database_id,
          (SELECT rolsuper OR rolreplication FROM pg_roles WHERE rolname = current_user) AS may_replicate,
          least(current_setting('max_replication_slots')::int - (SELECT count(*) FROM pg_replication_slots),
                current_setting('max_wal_senders')::int - (SELECT count(*) FROM pg_stat_replication))::int AS free_slots,
          current_setting('max_sync_workers_per_subscription')::int AS sync_workers,
          (SELECT coalesce(max(version), 0) FROM schema_migrations)::int AS version,
          (SELECT count(*) > 0 FROM search_backfill) AS is_indexing,
          (SELECT count(*) > 0 FROM pg_extension WHERE extname = 'citus') AS is_citus`,
  { home: 'cell' },
);

/** The first PostgreSQL version with row filters in publications. */
const FIRST_WITH_FILTERS = 150_000;

export async function cellFacts({ db }: { readonly db: Sql }): Promise<Facts> {
  return db.one(selectFacts);
}

/** The tables to move. Throws if the two cells do not have the same tables. */
export async function commonTables(source: CellEnd, target: CellEnd): Promise<MovingTable[]> {
  const [here, there] = [await cellFacts(source), await cellFacts(target)];
  if (here.version !== there.version)
    throw new MoveError(
      `The schema of ${source.name} is at ${here.version}, and that of ${target.name} at ${there.version}: migrate both.`,
    );
  if (here.is_indexing)
    throw new MoveError(
      `Older mail of the cell ${source.name} is still being indexed. Move when that is done.`,
    );
  const [tables, others] = [await movingTables(source.db), await movingTables(target.db)];
  const columnsThere = new Map(others.map(({ name, columns }) => [name, [...columns].toSorted().join()]));
  const different = tables.find(
    ({ name, columns }) => columnsThere.get(name) !== [...columns].toSorted().join(),
  );
  if (different !== undefined || tables.length !== others.length)
    throw new MoveError(`The tables of ${source.name} and ${target.name} differ: ${different?.name ?? ''}.`);
  return tables;
}

/** Why rows cannot be replicated while they are in use; null if they can. */
export async function whyNotReplicated(source: CellEnd, target: CellEnd): Promise<string | null> {
  const [here, there] = [await cellFacts(source), await cellFacts(target)];
  if (here.database_id === there.database_id) return 'both cells are in one database';
  // Citus stores the rows on another node than the tables that would be replicated, and would bypass them.
  if (here.is_citus || there.is_citus) return `${(here.is_citus ? source : target).name} is on Citus`;
  if (here.schema !== there.schema)
    return `their schemas have different names (${here.schema}, ${there.schema})`;
  if (Math.min(here.server_version, there.server_version) < FIRST_WITH_FILTERS)
    return 'PostgreSQL 15 or newer is needed for that on both servers';
  if (here.wal_level !== 'logical')
    return `wal_level of the server of ${source.name} is ${here.wal_level}, not logical`;
  if (!here.may_replicate) return `the role of ${source.name} has not the right REPLICATION`;
  const slots = 1 + there.sync_workers;
  if (here.free_slots < slots)
    return `${slots} replication slots of the server of ${source.name} are needed, and ${here.free_slots} are free (max_replication_slots, max_wal_senders)`;
  return null;
}
