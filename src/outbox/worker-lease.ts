/**
 * This process's lease on what it claims: registered at the start, kept fresh by a heartbeat, given up at the end.
 *
 * States: unregistered, held, doubtful (the last heartbeat that worked is more than half a lease ago: another
 * worker may soon take this one for dead, so nothing new may be sent), given up.
 */
import { hostname } from 'node:os';
import type { Database } from '../database/database.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { HEARTBEAT_INTERVAL_MS, heartbeat, LEASE_MS, reclaim, register, unregister } from './lease.ts';

export interface WorkerLeaseOptions {
  readonly db: Database;
  readonly log: Log;
  /** What must happen before the rows of dead workers are given back: replaying their journals. */
  readonly beforeReclaim: (ownEpoch: number | null) => Promise<void>;
}

const RECLAIM_INTERVAL_MS = 5_000;

export class WorkerLease implements Service {
  readonly name = 'worker lease';
  readonly #options: WorkerLeaseOptions;
  readonly #timers: NodeJS.Timeout[] = [];
  #epoch: number | null = null;
  #lastBeatMs = 0;
  #busy = { beat: false, reclaim: false };

  constructor(options: WorkerLeaseOptions) {
    this.#options = options;
  }

  get epoch(): number {
    if (this.#epoch === null) throw new Error('The worker has no lease yet.');
    return this.#epoch;
  }

  async start(): Promise<void> {
    await this.#options.beforeReclaim(this.#epoch);
    this.#lastBeatMs = performance.now();
    this.#epoch = await register(this.#options.db, hostname(), process.pid);
    this.#every(HEARTBEAT_INTERVAL_MS, 'beat', () => this.#beat());
    this.#every(RECLAIM_INTERVAL_MS, 'reclaim', () => this.#reclaim());
    await this.#reclaim();
  }

  /** False while this worker may be taken for dead. */
  isFresh(): boolean {
    return performance.now() - this.#lastBeatMs < LEASE_MS / 2;
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    if (this.#epoch !== null) await unregister(this.#options.db, this.#epoch);
    this.#epoch = null;
  }

  async #beat(): Promise<void> {
    const sentMs = performance.now(); // not when the answer came: the lease runs from before that
    if (await heartbeat(this.#options.db, this.epoch)) this.#lastBeatMs = sentMs;
    else this.#options.log.error({ epoch: this.epoch }, 'this worker was forgotten; restart it');
  }

  async #reclaim(): Promise<void> {
    await this.#options.beforeReclaim(this.#epoch);
    const rows = await reclaim(this.#options.db);
    if (rows > 0) this.#options.log.warn({ deliveries: rows }, 'gave back deliveries of a worker that died');
  }

  #every(intervalMs: number, job: 'beat' | 'reclaim', run: () => Promise<void>): void {
    const tick = async () => {
      if (this.#busy[job]) return;
      this.#busy[job] = true;
      try {
        await run();
      } catch (error) {
        this.#options.log.warn({ err: error, job }, 'the worker lease could not reach the database');
      } finally {
        this.#busy[job] = false;
      }
    };
    this.#timers.push(setInterval(() => void tick(), intervalMs));
  }
}
