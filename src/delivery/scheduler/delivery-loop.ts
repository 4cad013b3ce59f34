/**
 * Delivers what the scheduler returns, as long as the worker has room.
 *
 * Stopping: deliveries that wait for a connection go back to the queue at once. Deliveries with a connection may finish within
 * the drain time of the loop.
 */

import type { Service } from '../../runtime/lifecycle.ts';
import type { Log } from '../../runtime/log.ts';
import { WorkLoop } from '../../runtime/work-loop/loop.ts';
import { CAPACITY, type Dispatched, POLL_MS, type Scheduler } from './scheduler.ts';

export interface DeliveryLoopOptions {
  readonly log: Log;
  readonly scheduler: Scheduler;
  readonly deliver: (dispatched: Dispatched) => Promise<void>;
  /** How long stop() waits for deliveries that have a connection. */
  readonly drainMs: number;
}

export class DeliveryLoop implements Service {
  readonly name = 'delivery loop';
  readonly #scheduler: Scheduler;
  readonly #loop: WorkLoop<Dispatched>;

  constructor({ log, scheduler, deliver, drainMs }: DeliveryLoopOptions) {
    this.#scheduler = scheduler;
    this.#loop = new WorkLoop<Dispatched>({
      name: 'delivery',
      log,
      capacity: CAPACITY,
      pollMs: POLL_MS,
      drainMs,
      claim: (limit) => scheduler.next(limit),
      work: (dispatched) => deliver(dispatched).finally(() => scheduler.release(dispatched.delivery)),
    });
    scheduler.onWork(() => this.#loop.wake());
  }

  async start(): Promise<void> {
    await this.#scheduler.start();
    await this.#loop.start();
  }

  async stop(): Promise<void> {
    this.#scheduler.close();
    await this.#loop.stop();
    await this.#scheduler.stop();
  }

  /** Resolves when no delivery is in hand. Call after stop(). */
  idle(): Promise<void> {
    return this.#loop.idle();
  }
}
