/**
 * This process's lease on what it claims: registered at the start, kept fresh by a heartbeat, given up at the end.
 *
 * States: unregistered; held; doubtful (the last heartbeat that worked is too long ago: another worker may soon take
 * this one for dead, so nothing may be claimed or handed over); lost (another one did: `onLost` is told, and `renew`
 * registers again); given up.
 *
 * After every heartbeat it looks at the other workers, and takes over from those that died.
 */
import { hostname } from 'node:os';
import type { Database } from '../database/database.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { isGone, machineId } from '../runtime/machine.ts';
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

export interface WorkerLeaseOptions {
  readonly db: Database;
  readonly log: Log;
  /** Settles what a dead worker wrote down, then gives back what it had. */
  readonly takeOver: (dead: Holder) => Promise<void>;
  /** The epochs that left a journal where this worker can read it. */
  readonly journals: () => readonly number[];
  /** Settles what such a journal says of a worker that holds nothing any more. */
  readonly tidyUp: (epoch: number) => Promise<void>;
  /** Whether something that a server took is not settled: then what this worker has stays its own until it is. */
  readonly isUnsettled: () => boolean;
  /** This worker was taken for dead. */
  readonly onLost: () => void;
}

/** A moment by both clocks: one is never set, and stands still while some machines sleep; the other is the reverse. */
interface Moment {
  readonly steadyMs: number;
  readonly wallMs: number;
}

export class WorkerLease implements Service {
  readonly name = 'worker lease';
  readonly #options: WorkerLeaseOptions;
  readonly #place: WorkerPlace = { host: hostname(), machine: machineId(), pid: process.pid };
  readonly #vigil = new FailureDetector(LEASE_MS, 2 * HEARTBEAT_INTERVAL_MS);
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> | null = null;
  #epoch: number | null = null;
  #lost = false;
  #trusted: Moment = { steadyMs: Number.NEGATIVE_INFINITY, wallMs: 0 };

  constructor(options: WorkerLeaseOptions) {
    this.#options = options;
  }

  get epoch(): number {
    if (this.#epoch === null) throw new Error('The worker has no lease yet.');
    return this.#epoch;
  }

  async start(): Promise<void> {
    await this.renew();
    await this.#look();
    this.#timer = setInterval(() => this.#tick(), HEARTBEAT_INTERVAL_MS);
  }

  /** Registers under a new epoch. What was claimed under an earlier one is not this worker's any more. */
  async renew(): Promise<void> {
    const sent = now();
    this.#epoch = await register(this.#options.db, this.#place);
    this.#trusted = sent;
    this.#lost = false;
  }

  /** Whether what was claimed under this epoch is this worker's. False as soon as another may take it for dead. */
  holds(epoch: number): boolean {
    if (this.#lost || this.#epoch !== epoch) return false;
    const { steadyMs, wallMs } = now();
    return steadyMs - this.#trusted.steadyMs < TRUST_MS && wallMs - this.#trusted.wallMs < TRUST_MS;
  }

  /** What is claimed is given back, unless something is unsettled: that is for the next worker to read in the journal. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#ticking;
    const epoch = this.#epoch;
    this.#epoch = null;
    if (epoch === null || this.#lost || this.#options.isUnsettled()) return;
    await this.#options.db.transaction((tx) => unregister(tx, epoch));
  }

  #tick(): void {
    this.#ticking ??= this.#beatAndLook().finally(() => {
      this.#ticking = null;
    });
  }

  async #beatAndLook(): Promise<void> {
    if (this.#lost) return;
    try {
      if (await this.#beat()) await this.#look();
      else this.#lose();
    } catch (error) {
      this.#vigil.interrupt();
      this.#options.log.warn({ err: error }, 'the worker lease could not reach the database');
    }
  }

  async #beat(): Promise<boolean> {
    const sent = now(); // not when the answer came: the lease runs from before that
    if (!(await heartbeat(this.#options.db, this.epoch))) return false;
    this.#trusted = sent;
    return true;
  }

  #lose(): void {
    this.#lost = true;
    this.#vigil.interrupt();
    this.#options.log.warn({ epoch: this.epoch }, 'another worker took this one for dead: registering anew');
    this.#options.onLost();
  }

  async #look(): Promise<void> {
    const { db, takeOver, tidyUp } = this.#options;
    // Before it is asked who is registered: a journal is made by those who are.
    const journals = this.#options.journals();
    const askedMs = performance.now();
    const all = await holders(db);
    const others = all.filter(({ epoch }) => epoch !== this.#epoch);
    const silent = new Set(this.#vigil.look(others, { askedMs, readMs: performance.now() }));
    const dead = others.filter((one) => silent.has(one) || isGone(one));
    for (const one of dead) await this.#orLater(one.epoch, () => takeOver(one));
    const known = new Set(all.map(({ epoch }) => epoch));
    const left = journals.filter((epoch) => !known.has(epoch));
    for (const epoch of left) await this.#orLater(epoch, () => tidyUp(epoch));
  }

  /** One that cannot be taken over, because of what is in its journal, keeps nobody from the others. */
  async #orLater(epoch: number, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.log.error(
        { err: error, epoch },
        'cannot take over from a worker that died, trying again',
      );
    }
  }
}

function now(): Moment {
  return { steadyMs: performance.now(), wallMs: Date.now() };
}
