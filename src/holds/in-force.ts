/**
 * The holds in force, as a worker knows them: read at the start, when somebody says that they have changed, and every
 * REFRESH_MS. While they cannot be read, the last ones stand.
 */
import type { Sql } from '../kit/database/sql.ts';
import type { Service } from '../kit/runtime/lifecycle.ts';
import type { Log } from '../kit/runtime/log.ts';
import { type HoldableMail, HoldIndex, type HoldInForce, type HoldScope } from './hold.ts';
import { holdsInForce } from './store.ts';

/** Those who change them say so; this is for when nobody heard it. */
const REFRESH_MS = 1_000;

export interface HoldsInForceOptions {
  readonly db: Sql;
  readonly log: Log;
}

export class HoldsInForce implements Service {
  readonly name = 'holds';
  readonly #options: HoldsInForceOptions;
  #index = new HoldIndex([]);
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | null = null;
  #isStale = false;

  constructor(options: HoldsInForceOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.#read();
    this.#timer = setInterval(() => this.refresh(), REFRESH_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading;
  }

  /** Everything is held: nothing is to be claimed at all. */
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

  /** They may have changed. What is being read may have been asked for before that: then it is read again. */
  refresh(): void {
    this.#isStale = true;
    this.#reading ??= this.#readUntilFresh().finally(() => {
      this.#reading = null;
    });
  }

  async #readUntilFresh(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      await this.#read().catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'cannot read the holds: the last ones stand'),
      );
    }
  }

  async #read(): Promise<void> {
    this.#index = new HoldIndex(await holdsInForce(this.#options.db));
  }
}
