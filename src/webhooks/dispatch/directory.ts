/** The enabled endpoints, at most one second old, with their secrets decrypted. */
import { type Sql, sql } from '../../database/sql.ts';
import { type Clock, steadyClock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { SealedBox } from '../../runtime/sealed-box.ts';
import { TtlCache } from '../../runtime/ttl-cache.ts';
import { type EndpointRow, endpointsByIds } from '../endpoints/store.ts';

export interface DispatchEndpoint
  extends Pick<EndpointRow, 'id' | 'url' | 'format' | 'enabled' | 'failing_since'> {
  /** The current secret first; null if decryption fails. */
  readonly secrets: readonly Buffer[] | null;
}

/** How long a change of an endpoint may take to apply. */
const FRESH_MS = 1_000;
const MAX_KNOWN = 1_000;

const anyAtAll = sql<{ any: boolean }>(
  'webhook_endpoints.any',
  'SELECT EXISTS (SELECT FROM webhook_endpoints) AS any',
  { home: 'cell' },
);

export class EndpointDirectory {
  readonly #deps: { readonly db: Sql; readonly secrets: SealedBox; readonly clock: Clock; readonly log: Log };
  readonly #known = new TtlCache<DispatchEndpoint | null>({
    keepMs: FRESH_MS,
    max: MAX_KNOWN,
    clock: steadyClock,
  });
  #any = { is: false, untilMs: 0 };

  constructor(deps: {
    readonly db: Sql;
    readonly secrets: SealedBox;
    readonly clock: Clock;
    readonly log: Log;
  }) {
    this.#deps = deps;
  }

  /** Whether any endpoint exists; without one, no query for events is needed. */
  async any(): Promise<boolean> {
    if (this.#any.untilMs < performance.now()) {
      const { any } = await this.#deps.db.one(anyAtAll);
      this.#any = { is: any, untilMs: performance.now() + FRESH_MS };
    }
    return this.#any.is;
  }

  /** Null for deleted endpoints. */
  async find(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, DispatchEndpoint | null>> {
    const known = [...ids].map((id) => [id, this.#known.get(id)] as const);
    const asked = await this.#ask(known.flatMap(([id, endpoint]) => (endpoint === undefined ? id : [])));
    return new Map(known.map(([id, endpoint]) => [id, endpoint ?? asked.get(id) ?? null]));
  }

  async #ask(ids: readonly string[]): Promise<ReadonlyMap<string, DispatchEndpoint>> {
    if (ids.length === 0) return new Map();
    const askedMs = steadyClock.nowMs();
    const rows = await endpointsByIds(this.#deps.db, ids);
    const found = new Map(rows.map((row) => [row.id, this.#toEndpoint(row)]));
    for (const id of ids) this.#known.set(id, found.get(id) ?? null, askedMs);
    return found;
  }

  #toEndpoint(row: EndpointRow): DispatchEndpoint {
    const { id, url, format, enabled, failing_since } = row;
    return { id, url, format, enabled, failing_since, secrets: this.#open(row) };
  }

  #open({ id, secret, previous_secret, previous_until }: EndpointRow): Buffer[] | null {
    const { secrets, clock, log } = this.#deps;
    const overlaps = previous_until !== null && previous_until.getTime() > clock.nowMs();
    try {
      const sealed = previous_secret !== null && overlaps ? [secret, previous_secret] : [secret];
      return sealed.map((one) => secrets.open(id, one));
    } catch (error) {
      log.error({ err: error, webhook: id }, 'a webhook secret cannot be decrypted');
      return null;
    }
  }
}
