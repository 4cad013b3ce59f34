/**
 * Everything that runs starts and stops the same way.
 *
 * `start()` resolves when the service is ready. `stop()` is idempotent, lets work in hand finish and is bounded in
 * time by the service itself. A `Lifecycle` starts its services in order and stops them in the reverse order;
 * if one fails to start, those already started are stopped again.
 */
import type { Log } from './log.ts';

export interface Service {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Something that needs no start, only an end. */
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
