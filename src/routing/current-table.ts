/**
 * The route table as a worker knows it: read at the start, when somebody says that it has changed, and when its version is
 * found to be another. While it cannot be read, the last one stands.
 */
import type { Sql } from '../kit/database/sql.ts';
import type { Service } from '../kit/runtime/lifecycle.ts';
import type { Log } from '../kit/runtime/log.ts';
import type { SealedBox } from '../kit/runtime/sealed-box.ts';
import { readStoredTable, routeVersion, type StoredTable } from './store.ts';
import { EMPTY_TABLE, type RelayTransport, type RouteTable } from './table.ts';

/** Whoever changes it says so; this is for when nobody heard it. */
const LOOK_MS = 2_000;

/** What is needed to use a relay. */
export interface RelayAccess {
  readonly transport: RelayTransport;
  readonly password: string | undefined;
}

export interface CurrentTableOptions {
  readonly db: Sql;
  readonly log: Log;
  readonly box: Pick<SealedBox, 'open'>;
  /** It is another from now on. */
  readonly onChange: (table: RouteTable) => Promise<void>;
}

export class CurrentTable implements Service {
  readonly name = 'route table';
  readonly #options: CurrentTableOptions;
  #now: RouteTable = EMPTY_TABLE;
  #access = new Map<string, RelayAccess>();
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | null = null;
  #isStale = false;

  constructor(options: CurrentTableOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.#read();
    this.#timer = setInterval(() => this.refresh(), LOOK_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading;
  }

  get now(): RouteTable {
    return this.#now;
  }

  /** Undefined where its password does not open. */
  accessOf(relay: string): RelayAccess | undefined {
    return this.#access.get(relay);
  }

  /** It may have changed. What is being read may have been asked for before that: then it is read again. */
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
        this.#options.log.warn({ err: error }, 'cannot read the route table: the last one stands'),
      );
    }
  }

  async #read(): Promise<void> {
    const { db, onChange, log } = this.#options;
    if ((await routeVersion(db)) === this.#now.version) return;
    const stored = await readStoredTable(db);
    const transports = stored.transports.map(({ transport }) => transport);
    this.#access = this.#open(stored);
    this.#now = { version: stored.version, rules: stored.rules, transports };
    await onChange(this.#now);
    log.info(
      { version: stored.version, rules: stored.rules.length, transports: transports.length },
      'the route table is in force',
    );
  }

  #open({ transports }: StoredTable): Map<string, RelayAccess> {
    const { box, log } = this.#options;
    const access = new Map<string, RelayAccess>();
    for (const { transport, sealedPassword } of transports) {
      if (transport.kind !== 'relay') continue;
      try {
        const password =
          sealedPassword === null ? undefined : box.open(transport.name, sealedPassword).toString();
        access.set(transport.name, { transport, password });
      } catch (error) {
        log.error({ err: error, relay: transport.name }, 'a relay cannot be used');
      }
    }
    return access;
  }
}
