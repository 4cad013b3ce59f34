/**
 * The lease belongs to the worker, not to the row: one heartbeat per process renews everything it claimed. After another worker
 * has watched it be silent for a whole lease (failure-detector.ts), that worker takes over its rows.
 */
import { knownSchema } from '../database/migrate.ts';
import { type Sql, sql } from '../database/sql.ts';

export const HEARTBEAT_INTERVAL_MS = 3_000;
/** Five missed heartbeats. Together with the time between two checks, a takeover stays well under the promised 30 seconds. */
export const LEASE_MS = 15_000;
/** How long a worker trusts its last heartbeat. The rest of the lease tolerates clocks that run at different speeds. */
export const TRUST_MS = LEASE_MS / 2;

export interface WorkerPlace {
  readonly host: string;
  readonly machine: string;
  readonly pid: number;
}

/** A registered worker, or an unregistered holder of claims, whose place is unknown. */
export interface Holder {
  readonly epoch: number;
  /** Changes with every heartbeat; null without a registration. */
  readonly beat: string | null;
  readonly machine: string;
  readonly pid: number;
}

const registerWorker = sql<{ epoch: number }>(
  'workers.register',
  'INSERT INTO workers (host, machine, pid, schema) VALUES ($1, $2, $3, $4) RETURNING epoch',
  { home: 'cell' },
);

const beat = sql(
  'workers.heartbeat',
  'UPDATE workers SET heartbeat_at = statement_timestamp() WHERE epoch = $1',
  { home: 'cell' },
);

const leave = sql('workers.leave', 'DELETE FROM workers WHERE epoch = $1', { home: 'cell' });

const BEAT = 'extract(epoch FROM heartbeat_at)::text';

/** Locked, so that a concurrent heartbeat waits and then finds that its row is gone. */
const lockWorker = sql<{ beat: string }>(
  'workers.lock',
  `SELECT ${BEAT} AS beat FROM workers WHERE epoch = $1 FOR UPDATE`,
  { home: 'cell' },
);

const releaseAll = sql('outbox.reclaim_worker', 'UPDATE outbox SET worker = NULL WHERE worker = $1', {
  home: 'cell',
});

/** Queries for holders skip through the index of claimed rows by distinct epoch, not by row. */
const selectHolders = sql<Holder>(
  'workers.holders',
  `WITH RECURSIVE mail AS (
     (SELECT worker FROM outbox WHERE worker IS NOT NULL ORDER BY worker LIMIT 1)
     UNION ALL
     SELECT (SELECT o.worker FROM outbox o WHERE o.worker > mail.worker ORDER BY o.worker LIMIT 1)
     FROM mail WHERE mail.worker IS NOT NULL
   ), webhook AS (
     (SELECT worker FROM webhook_deliveries WHERE worker IS NOT NULL ORDER BY worker LIMIT 1)
     UNION ALL
     SELECT (SELECT d.worker FROM webhook_deliveries d WHERE d.worker > webhook.worker ORDER BY d.worker LIMIT 1)
     FROM webhook WHERE webhook.worker IS NOT NULL
   ), holding AS (SELECT worker FROM mail UNION SELECT worker FROM webhook)
   SELECT epoch, ${BEAT} AS beat, machine, pid FROM workers
   UNION ALL
   SELECT worker, NULL, '', 0 FROM holding
   WHERE worker IS NOT NULL AND NOT EXISTS (SELECT FROM workers WHERE epoch = worker)`,
  { home: 'cell' },
);

const selectLive = sql<{ epoch: number }>(
  'workers.live',
  `SELECT epoch FROM workers WHERE heartbeat_at > now() - $1 * interval '1 millisecond' ORDER BY epoch`,
  { home: 'cell' },
);

const selectEarlier = sql<{ found: boolean }>(
  'workers.earlier',
  'SELECT EXISTS (SELECT FROM workers WHERE schema IS NULL OR schema < $1) AS found',
  { home: 'cell' },
);

/** Whether a worker is registered that does not know this schema, as during an online upgrade. */
export async function hasEarlierWorker(db: Sql, schema: number): Promise<boolean> {
  return (await db.one(selectEarlier, [schema])).found;
}

export async function liveWorkers(db: Sql): Promise<number[]> {
  return (await db.many(selectLive, [LEASE_MS])).map((row) => row.epoch);
}

export async function register(db: Sql, { host, machine, pid }: WorkerPlace): Promise<number> {
  return (await db.one(registerWorker, [host, machine, pid, knownSchema()])).epoch;
}

/** False if the worker's row is gone: another worker declared it dead, and it must claim under a new epoch. */
export async function heartbeat(db: Sql, epoch: number): Promise<boolean> {
  return (await db.exec(beat, [epoch])) === 1;
}

/** All registered workers, and unregistered holders of claims. */
export function holders(db: Sql): Promise<Holder[]> {
  return db.many(selectHolders);
}

/** For a clean end: no claims are left under this epoch. */
export async function unregister(tx: Sql, epoch: number): Promise<void> {
  await tx.exec(releaseAll, [epoch]);
  await tx.exec(leave, [epoch]);
}

/**
 * Takes over all queue rows of a worker that was found dead. Returns their number, or null if the worker has sent a heartbeat
 * since it was checked.
 */
export async function takeAway(
  tx: Sql,
  { epoch, beat: seen }: Pick<Holder, 'epoch' | 'beat'>,
): Promise<number | null> {
  const current = await tx.maybeOne(lockWorker, [epoch]);
  if (current !== undefined && current.beat !== seen) return null;
  const rows = await tx.exec(releaseAll, [epoch]);
  await tx.exec(leave, [epoch]);
  return rows;
}
