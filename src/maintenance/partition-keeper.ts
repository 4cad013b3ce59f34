/** Keeps the partitions of the coming weeks ready. */
import type { Database } from '../database/database.ts';
import { ensurePartitions, WEEKS_AHEAD } from '../database/partitions.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';

const INTERVAL_MS = 6 * 3_600_000;

export class PartitionKeeper implements Service {
  readonly name = 'partition keeper';
  readonly #deps: { readonly db: Database; readonly clock: Clock; readonly log: Log };
  #timer: NodeJS.Timeout | null = null;

  constructor(deps: { readonly db: Database; readonly clock: Clock; readonly log: Log }) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    await this.#keep();
    this.#timer = setInterval(() => void this.#keep(), INTERVAL_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** A failure is only reported: the weeks made before last a month, and accept makes a missing one itself. */
  async #keep(): Promise<void> {
    const { db, clock, log } = this.#deps;
    try {
      await ensurePartitions(db, clock.nowMs(), WEEKS_AHEAD);
    } catch (error) {
      log.error({ err: error }, 'could not make the partitions of the coming weeks');
    }
  }
}
