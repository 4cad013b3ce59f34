/**
 * A worker's sessions, one after the other. Most workers have one. A worker declared dead, because it was
 * frozen or disconnected longer than its lease, abandons its session and continues under a new epoch.
 *
 * States: running; renewing (registers again, as long as the database is unavailable); stopping.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../database/errors.ts';
import type { Lane } from '../outbox/lanes.ts';
import type { WorkerLease } from '../outbox/worker-lease.ts';
import type { Log } from '../runtime/log.ts';
import type { WorkerSession } from './worker-session.ts';

export interface WorkerSessionsOptions {
  readonly log: Log;
  readonly lease: Pick<WorkerLease, 'epoch' | 'renew'>;
  readonly create: (epoch: number) => WorkerSession;
  /** Called when it cannot continue: the process should end and be restarted. */
  readonly onBroken: () => void;
}

const RETRY_MS = 500;

export class WorkerSessions {
  readonly #options: WorkerSessionsOptions;
  /** Null while the worker registers again. */
  #term: WorkerSession | null = null;
  #renewing: Promise<void> = Promise.resolve();
  /** Earlier sessions, of which a delivery may still be at its final dot. */
  #abandoned: Promise<unknown> = Promise.resolve();
  #stopping = false;

  constructor(options: WorkerSessionsOptions) {
    this.#options = options;
  }

  /** Whether the outcome of mail accepted by a server is not in the database yet. */
  get isUnsettled(): boolean {
    return this.#term?.isUnsettled === true;
  }

  async begin(): Promise<void> {
    const term = this.#options.create(this.#options.lease.epoch);
    await term.start();
    this.#term = term;
    if (this.#stopping) term.release();
  }

  /** Signals new work, for new mail possibly with its lanes. */
  notice(lanes?: readonly Lane[]): void {
    this.#term?.notice(lanes);
  }

  /** Call when mail may take another path. */
  reroute(): void {
    this.#term?.reroute();
  }

  /** Call when this worker was declared dead. */
  renew(): void {
    if (this.#stopping) return;
    this.#renewing = this.#beginAnew().catch((error: unknown) => {
      this.#options.log.fatal({ err: error }, 'this worker cannot register anew');
      this.#options.onBroken();
    });
  }

  /** Stops claiming, and sends no further final dot. */
  release(): void {
    this.#stopping = true;
    this.#term?.release();
  }

  /** Stops claiming; work in progress may finish. */
  async drain(): Promise<void> {
    this.#stopping = true;
    await this.#renewing;
    await this.#term?.drain();
  }

  /** Call when nothing can be handed over any more. Settles the outcomes. */
  async finish(): Promise<void> {
    await this.#term?.finish();
    await this.#abandoned;
  }

  async #beginAnew(): Promise<void> {
    const { log, lease } = this.#options;
    const ended = this.#term?.abandon().catch((error: unknown) => {
      log.warn({ err: error }, 'what an earlier registration had in hand did not end cleanly');
    });
    this.#term = null;
    this.#abandoned = Promise.all([this.#abandoned, ended]);
    await this.#untilReached(() => lease.renew());
    await this.#untilReached(() => this.begin());
    log.info({ epoch: lease.epoch }, 'delivering again, under a new epoch');
  }

  async #untilReached(work: () => Promise<void>): Promise<void> {
    while (!this.#stopping) {
      try {
        return await work();
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        this.#options.log.warn({ err: error }, 'cannot register anew, trying again');
        await sleep(RETRY_MS);
      }
    }
  }
}
