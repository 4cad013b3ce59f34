/**
 * Waking the workers. A NOTIFY takes a lock that all committing transactions share, so it is never part of the
 * accept transaction, and each process sends at most one per interval. Workers poll anyway: a lost wake-up costs
 * a moment, never a message.
 *
 * A wake-up may say which lanes have new mail, so that a worker claims from them without looking first. That is a hint
 * and no more: a lane that is not there costs an index seek, one that was left out waits for the next look.
 */
import type { Database } from '../database/database.ts';
import { type Sql, sql } from '../database/sql.ts';
import { type Lane, laneOf, laneText } from './lanes.ts';

export const WAKE_CHANNEL = 'postrider_outbox';
const WAKE_INTERVAL_MS = 10;
/** PostgreSQL takes fewer than 8,000 bytes. Whoever is told of so many lanes had better look for himself. */
const MAX_HINT_BYTES = 4_000;
/** What a worker reads where the lanes are not said. */
const NO_HINT = '';
/** What it reads where holds were placed or lifted. */
const HOLDS_HINT = 'holds';
/** What it reads where the route table was changed. */
const ROUTES_HINT = 'routes';

const notify = sql('outbox.notify', `SELECT pg_notify('${WAKE_CHANNEL}', $1)`, { home: 'either' });

/** Tells the workers that there is something new; of new mail, its lanes. May be called as often as one likes. */
export type Wake = (lanes?: readonly Lane[]) => void;

/** Wakes them once, now. */
export async function wakeWorkers(db: Sql): Promise<void> {
  await db.exec(notify, [NO_HINT]);
}

/** Tells them that holds have changed; part of the transaction that changes them. */
export async function wakeForHolds(tx: Sql): Promise<void> {
  await tx.exec(notify, [HOLDS_HINT]);
}

/** Tells them that the route table has changed; part of the transaction that changes it. */
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
    db.exec(notify, [Buffer.byteLength(hint) <= MAX_HINT_BYTES ? hint : NO_HINT]).catch(() => {}); // workers poll
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

/** For what happens so rarely that everybody may look: it wakes the workers of every cell. */
export function createWakerOfAll(db: Database): () => void {
  const wakers = db.cells.map((cell) => createWaker(cell.db));
  return () => {
    for (const wake of wakers) wake();
  };
}

/** The lanes that a wake-up tells of; undefined where it tells of none, or nothing that can be read. */
export function lanesIn(hint: string): readonly Lane[] | undefined {
  if (hint === NO_HINT) return undefined;
  const lanes = hint.split('\n').map(laneOf);
  return lanes.every((lane) => lane !== null) ? lanes : undefined;
}
