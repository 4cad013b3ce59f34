/**
 * Replicates one organization's rows from its cell to another with PostgreSQL's logical replication: a publication that filters
 * by organization, and a subscription on the target's server, which copies the existing rows and then follows changes.
 *
 * Every function may be repeated: existing objects are left as they are.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isMissingRight } from '../../database/errors.ts';
import { adHoc, sql } from '../../database/sql.ts';
import { quotedName } from '../backup/catalog.ts';
import { type CellEnd, transactionRolledBack } from './cell-end.ts';
import { type CopyRun, literal } from './copy-rows.ts';
import { MoveError } from './move-error.ts';
import type { MovingTable } from './moving-tables.ts';
import type { WaitLimit } from './wait-until-idle.ts';

const CHECK_INTERVAL_MS = 10;
const MAX_ERRORS = 3;
/** PostgreSQL restarts the process that reads the log after 5 s, whatever ended it. */
const READ_WITHIN_MS = 60_000;
const LET_GO_WITHIN_MS = 10_000;

const findPublication = sql<{ found: boolean }>(
  'moves.publication',
  'SELECT EXISTS (SELECT FROM pg_publication WHERE pubname = $1) AS found',
  { home: 'either' },
);

const findSlot = sql<{ active: boolean; active_pid: number | null }>(
  'moves.slot',
  'SELECT active, active_pid FROM pg_replication_slots WHERE slot_name = $1',
  { home: 'either' },
);

const createSlot = sql('moves.create_slot', `SELECT pg_create_logical_replication_slot($1, 'pgoutput')`, {
  home: 'either',
});

const selectSubscriptions = sql<{ server: string; ids: string[] }>(
  'moves.subscriptions',
  `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS server,
          ARRAY(SELECT oid::text FROM pg_subscription) AS ids`,
  { home: 'either' },
);

/** Slots that PostgreSQL makes for the first copy of each table: pg_SUBSCRIPTION_sync_TABLE_SERVER, where SERVER is the subscriber. */
const selectOrphanedSlots = sql<{ name: string }>(
  'moves.orphaned_slots',
  `SELECT slot_name::text AS name FROM pg_replication_slots
   WHERE database = current_database() AND slot_name::text ~ ('^pg_[0-9]+_sync_[0-9]+_' || $1::text || '$')
     AND split_part(slot_name::text, '_', 2) <> ALL ($2::text[])`,
  { home: 'either' },
);

const dropSlot = sql('moves.drop_slot', 'SELECT pg_drop_replication_slot($1)', { home: 'either' });

const endSender = sql('moves.end_sender', 'SELECT pg_terminate_backend($1::int)', { home: 'either' });

/** Names are unique per database, but the catalog table covers the whole server. */
const findSubscription = sql<{ found: boolean }>(
  'moves.subscription',
  `SELECT EXISTS (SELECT FROM pg_subscription
                  WHERE subname = $1 AND subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())) AS found`,
  { home: 'either' },
);

const countTables = sql<{ count: number }>(
  'moves.subscribed_tables',
  `SELECT count(*) AS count FROM pg_subscription_rel r JOIN pg_subscription s ON s.oid = r.srsubid
   WHERE s.subname = $1 AND s.subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  { home: 'either' },
);

const selectSynced = sql<{ ready: number; total: number; errors: number }>(
  'moves.synced',
  `SELECT count(*) FILTER (WHERE r.srsubstate = 'r') AS ready, count(*) AS total,
          coalesce(max(t.apply_error_count + t.sync_error_count), 0)::bigint AS errors
   FROM pg_subscription s JOIN pg_subscription_rel r ON r.srsubid = s.oid
   LEFT JOIN pg_stat_subscription_stats t ON t.subid = s.oid
   WHERE s.subname = $1`,
  { home: 'either' },
);

/** Writes a mark that is committed and on the disk after everything committed before it. */
const markLog = sql<{ lsn: string }>(
  'moves.mark_log',
  `SELECT pg_logical_emit_message(true, 'postrider.move', '')::text AS lsn`,
  { home: 'either' },
);

const isReplayed = sql<{ done: boolean }>(
  'moves.is_replayed',
  `SELECT EXISTS (SELECT FROM pg_stat_replication WHERE application_name = $1 AND replay_lsn >= $2::text::pg_lsn)
       OR EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = $1 AND confirmed_flush_lsn >= $2::text::pg_lsn) AS done`,
  { home: 'either' },
);

/** The name of the publication, the slot and the subscription. */
function nameOf(organizationId: string): string {
  return `postrider_${organizationId.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')}`;
}

/**
 * Throws if the target cannot subscribe to the source. Removes everything that it created. Only trying shows which rights a
 * managed server grants, where an address leads from the target, and whom the server at that address admits.
 */
export async function trySubscribing(
  run: CopyRun,
  tables: readonly MovingTable[],
  reach: string,
): Promise<void> {
  const { source, target, organizationId } = run;
  const name = nameOf(organizationId);
  await removePublication(source, name); // left by a process that was killed while it tried
  try {
    await publish(run, tables);
    await transactionRolledBack(target, async () => {
      await subscribe(run, reach, { isTried: true });
      const { count } = await target.db.one(countTables, [name]);
      if (count < tables.length) throw new MoveError(leadsElsewhere(run));
    });
  } finally {
    await removePublication(source, name).catch(() => undefined); // after an error, the first error has the cause
  }
}

/** `reach`: the source's address as seen from the target's server. The target has none of these rows. */
export async function beginReplication(
  run: CopyRun,
  tables: readonly MovingTable[],
  reach: string,
): Promise<void> {
  const { source, organizationId } = run;
  const name = nameOf(organizationId);
  if (!(await source.db.one(findPublication, [name])).found) await publish(run, tables);
  // Created separately, because a subscription to a database of the same server would wait for itself.
  if ((await source.db.maybeOne(findSlot, [name])) === undefined) await source.db.exec(createSlot, [name]);
  await subscribe(run, reach, { isTried: false });
}

async function publish({ source, organizationId }: CopyRun, tables: readonly MovingTable[]): Promise<void> {
  const mine = tables.map(
    (table) => `${quotedName(table.name)} WHERE (organization_id = ${literal(organizationId)})`,
  );
  const publication = `${nameOf(organizationId)} FOR TABLE ${mine.join(', ')}`;
  await source.db
    .exec(adHoc(`CREATE PUBLICATION ${publication} WITH (publish_via_partition_root = true)`))
    .catch((error: Error) => {
      throw new MoveError(
        `The role of ${source.name} cannot publish its tables: ${firstLine(error)}. ` +
          'It has to own them, and needs CREATE on the database. Or move with --offline.',
      );
    });
}

/** A trial subscription does not start to read. */
async function subscribe(
  { source, target, organizationId }: CopyRun,
  reach: string,
  { isTried }: { readonly isTried: boolean },
): Promise<void> {
  const name = nameOf(organizationId);
  const settings = `create_slot = false, slot_name = '${name}', enabled = ${!isTried}`;
  await target.db
    .exec(
      adHoc(
        `CREATE SUBSCRIPTION ${name} CONNECTION ${literal(toPrimary(reach))} PUBLICATION ${name} WITH (${settings})`,
      ),
    )
    .catch((error: Error) => {
      if (/hot standby mode/.test(error.message)) throw new MoveError(leadsToStandby(source, target));
      const fix = isMissingRight(error)
        ? `The role of ${target.name} must be a superuser or, on PostgreSQL 16 and newer, a member of pg_create_subscription with CREATE on the database. ` +
          'Grant that, or move with --offline.'
        : 'Pass a reachable address with --reach, or move with --offline.';
      throw new MoveError(
        `The server of ${target.name} cannot subscribe to that of ${source.name}: ${firstLine(error)}. ${fix}`,
      );
    });
}

/**
 * Has libpq reject a standby, and choose the primary of several hosts. A standby has the publication, so subscribing to it
 * succeeds; but the slot is on the primary, and the subscription would wait forever.
 */
function toPrimary(reach: string): string {
  const others = reach.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '');
  return `${others}${others.includes('?') ? '&' : '?'}target_session_attrs=primary`;
}

function leadsToStandby(source: CellEnd, target: CellEnd): string {
  return (
    `The address that ${target.name} uses for the server of ${source.name} is the address of a standby. ` +
    'Pass the address of the primary with --reach, or move with --offline.'
  );
}

/** The following lines are hints for psql users. */
function firstLine({ message }: Error): string {
  return message.split('\n')[0] ?? message;
}

function leadsElsewhere({ source, target }: CopyRun): string {
  return (
    `The address that ${target.name} uses for the server of ${source.name} is the address of another database. ` +
    'Pass the right address with --reach, or move with --offline.'
  );
}

export async function isReplicating({ db }: CellEnd, organizationId: string): Promise<boolean> {
  return (await db.one(findSubscription, [nameOf(organizationId)])).found;
}

/**
 * Resolves when the target has all existing rows and follows new ones. Gives up on a target that has not read the source's log
 * for `withinMs`, because `pg_stat_subscription_stats` counts no error for an unreachable address.
 */
export async function firstCopied(
  { source, target, organizationId }: CopyRun,
  { withinMs = READ_WITHIN_MS, signal }: Partial<WaitLimit> & Pick<WaitLimit, 'signal'>,
  onProgress: (ready: number, total: number) => void,
): Promise<void> {
  const name = nameOf(organizationId);
  let readAt = performance.now();
  for (;;) {
    const { ready, total, errors } = await target.db.one(selectSynced, [name]);
    if (total > 0 && ready === total) return;
    if (errors >= MAX_ERRORS)
      throw new MoveError(`Rows cannot be written to ${target.name}; the log of its server says why.`);
    if ((await source.db.maybeOne(findSlot, [name]))?.active) readAt = performance.now();
    if (performance.now() - readAt > withinMs)
      throw new MoveError(
        `The server of ${target.name} has not read the log of ${source.name} for ${withinMs / 1_000} s; the log of ${target.name}'s server says why. ` +
          'Run the command again to wait longer, or with --abandon to undo the move.',
      );
    onProgress(ready, total);
    await sleep(CHECK_INTERVAL_MS * 10, undefined, { signal });
  }
}

/** Resolves when the target has everything that is committed in the source now. */
export async function caughtUp(
  { source, organizationId }: CopyRun,
  { withinMs, signal }: WaitLimit,
): Promise<void> {
  const began = performance.now();
  const { lsn } = await source.db.one(markLog);
  for (;;) {
    if ((await source.db.one(isReplayed, [nameOf(organizationId), lsn])).done) return;
    if (performance.now() - began > withinMs)
      throw new MoveError(`The other cell has not caught up within ${withinMs} ms.`);
    await sleep(CHECK_INTERVAL_MS, undefined, { signal });
  }
}

/** From now on changes of the source's rows no longer reach the target. */
export async function endReplication({ source, target, organizationId }: CopyRun): Promise<void> {
  const name = nameOf(organizationId);
  if (await isReplicating(target, organizationId)) {
    await target.db.exec(adHoc(`ALTER SUBSCRIPTION ${name} DISABLE`));
    await target.db.exec(adHoc(`ALTER SUBSCRIPTION ${name} SET (slot_name = NONE)`));
    await target.db.exec(adHoc(`DROP SUBSCRIPTION ${name}`));
  }
  await removeSlot(source, name);
  await removeOrphanedSlots(source, target);
  await removePublication(source, name);
}

/**
 * DROP SUBSCRIPTION leaves these slots behind without an error if it cannot reach the source, and they keep its log from being
 * removed.
 */
async function removeOrphanedSlots(source: CellEnd, target: CellEnd): Promise<void> {
  const { server, ids } = await target.db.one(selectSubscriptions);
  for (const { name } of await source.db.many(selectOrphanedSlots, [server, ids]))
    await removeSlot(source, name);
}

async function removePublication({ db }: CellEnd, name: string): Promise<void> {
  await db.exec(adHoc(`DROP PUBLICATION IF EXISTS ${name}`));
}

async function removeSlot({ db }: CellEnd, name: string): Promise<void> {
  const began = performance.now();
  for (;;) {
    const slot = await db.maybeOne(findSlot, [name]);
    if (slot === undefined) return;
    if (!slot.active) {
      await db.exec(dropSlot, [name]);
      return;
    }
    if (performance.now() - began > LET_GO_WITHIN_MS) await db.exec(endSender, [slot.active_pid]);
    await sleep(CHECK_INTERVAL_MS * 10);
  }
}
