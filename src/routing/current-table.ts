/** A worker's cached route table, read again when its version changes. */
import type { Sql } from '../database/sql.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import type { SealedBox } from '../runtime/sealed-box.ts';
import { RefreshingCache } from '../runtime/work-loop/refreshing-cache.ts';
import { canariesIn } from './canary/plan.ts';
import { readPercents } from './canary/store.ts';
import { readStoredTable, routeVersion, type StoredTable } from './store.ts';
import { EMPTY_TABLE, type RelayTransport, type RouteTable } from './table.ts';

/** Changes are announced; this poll catches missed announcements. */
const LOOK_MS = 2_000;

export interface RelayAccess {
  readonly transport: RelayTransport;
  readonly password: string | undefined;
}

interface CurrentTableOptions {
  readonly db: Sql;
  readonly log: Log;
  readonly box: Pick<SealedBox, 'open'>;
  readonly onChange: (table: RouteTable) => Promise<void>;
}

export class CurrentTable implements Service {
  readonly name = 'route table';
  readonly #options: CurrentTableOptions;
  #now: RouteTable = EMPTY_TABLE;
  #access = new Map<string, RelayAccess>();
  readonly #fresh: RefreshingCache;

  constructor(options: CurrentTableOptions) {
    this.#options = options;
    this.#fresh = new RefreshingCache({
      everyMs: LOOK_MS,
      read: () => this.#read(),
      onError: (error) =>
        options.log.warn({ err: error }, 'cannot read the route table; the last known table stays in force'),
    });
  }

  start(): Promise<void> {
    return this.#fresh.start();
  }

  stop(): Promise<void> {
    return this.#fresh.stop();
  }

  get now(): RouteTable {
    return this.#now;
  }

  /** Undefined if its password cannot be decrypted. */
  accessOf(relay: string): RelayAccess | undefined {
    return this.#access.get(relay);
  }

  /** Signals that the table may have changed. */
  refresh(): void {
    this.#fresh.refresh();
  }

  async #read(): Promise<void> {
    const { db, onChange, log } = this.#options;
    if ((await routeVersion(db)) === this.#now.version) return this.#readPercents();
    const stored = await readStoredTable(db);
    const percents = await readPercents(db);
    const transports = stored.transports.map(({ transport }) => transport);
    this.#access = this.#open(stored);
    this.#now = { version: stored.version, rules: stored.rules, transports, percents };
    await onChange(this.#now);
    log.info(
      { version: stored.version, rules: stored.rules.length, transports: transports.length },
      'the route table is in force',
    );
  }

  /** Without canaries this makes no query. */
  async #readPercents(): Promise<void> {
    if (canariesIn(this.#now.rules).length === 0) return;
    this.#now = { ...this.#now, percents: await readPercents(this.#options.db) };
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
