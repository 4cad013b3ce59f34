/** Waiting until other workers have claimed what a frozen worker had in hand. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';

const POLL_MS = 25;
/** Enough that some of them are not delivered yet when the frozen worker goes on. */
const ENOUGH = 10;

interface Key {
  readonly email_id: string;
  readonly position: number;
}

const selectClaimed = adHoc<Key>(
  `SELECT o.email_id, o.position FROM outbox o JOIN workers w ON w.epoch = o.worker WHERE w.pid = $1`,
);

const countTakenOver = adHoc<{ deliveries: number }>(
  `SELECT count(*) AS deliveries
   FROM outbox o JOIN workers w ON w.epoch = o.worker
   JOIN unnest($2::uuid[], $3::smallint[]) AS frozen(email_id, position) USING (email_id, position)
   WHERE w.pid <> $1`,
);

export async function untilTakenOver(db: Database, pid: number, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  const had = await db.many(selectClaimed, [pid]).catch(() => []);
  const keys = [had.map((one) => one.email_id), had.map((one) => one.position)];
  while (had.length > 0 && performance.now() < deadline) {
    const { deliveries } = await db.one(countTakenOver, [pid, ...keys]).catch(() => ({ deliveries: 0 }));
    if (deliveries >= Math.min(ENOUGH, had.length)) return;
    await sleep(POLL_MS);
  }
}
