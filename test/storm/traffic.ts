/**
 * How much mail the installation has at this moment, looked at several times a second. While the database does not answer,
 * the last count stands: nobody can claim or settle anything then.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import type { Outside } from './outside.ts';
import { isRunning } from './processes.ts';

const EVERY_MS = 100;

interface Counted {
  readonly waiting: number;
  /** Deliveries that workers have claimed, by the process id of the worker. */
  readonly claimed: Readonly<Record<string, number>>;
}

const selectCounted = adHoc<Counted>(
  `SELECT (SELECT count(*) FROM outbox WHERE worker IS NULL AND due_at <= now()) AS waiting,
          (SELECT coalesce(json_object_agg(pid, deliveries), '{}')
           FROM (SELECT w.pid, count(*) AS deliveries FROM outbox o JOIN workers w ON w.epoch = o.worker
                 GROUP BY w.pid) AS by_worker) AS claimed`,
);

export class Traffic {
  readonly #db: Database;
  readonly #outside: Pick<Outside, 'count'>;
  readonly #stopped = new AbortController();
  #counted: Counted = { waiting: 0, claimed: {} };
  #delivered = 0;
  #deliveredAtStrike = 0;

  constructor(db: Database, outside: Pick<Outside, 'count'>) {
    this.#db = db;
    this.#outside = outside;
    void this.#look();
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** Deliveries that workers which run have claimed: all of them, or one worker's. */
  inHand(ofPid?: number): number {
    const workers = Object.entries(this.#counted.claimed).map(([pid, n]) => ({ pid: Number(pid), n }));
    const counted = workers.filter(({ pid }) => (ofPid === undefined ? isRunning(pid) : pid === ofPid));
    return counted.reduce((sum, { n }) => sum + n, 0);
  }

  /** Deliveries that could be made now: claimed, or due and waiting for a worker. */
  get due(): number {
    return this.#counted.waiting + this.inHand();
  }

  /** Deliveries since the last fault. */
  get sinceStrike(): number {
    return this.#delivered - this.#deliveredAtStrike;
  }

  noteStrike(): void {
    this.#deliveredAtStrike = this.#delivered;
  }

  /** Waits until so many deliveries are in hand, and so many were made since the last fault. False when it took too long. */
  async met({ inHand, made }: { inHand: number; made: number }, withinMs: number): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    while (this.inHand() < inHand || this.sinceStrike < made) {
      if (performance.now() > deadline || this.#stopped.signal.aborted) return false;
      await sleep(EVERY_MS / 4);
    }
    return true;
  }

  async #look(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      void this.#outside.count().then(({ taken }) => {
        this.#delivered = taken;
      }, noCount);
      this.#counted = await this.#db.one(selectCounted).catch(() => this.#counted);
      await sleep(EVERY_MS);
    }
  }
}

/** The storm is told by `Outside.failed`. */
function noCount(): void {}
