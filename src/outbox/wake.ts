/**
 * Waking the workers. A NOTIFY takes a lock that all committing transactions share, so it is never part of the
 * accept transaction, and each process sends at most one per interval. Workers poll anyway: a lost wake-up costs
 * a moment, never a message.
 */
import { type Sql, sql } from '../kit/database/sql.ts';

export const WAKE_CHANNEL = 'postrider_outbox';
const WAKE_INTERVAL_MS = 10;

const notify = sql('outbox.notify', `SELECT pg_notify('${WAKE_CHANNEL}', '')`);

/** Wakes them once, now. */
export async function wakeWorkers(db: Sql): Promise<void> {
  await db.exec(notify);
}

/** Returns a function that may be called as often as one likes. */
export function createWaker(db: Sql): () => void {
  let pending = false;
  let lastMs = 0;
  const send = (): void => {
    pending = false;
    lastMs = performance.now();
    db.exec(notify).catch(() => {}); // workers poll
  };
  return () => {
    if (pending) return;
    pending = true;
    const waitMs = lastMs + WAKE_INTERVAL_MS - performance.now();
    if (waitMs <= 0) send();
    else setTimeout(send, waitMs).unref();
  };
}
