/**
 * Who sends, in all cells: what a site's limit is divided by. The one writer of `sending_workers`, which is control's; a worker's lease
 * is its cell's. Where there is one cell, its leases say the same, and nothing is written here.
 */
import { type Sql, sql } from '../../kit/database/sql.ts';
import { LEASE_MS, liveWorkers } from '../../outbox/lease.ts';

/** By epoch; with the name of the cell where there are several, because each counts its own. */
export type WorkerName = number | string;

/** Also removes who was silent for so long that it will not come back under that name. */
const beat = sql<{ name: string }>(
  'sending_workers.beat',
  `WITH beat AS (
     INSERT INTO sending_workers (name, seen_at) VALUES ($1, now())
     ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at
   ), forgotten AS (DELETE FROM sending_workers WHERE seen_at < now() - interval '1 day')
   SELECT name FROM sending_workers WHERE seen_at > now() - $2 * interval '1 millisecond' AND name <> $1
   UNION ALL SELECT $1 ORDER BY 1`,
);

export interface SendingWorkers {
  readonly own: WorkerName;
  live(): Promise<readonly WorkerName[]>;
}

/** `cell`: null where there is one. */
export function sendingWorkers(db: Sql, epoch: number, cell: string | null): SendingWorkers {
  if (cell === null) return { own: epoch, live: () => liveWorkers(db) };
  const own = `${cell} ${epoch}`;
  return { own, live: async () => (await db.many(beat, [own, LEASE_MS])).map(({ name }) => name) };
}
