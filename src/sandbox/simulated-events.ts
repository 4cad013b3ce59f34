/**
 * Actions after the 250: some simulator addresses simulate recipients, or servers that bounce later. Each
 * kind has one action, which uses the same endpoints as real mail.
 *
 * Owns the scheduled actions and those in progress. They are dropped when the sandbox stops.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../runtime/log.ts';

/** To add a kind, add a behavior in simulator.ts that names it, and its action where the sandbox is assembled. */
export type SimulatedEventKind = 'late_bounce' | 'complaint' | 'auto_reply' | 'open' | 'click';

export interface DeliveredMessage {
  readonly returnPath: string;
  readonly recipient: string;
  readonly raw: Buffer;
}

export type Action = (message: DeliveredMessage, signal: AbortSignal) => Promise<void>;

/** Long enough for the delivery to be recorded, short enough for somebody who watches. */
const DELAY_MS = 500;

export class SimulatedEvents {
  readonly #actions: Readonly<Record<SimulatedEventKind, Action>>;
  readonly #log: Log;
  readonly #onStop: () => Promise<void>;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();

  /** `onStop` releases the resources of the actions. */
  constructor(actions: Readonly<Record<SimulatedEventKind, Action>>, log: Log, onStop: () => Promise<void>) {
    this.#actions = actions;
    this.#log = log;
    this.#onStop = onStop;
  }

  follow(kind: SimulatedEventKind, message: DeliveredMessage): void {
    const run = this.#act(kind, message);
    this.#running.add(run);
    void run.finally(() => this.#running.delete(run));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#onStop();
    await Promise.all(this.#running);
  }

  async #act(kind: SimulatedEventKind, message: DeliveredMessage): Promise<void> {
    const { signal } = this.#stopping;
    try {
      await sleep(DELAY_MS, undefined, { signal });
      await this.#actions[kind](message, signal);
    } catch (error) {
      if (!signal.aborted) this.#log.warn({ err: error, kind }, 'the simulator could not record an event');
    }
  }
}
