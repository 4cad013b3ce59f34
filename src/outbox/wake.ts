/**
 * Wakes the workers. A NOTIFY takes a lock that all committing transactions share, so it is never part of the accept
 * transaction, and each process sends at most one per interval. Workers also poll: a lost wake-up costs a moment, never a
 * message.
 *
 * A wake-up may name the lanes with new mail, so that a worker claims from them at once. These lanes are only a hint: a wrong
 * lane costs an index seek, and a missing lane waits for the next poll.
 */
import type { Database } from '../database/database.ts';
import { type Sql, sql } from '../database/sql.ts';
import { type Lane, laneOf, laneText } from './lanes.ts';

export const WAKE_CHANNEL = 'postrider_outbox';
const WAKE_INTERVAL_MS = 10;
/** PostgreSQL's limit is 8,000 bytes. With this many lanes a worker finds them faster itself. */
const MAX_HINT_BYTES = 4_000;
/** The payload without lanes. */
const NO_HINT = '';
/** The payload after holds were placed or lifted. */
const HOLDS_HINT = 'holds';
/** The payload after the route table changed. */
const ROUTES_HINT = 'routes';

const notify = sql('outbox.notify', `SELECT pg_notify('${WAKE_CHANNEL}', $1)`, { home: 'either' });

/** Notifies the workers of new work, and of the lanes of new mail. May be called any number of times. */
export type Wake = (lanes?: readonly Lane[]) => void;

export async function wakeWorkers(db: Sql): Promise<void> {
  await db.exec(notify, [NO_HINT]);
}

/** Notifies the workers of changed holds; part of the transaction that changes them. */
export async function wakeForHolds(tx: Sql): Promise<void> {
  await tx.exec(notify, [HOLDS_HINT]);
}

/** Notifies the workers of a changed route table; part of the transaction that changes it. */
export async function wakeForRoutes(tx: Sql): Promise<void> {
  await tx.exec(notify, [ROUTES_HINT]);
}

export function isAboutRoutes(hint: string): boolean {
  return hint === ROUTES_HINT;
}

export function isAboutHolds(hint: string): boolean {
  return hint === HOLDS_HINT;
}

export function createWaker(db: Sql): Wake {
  let pending: Set<string> | null = null;
  let isTold = true;
  let lastMs = 0;
  const send = (): void => {
    const hint = isTold ? [...(pending ?? [])].join('\n') : NO_HINT;
    pending = null;
    isTold = true;
    lastMs = performance.now();
    db.exec(notify, [Buffer.byteLength(hint) <= MAX_HINT_BYTES ? hint : NO_HINT]).catch(() => {}); // workers also poll
  };
  return (lanes) => {
    const isFirst = pending === null;
    pending ??= new Set();
    isTold &&= lanes !== undefined;
    if (isTold) for (const lane of lanes ?? []) pending.add(laneText(lane));
    if (!isFirst) return;
    const waitMs = lastMs + WAKE_INTERVAL_MS - performance.now();
    if (waitMs <= 0) send();
    else setTimeout(send, waitMs).unref();
  };
}

/** For rare events: wakes the workers of every cell. */
export function createWakerOfAll(db: Database): () => void {
  const wakers = db.cells.map((cell) => createWaker(cell.db));
  return () => {
    for (const wake of wakers) wake();
  };
}

/** The lanes of a wake-up; undefined if it names none or cannot be parsed. */
export function lanesIn(hint: string): readonly Lane[] | undefined {
  if (hint === NO_HINT) return undefined;
  const lanes = hint.split('\n').map(laneOf);
  return lanes.every((lane) => lane !== null) ? lanes : undefined;
}
