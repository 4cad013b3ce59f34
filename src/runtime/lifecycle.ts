/**
 * The common interface for starting and stopping services.
 *
 * `start()` resolves when the service is ready. `stop()` is idempotent, completes work in progress, and is
 * limited in time by the service. A `Lifecycle` starts its services in order and stops them in reverse order.
 * If one fails to start, those already started are stopped.
 */
import type { Log } from './log.ts';

export interface Service {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A service that only needs to be stopped. */
export function closing(name: string, stop: () => Promise<void>): Service {
  return { name, start: async () => {}, stop };
}

export class Lifecycle {
  readonly #log: Log;
  readonly #running: Service[] = [];
  #stopping: Promise<void> | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  async start(service: Service): Promise<void> {
    try {
      await service.start();
      this.#running.push(service);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #stopAll(): Promise<void> {
    for (const service of this.#running.splice(0).reverse()) {
      try {
        await service.stop();
      } catch (error) {
        this.#log.error({ err: error, service: service.name }, 'a service did not stop cleanly');
      }
    }
  }
}
