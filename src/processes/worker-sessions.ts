/**
 * A worker's terms, one after the other. Most workers have one. One that was taken for dead, because it was frozen or
 * cut off for longer than its lease, abandons its term and goes on by itself under a new epoch.
 *
 * States: running; renewing (registering again, for as long as the database is unavailable); stopping.
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
  /** It cannot go on: the process is to end, and to be started again. */
  readonly onBroken: () => void;
}

const RETRY_MS = 500;

export class WorkerSessions {
  readonly #options: WorkerSessionsOptions;
  /** Null while the worker registers anew. */
  #term: WorkerSession | null = null;
  #renewing: Promise<void> = Promise.resolve();
  /** Earlier terms, of which something may still be at its final dot. */
  #abandoned: Promise<unknown> = Promise.resolve();
  #stopping = false;

  constructor(options: WorkerSessionsOptions) {
    this.#options = options;
  }

  /** Whether something that a server took is not in the database yet. */
  get isUnsettled(): boolean {
    return this.#term?.isUnsettled === true;
  }

  async begin(): Promise<void> {
    const term = this.#options.create(this.#options.lease.epoch);
    await term.start();
    this.#term = term;
    if (this.#stopping) term.release();
  }

  /** There is something new; of new mail perhaps its lanes. */
  notice(lanes?: readonly Lane[]): void {
    this.#term?.notice(lanes);
  }

  /** Mail may go another way from now on. */
  reroute(): void {
    this.#term?.reroute();
  }

  /** This worker was taken for dead. */
  renew(): void {
    if (this.#stopping) return;
    this.#renewing = this.#beginAnew().catch((error: unknown) => {
      this.#options.log.fatal({ err: error }, 'this worker cannot register anew');
      this.#options.onBroken();
    });
  }

  /** Nothing more is claimed, and nothing sends its final dot any more. */
  release(): void {
    this.#stopping = true;
    this.#term?.release();
  }

  /** Nothing more is claimed; what is in hand has its time. */
  async drain(): Promise<void> {
    this.#stopping = true;
    await this.#renewing;
    await this.#term?.drain();
  }

  /** When nothing can be handed over any more: what was found out is settled. */
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
