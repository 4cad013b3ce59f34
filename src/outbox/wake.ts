/**
 * Wakes the workers. A NOTIFY takes a lock that all notifying transactions share until they are on disk, so each process sends at
 * most one per interval, and only a lone request sends it with its own commit. Workers also poll: a lost wake-up costs a moment,
 * never a message.
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

const notify = sql('outbox.notify', `SELECT ${notifyCall('$1')}`, { home: 'either' });

/** SQL that wakes the workers when its transaction commits. */
export function notifyCall(hint: string): string {
  return `pg_notify('${WAKE_CHANNEL}', ${hint})`;
}

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

/** Sends at most one notification per interval. What comes in between goes together with the next. */
export class Waker {
  readonly #db: Sql;
  #pending: Set<string> | null = null;
  /** Whether all pending calls named their lanes. */
  #isTold = true;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(db: Sql) {
    this.#db = db;
  }

  wake(lanes?: readonly Lane[]): void {
    const isFirst = this.#pending === null;
    this.#pending ??= new Set();
    this.#isTold &&= lanes !== undefined;
    if (this.#isTold) for (const lane of lanes ?? []) this.#pending.add(laneText(lane));
    if (!isFirst) return;
    const waitMs = this.#lastMs + WAKE_INTERVAL_MS - performance.now();
    if (waitMs <= 0) this.#send();
    else setTimeout(() => this.#send(), waitMs).unref();
  }

  /** The payload of a notification that a transaction sends with its commit. Null if one was sent a moment ago: call `wake` then. */
  withCommit(lanes: readonly Lane[]): string | null {
    const nowMs = performance.now();
    if (this.#pending !== null || nowMs < this.#lastMs + WAKE_INTERVAL_MS) return null;
    this.#lastMs = nowMs;
    return payloadOf(new Set(lanes.map(laneText)));
  }

  #send(): void {
    const hint = this.#isTold ? payloadOf(this.#pending ?? []) : NO_HINT;
    this.#pending = null;
    this.#isTold = true;
    this.#lastMs = performance.now();
    this.#db.exec(notify, [hint]).catch(() => {}); // workers also poll
  }
}

export function createWaker(db: Sql): Wake {
  const waker = new Waker(db);
  return (lanes) => waker.wake(lanes);
}

function payloadOf(lanes: Iterable<string>): string {
  const hint = [...lanes].join('\n');
  return Buffer.byteLength(hint) <= MAX_HINT_BYTES ? hint : NO_HINT;
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
