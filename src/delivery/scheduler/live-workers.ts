/**
 * The live workers, which divide every site's limits among them.
 *
 * Owns the list of live workers and, where the route table names source addresses, which worker has which address. A limit
 * of a source address is divided among the workers that have the address.
 */
import type { Database } from '../../database/database.ts';
import type { SiteShare } from './local-site.ts';
import { type SendingWorkers, sendingWorkers, type WorkerName } from './sending-workers.ts';
import type { ConnectedSite } from './site.ts';
import type { SiteCondition } from './site-condition.ts';
import { isFirst, shareOf } from './site-share.ts';

export interface LiveWorkersOptions {
  readonly db: Database;
  readonly epoch: number;
  /** The name of this worker's cell; null where there is only one cell. */
  readonly cell?: string | null;
  /** The source addresses that are on this worker's machine; null where the route table names none. */
  readonly sources: () => readonly string[] | null;
}

export class LiveWorkers {
  readonly #sending: SendingWorkers;
  readonly #sources: LiveWorkersOptions['sources'];
  #workers: readonly WorkerName[];
  #withSource: ReadonlyMap<WorkerName, ReadonlySet<string>> = new Map();

  constructor({ db, epoch, cell = null, sources }: LiveWorkersOptions) {
    this.#sending = sendingWorkers(db, epoch, cell);
    this.#sources = sources;
    this.#workers = [this.#sending.own];
  }

  get size(): number {
    return this.#workers.length;
  }

  async read(): Promise<void> {
    const { own } = this.#sending;
    const { live, sources } = await this.#sending.read(this.#sources());
    this.#withSource = sources;
    this.#workers = live.includes(own) ? live : [...live, own];
  }

  shareOf(site: ConnectedSite, { narrow }: SiteCondition): SiteShare {
    const { own } = this.#sending;
    const { name, policy } = site;
    const limit = Math.min(policy.connections, narrow?.connections ?? policy.connections);
    const workers = site.kind === 'source' ? this.#withAddress(site.address) : this.#workers;
    return {
      connections: shareOf(limit, name, workers, own),
      mayProbe: isFirst(name, workers, own),
      perMinute: policy.perMinute === undefined ? null : policy.perMinute / workers.length,
    };
  }

  #withAddress(address: string): readonly WorkerName[] {
    const { own } = this.#sending;
    return this.#workers.filter((one) => one === own || this.#withSource.get(one)?.has(address) === true);
  }
}
