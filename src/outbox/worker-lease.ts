/**
 * This process's lease on its claims: registered at the start, renewed by a heartbeat, given up at the end.
 *
 * States: unregistered; held; doubtful (the last successful heartbeat is too long ago: another worker may soon declare this one
 * dead, so it must not claim or send); lost (another worker declared it dead: calls `onLost`, and `renew` registers again);
 * given up.
 *
 * After every heartbeat it checks the other workers, and takes over from dead ones.
 */
import { hostname } from 'node:os';
import type { Database } from '../database/database.ts';
import { type ClockReading, readClocks } from '../runtime/clock.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { isGone, machineId } from '../runtime/machine.ts';
import { SharedRun } from '../runtime/single-flight.ts';
import { FailureDetector } from './failure-detector.ts';
import {
  HEARTBEAT_INTERVAL_MS,
  type Holder,
  heartbeat,
  holders,
  LEASE_MS,
  register,
  TRUST_MS,
  unregister,
  type WorkerPlace,
} from './lease.ts';

interface WorkerLeaseOptions {
  readonly db: Database;
  readonly log: Log;
  /** Settles the entries of a dead worker's journal, then releases its rows. */
  readonly takeOver: (dead: Holder) => Promise<void>;
  /** The epochs with a journal that this worker can read. */
  readonly journals: () => readonly number[];
  /** Settles the journal of a worker without any claims left. */
  readonly tidyUp: (epoch: number) => Promise<void>;
  /** Whether an accepted message is not settled. This worker then keeps its claims until it is. */
  readonly isUnsettled: () => boolean;
  /** Called when another worker declared this one dead. */
  readonly onLost: () => void;
}

export class WorkerLease implements Service {
  readonly name = 'worker lease';
  readonly #options: WorkerLeaseOptions;
  readonly #place: WorkerPlace = { host: hostname(), machine: machineId(), pid: process.pid };
  readonly #detector = new FailureDetector(LEASE_MS, 2 * HEARTBEAT_INTERVAL_MS);
  #timer: NodeJS.Timeout | undefined;
  readonly #ticking = new SharedRun(() => this.#beatAndCheck());
  #epoch: number | null = null;
  #lost = false;
  #trusted: ClockReading = { steadyMs: Number.NEGATIVE_INFINITY, wallMs: 0 };

  constructor(options: WorkerLeaseOptions) {
    this.#options = options;
  }

  get epoch(): number {
    if (this.#epoch === null) throw new Error('The worker has no lease yet.');
    return this.#epoch;
  }

  async start(): Promise<void> {
    await this.renew();
    await this.#checkOthers();
    this.#timer = setInterval(() => void this.#ticking.run(), HEARTBEAT_INTERVAL_MS);
  }

  /** Registers under a new epoch. This worker no longer owns claims under an earlier epoch. */
  async renew(): Promise<void> {
    const sent = readClocks();
    this.#epoch = await register(this.#options.db, this.#place);
    this.#trusted = sent;
    this.#lost = false;
  }

  /** Whether this worker owns the claims under this epoch. False as soon as another worker may declare it dead. */
  holds(epoch: number): boolean {
    if (this.#lost || this.#epoch !== epoch) return false;
    const { steadyMs, wallMs } = readClocks();
    return steadyMs - this.#trusted.steadyMs < TRUST_MS && wallMs - this.#trusted.wallMs < TRUST_MS;
  }

  /** Releases the claims, unless an outcome is unsettled: the next worker reads that outcome in the journal. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#ticking.settled();
    const epoch = this.#epoch;
    this.#epoch = null;
    if (epoch === null || this.#lost || this.#options.isUnsettled()) return;
    await this.#options.db.transaction((tx) => unregister(tx, epoch));
  }

  async #beatAndCheck(): Promise<void> {
    if (this.#lost) return;
    try {
      if (await this.#beat()) await this.#checkOthers();
      else this.#lose();
    } catch (error) {
      this.#detector.interrupt();
      this.#options.log.warn({ err: error }, 'the worker lease could not reach the database');
    }
  }

  async #beat(): Promise<boolean> {
    const sent = readClocks(); // not the time of the answer: the lease starts earlier
    if (!(await heartbeat(this.#options.db, this.epoch))) return false;
    this.#trusted = sent;
    return true;
  }

  #lose(): void {
    this.#lost = true;
    this.#detector.interrupt();
    this.#options.log.warn(
      { epoch: this.epoch },
      'another worker declared this worker dead; registering again',
    );
    this.#options.onLost();
  }

  async #checkOthers(): Promise<void> {
    const { db, takeOver, tidyUp } = this.#options;
    // Read before the registered workers: only registered workers create journals.
    const journals = this.#options.journals();
    const askedMs = performance.now();
    const all = await holders(db);
    const others = all.filter(({ epoch }) => epoch !== this.#epoch);
    const silent = new Set(this.#detector.look(others, { askedMs, readMs: performance.now() }));
    const dead = others.filter((one) => silent.has(one) || isGone(one));
    for (const one of dead) await this.#attempt(one.epoch, () => takeOver(one));
    const known = new Set(all.map(({ epoch }) => epoch));
    const left = journals.filter((epoch) => !known.has(epoch));
    for (const epoch of left) await this.#attempt(epoch, () => tidyUp(epoch));
  }

  /** A worker whose journal prevents its takeover must not block the takeover of others. */
  async #attempt(epoch: number, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.log.error({ err: error, epoch }, 'cannot take over from a worker that died; retrying');
    }
  }
}
