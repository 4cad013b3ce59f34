/**
 * The workers that share sites, as this one knows them.
 *
 * Owns the list of live workers and, where mail is sent from addresses of its own (routing/), which of them has which. What
 * is sent from an address is shared by those that have it.
 */
import type { Database } from '../../kit/database/database.ts';
import { liveWorkers } from '../../outbox/lease.ts';
import type { SiteShare } from './local-site.ts';
import type { Site } from './site.ts';
import type { SiteCondition } from './site-condition.ts';
import { isFirst, shareOf } from './site-share.ts';
import { loadSources, saveSources } from './source-store.ts';

export interface WorkforceOptions {
  readonly db: Database;
  readonly epoch: number;
  /** Those that this worker's machine has of the addresses that mail is sent from; null where no mail is. */
  readonly sources: () => readonly string[] | null;
}

export class Workforce {
  readonly #options: WorkforceOptions;
  #workers: readonly number[];
  #withSource = new Map<number, ReadonlySet<string>>();
  #saved: string | null = null;

  constructor(options: WorkforceOptions) {
    this.#options = options;
    this.#workers = [options.epoch];
  }

  /** How many there are. */
  get size(): number {
    return this.#workers.length;
  }

  async read(): Promise<void> {
    const { db, epoch } = this.#options;
    const workers = await liveWorkers(db);
    await this.#readSources();
    this.#workers = workers.includes(epoch) ? workers : [...workers, epoch];
  }

  shareOf({ name, policy, seen }: Site, { narrow }: SiteCondition): SiteShare {
    const { epoch } = this.#options;
    const limit = Math.min(policy.connections, narrow?.connections ?? policy.connections);
    const workers = seen === undefined ? this.#workers : this.#having(seen.from);
    return {
      connections: shareOf(limit, name, workers, epoch),
      mayProbe: isFirst(name, workers, epoch),
      perMinute: policy.perMinute === undefined ? null : policy.perMinute / workers.length,
    };
  }

  #having(address: string): readonly number[] {
    const { epoch } = this.#options;
    return this.#workers.filter((one) => one === epoch || this.#withSource.get(one)?.has(address) === true);
  }

  async #readSources(): Promise<void> {
    const { db, epoch, sources } = this.#options;
    const own = sources();
    if (own === null) return;
    const text = own.join(' ');
    if (text !== this.#saved) await saveSources(db, epoch, own);
    this.#saved = text;
    this.#withSource = await loadSources(db);
  }
}
