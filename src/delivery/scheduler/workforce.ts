/**
 * The workers that share sites, as this one knows them.
 *
 * Owns the list of live workers and, where mail is sent from addresses of its own (routing/), which of them has which. What
 * is sent from an address is shared by those that have it.
 */
import type { Database } from '../../kit/database/database.ts';
import type { SiteShare } from './local-site.ts';
import { type SendingWorkers, sendingWorkers, type WorkerName } from './sending-workers.ts';
import type { Site } from './site.ts';
import type { SiteCondition } from './site-condition.ts';
import { isFirst, shareOf } from './site-share.ts';

export interface WorkforceOptions {
  readonly db: Database;
  readonly epoch: number;
  /** The name of this worker's cell; null where there is one. */
  readonly cell?: string | null;
  /** Those that this worker's machine has of the addresses that mail is sent from; null where no mail is. */
  readonly sources: () => readonly string[] | null;
}

export class Workforce {
  readonly #sending: SendingWorkers;
  readonly #sources: WorkforceOptions['sources'];
  #workers: readonly WorkerName[];
  #withSource: ReadonlyMap<WorkerName, ReadonlySet<string>> = new Map();

  constructor({ db, epoch, cell = null, sources }: WorkforceOptions) {
    this.#sending = sendingWorkers(db, epoch, cell);
    this.#sources = sources;
    this.#workers = [this.#sending.own];
  }

  /** How many there are. */
  get size(): number {
    return this.#workers.length;
  }

  async read(): Promise<void> {
    const { own } = this.#sending;
    const { live, sources } = await this.#sending.read(this.#sources());
    this.#withSource = sources;
    this.#workers = live.includes(own) ? live : [...live, own];
  }

  shareOf({ name, policy, seen }: Site, { narrow }: SiteCondition): SiteShare {
    const { own } = this.#sending;
    const limit = Math.min(policy.connections, narrow?.connections ?? policy.connections);
    const workers = seen === undefined ? this.#workers : this.#having(seen.from);
    return {
      connections: shareOf(limit, name, workers, own),
      mayProbe: isFirst(name, workers, own),
      perMinute: policy.perMinute === undefined ? null : policy.perMinute / workers.length,
    };
  }

  #having(address: string): readonly WorkerName[] {
    const { own } = this.#sending;
    return this.#workers.filter((one) => one === own || this.#withSource.get(one)?.has(address) === true);
  }
}
