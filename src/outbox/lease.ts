/**
 * The lease belongs to the worker, not to the row: one heartbeat per process keeps everything it claimed. When
 * the heartbeat goes stale, whoever notices first gives the dead worker's rows back to the queue.
 */
import { type Sql, sql } from '../database/sql.ts';

export const HEARTBEAT_INTERVAL_MS = 3_000;
/** Five missed heartbeats. With the reclaim interval this stays well under the 30 seconds we promise. */
export const LEASE_MS = 15_000;
/** Forget workers that died long ago. */
const WORKER_HISTORY = '1 day';

const registerWorker = sql<{ epoch: number }>(
  'workers.register',
  'INSERT INTO workers (host, pid) VALUES ($1, $2) RETURNING epoch',
);

const beat = sql('workers.heartbeat', 'UPDATE workers SET heartbeat_at = now() WHERE epoch = $1');

const leave = sql('workers.leave', 'DELETE FROM workers WHERE epoch = $1');

const giveBack = sql('outbox.reclaim_worker', 'UPDATE outbox SET worker = NULL WHERE worker = $1');

/**
 * Rows claimed under an epoch that has no fresh heartbeat, or no row at all. The walk goes by distinct epoch
 * (the index of claimed rows), not by row.
 */
const reclaimDead = sql(
  'outbox.reclaim_dead',
  `WITH RECURSIVE holder AS (
     (SELECT worker FROM outbox WHERE worker IS NOT NULL ORDER BY worker LIMIT 1)
     UNION ALL
     SELECT (SELECT o.worker FROM outbox o WHERE o.worker > holder.worker ORDER BY o.worker LIMIT 1)
     FROM holder WHERE holder.worker IS NOT NULL
   ), dead AS (
     SELECT holder.worker FROM holder
     LEFT JOIN workers w ON w.epoch = holder.worker
     WHERE holder.worker IS NOT NULL
       AND (w.epoch IS NULL OR w.heartbeat_at < now() - $1 * interval '1 millisecond')
   )
   UPDATE outbox SET worker = NULL FROM dead WHERE outbox.worker = dead.worker`,
);

const forgetDead = sql(
  'workers.forget',
  `DELETE FROM workers WHERE heartbeat_at < now() - interval '${WORKER_HISTORY}'`,
);

const selectWorker = sql<{ host: string; pid: number; stale: boolean }>(
  'workers.by_epoch',
  `SELECT host, pid, heartbeat_at < now() - $2 * interval '1 millisecond' AS stale FROM workers WHERE epoch = $1`,
);

const selectLive = sql<{ epoch: number }>(
  'workers.live',
  `SELECT epoch FROM workers WHERE heartbeat_at > now() - $1 * interval '1 millisecond' ORDER BY epoch`,
);

/** The epochs of the workers that may be delivering now. */
export async function liveWorkers(db: Sql): Promise<number[]> {
  return (await db.many(selectLive, [LEASE_MS])).map((row) => row.epoch);
}

/** Whether the worker of this epoch is gone: unknown, silent for a whole lease, or not running on this machine. */
export async function isDead(
  db: Sql,
  epoch: number,
  here: { readonly host: string; readonly isRunning: (pid: number) => boolean },
): Promise<boolean> {
  const worker = await db.maybeOne(selectWorker, [epoch, LEASE_MS]);
  return worker === undefined || worker.stale || (worker.host === here.host && !here.isRunning(worker.pid));
}

export async function register(db: Sql, host: string, pid: number): Promise<number> {
  return (await db.one(registerWorker, [host, pid])).epoch;
}

/** False when the worker's row is gone: it was taken for dead, and must claim under a new epoch. */
export async function heartbeat(db: Sql, epoch: number): Promise<boolean> {
  return (await db.exec(beat, [epoch])) === 1;
}

/** A clean end: nothing is claimed under this epoch any more. */
export async function unregister(db: Sql, epoch: number): Promise<void> {
  await db.exec(giveBack, [epoch]);
  await db.exec(leave, [epoch]);
}

/** Gives the rows of dead workers back. Returns how many. */
export async function reclaim(db: Sql): Promise<number> {
  const rows = await db.exec(reclaimDead, [LEASE_MS]);
  await db.exec(forgetDead);
  return rows;
}
