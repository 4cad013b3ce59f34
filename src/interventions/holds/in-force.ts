/** A worker's cache of the holds in force. */
import type { Sql } from '../../database/sql.ts';
import type { Service } from '../../runtime/lifecycle.ts';
import type { Log } from '../../runtime/log.ts';
import { RefreshingCache } from '../../runtime/work-loop/refreshing-cache.ts';
import { type HoldableMail, HoldIndex, type HoldInForce, type HoldScope } from './hold.ts';
import { holdsInForce } from './store.ts';

/** Changes are announced; this poll catches missed announcements. */
const REFRESH_MS = 1_000;

interface HoldsInForceOptions {
  readonly db: Sql;
  readonly log: Log;
}

export class HoldsInForce implements Service {
  readonly name = 'holds';
  readonly #options: HoldsInForceOptions;
  #index = new HoldIndex<HoldInForce>([]);
  readonly #fresh: RefreshingCache;

  constructor(options: HoldsInForceOptions) {
    this.#options = options;
    this.#fresh = new RefreshingCache({
      everyMs: REFRESH_MS,
      read: () => this.#read(),
      onError: (error) =>
        options.log.warn({ err: error }, 'cannot read the holds; the last known holds stay in force'),
    });
  }

  start(): Promise<void> {
    return this.#fresh.start();
  }

  stop(): Promise<void> {
    return this.#fresh.stop();
  }

  /** Whether all mail is held, so that no mail may be claimed. */
  get isAll(): boolean {
    return this.#index.ofAll !== null;
  }

  count(scope: HoldScope): number {
    return this.#index.count(scope);
  }

  get areWebhooksHeld(): boolean {
    return this.#index.ofAll?.withWebhooks ?? false;
  }

  /** The hold that stops this mail. */
  find(mail: HoldableMail): HoldInForce | null {
    return this.#index.find(mail);
  }

  /** Signals that holds may have changed. */
  refresh(): void {
    this.#fresh.refresh();
  }

  async #read(): Promise<void> {
    this.#index = new HoldIndex(await holdsInForce(this.#options.db));
  }
}
