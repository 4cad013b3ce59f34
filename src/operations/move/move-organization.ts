/** `postrider org move`: starts the move of an organization, continues an interrupted one, or undoes it. */
import { beginMove, type MoveRow, openMove } from '../../cells/move-store.ts';
import { type Database, MAIN_CELL } from '../../database/database.ts';
import { adHoc, type Sql, sql } from '../../database/sql.ts';
import { findOrganization, firstOrganization } from '../../organizations/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Say } from '../../runtime/say.ts';
import { isThrowAway } from '../../sandbox/throw-away.ts';
import { type CellEnd, type CellPlace, withCellEnd } from './cell-end.ts';
import { countRows } from './copy-rows.ts';
import { abandonMove, runMove } from './move.ts';
import { MoveError } from './move-error.ts';
import { cellOfOrganization, type MoveRun, publishable } from './move-run.ts';
import { type MovingTable, movingTables } from './moving-tables.ts';
import { isReplicating, trySubscribing } from './replication.ts';

export interface MoveRequest {
  readonly organizationId: string;
  readonly to: string;
  /** Mail may be refused for as long as copying takes. */
  readonly isOffline: boolean;
  readonly isAbandoned: boolean;
  /** The source's address as seen from the target's server, if it differs from the address that this process uses. */
  readonly reach: string | undefined;
  readonly by: string;
}

interface MoveDeps {
  readonly control: Database;
  readonly clock: Clock;
  /** All cells; the first is control's. */
  readonly cells: readonly CellPlace[];
  readonly say: Say;
  readonly signal: AbortSignal;
  /** Set only by tests. */
  readonly at?: MoveRun['at'];
}

/** One move at a time for each organization. The lock ends with its session. */
const lockMove = adHoc<{ free: boolean }>(
  `SELECT pg_try_advisory_lock(hashtext('postrider.move'), hashtext($1)) AS free`,
);

/** Rows that one process copies per second: a conservative estimate for display. */
const ROWS_PER_SECOND = 20_000;
const FROZEN_SECONDS = 2;

export function moveOrganization(deps: MoveDeps, request: MoveRequest): Promise<MoveRow> {
  return withCellEnd(placeNamed(deps, MAIN_CELL), async (controlEnd) => {
    const { free } = await controlEnd.db.one(lockMove, [request.organizationId]);
    if (!free)
      throw new MoveError('Another command is moving the organization. Wait until that command has ended.');
    const begun = await openMove(deps.control, request.organizationId);
    const [from, to] = await endsOf(deps, request, begun);
    return withCellEnd(placeNamed(deps, from), (source) =>
      withCellEnd(placeNamed(deps, to), (target) =>
        continueMove(deps, request, {
          source,
          target,
          begun,
          isOurs: () => stillLocked(controlEnd),
        }),
      ),
    );
  });
}

/** The lock lasts as long as the session. */
async function stillLocked({ client }: CellEnd): Promise<void> {
  try {
    await client.query('SELECT');
  } catch {
    throw new MoveError(
      'This command has lost its lock, because its session in the first cell has ended. Another command may be moving the organization by now.',
    );
  }
}

function placeNamed({ cells }: MoveDeps, name: string): CellPlace {
  const found = cells.find((cell) => cell.name === name);
  if (found !== undefined) return found;
  throw new MoveError(`There is no cell ${name}. There are: ${cells.map((cell) => cell.name).join(', ')}`);
}

async function endsOf(
  { control }: MoveDeps,
  request: MoveRequest,
  begun: MoveRow | undefined,
): Promise<readonly [from: string, to: string]> {
  const { organizationId, to, isAbandoned } = request;
  if (begun !== undefined) {
    if (begun.to_cell !== to)
      throw new MoveError(
        `The organization is being moved from ${begun.from_cell} to ${begun.to_cell}. Finish that move first, or undo it with --abandon.`,
      );
    refuseOtherWay(begun, request);
    return [begun.from_cell, begun.to_cell];
  }
  if (isAbandoned) throw new MoveError('The organization is not being moved. Leave out --abandon.');
  if ((await findOrganization(control, organizationId)) === undefined)
    throw new MoveError(`There is no organization ${organizationId}. See: npx postrider org list`);
  if (await isThrowAway(control, organizationId))
    throw new MoveError(
      'The organization was created for a test run and expires automatically. It cannot be moved.',
    );
  if ((await firstOrganization(control))?.id === organizationId)
    throw new MoveError(
      'This is the first organization. Invitations and other mail of the installation leave from its domains, so it stays in the first cell.',
    );
  const from = await cellOfOrganization(control, organizationId);
  if (from === to) throw new MoveError(`The organization is already in the cell ${to}.`);
  return [from, to];
}

/** A move continues with the method it started with, so a request for another method is refused. */
function refuseOtherWay({ way, step, to_cell }: MoveRow, { isOffline, isAbandoned }: MoveRequest): void {
  if (isAbandoned || !isOffline || way === 'offline') return;
  const hasArrived = step === 'settling' || step === 'clearing';
  throw new MoveError(
    hasArrived
      ? `The organization is already in ${to_cell}. Run the command again without --offline to finish.`
      : 'The move of the organization was begun without --offline. Run the command without --offline to continue. ' +
          'To move offline, undo the move with --abandon first.',
  );
}

interface Ends {
  readonly source: CellEnd;
  readonly target: CellEnd;
  readonly begun: MoveRow | undefined;
  readonly isOurs: MoveRun['isOurs'];
}

async function continueMove(
  deps: MoveDeps,
  request: MoveRequest,
  { source, target, begun, isOurs }: Ends,
): Promise<MoveRow> {
  const { organizationId, isAbandoned, reach = source.url } = request;
  const { control, clock, say, signal, at = async () => undefined } = deps;
  const tables = await commonTables(source, target);
  const move = begun ?? (await begin(deps, request, { source, target, tables }));
  const run = {
    control,
    clock,
    source,
    target,
    organizationId,
    move,
    tables,
    reach,
    say,
    signal,
    isOurs,
    at,
  };
  if (begun !== undefined) {
    if (!isAbandoned) await refuseOtherReach(request, target);
    const how = begun.way === 'offline' ? ' with --offline' : '';
    say(`Continuing the move that ${begun.started_by} began${how}; last step: ${begun.step}`);
  }
  if (isAbandoned) await abandonMove(run);
  else await runMove(run);
  return move;
}

async function refuseOtherReach({ organizationId, reach }: MoveRequest, target: CellEnd): Promise<void> {
  if (reach !== undefined && (await isReplicating(target, organizationId)))
    throw new MoveError(
      'The organization is being replicated from the address of the first run. Run the command without --reach to continue, or with --abandon to undo the move.',
    );
}

async function begin(
  { control, say }: MoveDeps,
  { organizationId, isOffline, by, reach }: MoveRequest,
  { source, target, tables }: Pick<MoveRun, 'source' | 'target' | 'tables'>,
): Promise<MoveRow> {
  const problem = await whyNotReplicated(source, target);
  let rows = 0;
  for (const table of tables) rows += await countRows(source, table, organizationId);
  const way = isOffline ? 'offline' : 'replicated';
  const seconds = isOffline ? FROZEN_SECONDS + Math.ceil(rows / ROWS_PER_SECOND) : FROZEN_SECONDS;
  say(
    `${rows} rows from ${source.name} to ${target.name}. Mail is refused for about ${seconds} s at the end`,
  );
  if (!isOffline && problem !== null)
    throw new MoveError(
      `The organization cannot be moved while it is in use: ${problem}. Run the command with --offline to move it; its mail is then refused for about ${
        FROZEN_SECONDS + Math.ceil(rows / ROWS_PER_SECOND)
      } s.`,
    );
  if (!isOffline)
    await trySubscribing({ source, target, organizationId }, publishable(tables), reach ?? source.url);
  return beginMove(control, { organizationId, from: source.name, to: target.name, way, by });
}

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

/** Checks the requirements of a move between two cells, and which method is possible. */
async function cellFacts({ db }: { readonly db: Sql }): Promise<Facts> {
  return db.one(selectFacts);
}

/** The tables to move. Throws if the two cells do not have the same tables. */
async function commonTables(source: CellEnd, target: CellEnd): Promise<MovingTable[]> {
  const [here, there] = [await cellFacts(source), await cellFacts(target)];
  if (here.version !== there.version)
    throw new MoveError(
      `The schema of ${source.name} is at ${here.version}, and that of ${target.name} at ${there.version}: migrate both.`,
    );
  if (here.is_indexing)
    throw new MoveError(
      `Older mail of the cell ${source.name} is still being indexed. Move the organization when the indexing is done.`,
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
async function whyNotReplicated(source: CellEnd, target: CellEnd): Promise<string | null> {
  const [here, there] = [await cellFacts(source), await cellFacts(target)];
  if (here.database_id === there.database_id) return 'both cells are in one database';
  // Citus stores the rows on another node than the tables that would be replicated, and would bypass them.
  if (here.is_citus || there.is_citus) return `${(here.is_citus ? source : target).name} is on Citus`;
  if (here.schema !== there.schema)
    return `their schemas have different names (${here.schema}, ${there.schema})`;
  if (Math.min(here.server_version, there.server_version) < FIRST_WITH_FILTERS)
    return 'replication needs PostgreSQL 15 or newer on both servers';
  if (here.wal_level !== 'logical')
    return `wal_level of the server of ${source.name} is ${here.wal_level}, not logical`;
  if (!here.may_replicate) return `the role of ${source.name} does not have the REPLICATION privilege`;
  const slots = 1 + there.sync_workers;
  if (here.free_slots < slots)
    return `${slots} replication slots of the server of ${source.name} are needed, and ${here.free_slots} are free (max_replication_slots, max_wal_senders)`;
  return null;
}
