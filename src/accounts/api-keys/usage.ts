/**
 * Records when each key was used and writes the times later: never during a request, all keys in one statement, each
 * key at most once a minute. `last_used_at` is therefore accurate to the minute, and a few seconds late for a key
 * that was idle. Failed writes are retried in the next round.
 *
 * A key is `noted` (used, not yet written), then `written` (kept for a minute to suppress further writes), then
 * dropped.
 */
import { columns } from '../../database/call.ts';
import { type Sql, sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../runtime/durations.ts';
import type { Service } from '../../runtime/lifecycle.ts';
import type { Log } from '../../runtime/log.ts';
import { TtlCache } from '../../runtime/ttl-cache.ts';
import { Rounds } from '../../runtime/work-loop/rounds.ts';
import { type ApiKeyRow, type KeyUse, recordUses } from './store.ts';

const USE_RESOLUTION_MS = MINUTE_MS;
/** Above this number of active keys, some are written more than once a minute. */
const MAX_WRITTEN = 10_000;
const FLUSH_EVERY_MS = 2_000;

export class KeyUsage implements Service {
  readonly name = 'api key usage';
  readonly #db: Sql;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #noted = new Map<string, KeyUse>();
  readonly #written: TtlCache<true>;
  readonly #rounds = new Rounds(() => this.#writeDue(), FLUSH_EVERY_MS);

  constructor(db: Sql, clock: Clock, log: Log) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#written = new TtlCache({ keepMs: USE_RESOLUTION_MS, max: MAX_WRITTEN, clock });
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  note({ organization_id: organizationId, id }: Pick<ApiKeyRow, 'organization_id' | 'id'>): void {
    this.#noted.set(id, { organizationId, id, atMs: this.#clock.nowMs() });
  }

  /** Writes pending times. Never rejects. */
  flush(): Promise<void> {
    return this.#rounds.now();
  }

  async #writeDue(): Promise<void> {
    const due = [...this.#noted.values()].filter(({ id }) => !this.#written.get(id));
    if (due.length === 0) return;
    for (const { id } of due) this.#noted.delete(id);
    try {
      await recordUses(this.#db, due);
      for (const { id, atMs } of due) this.#written.set(id, true, atMs);
    } catch (error) {
      for (const use of due) if (!this.#noted.has(use.id)) this.#noted.set(use.id, use);
      this.#log.warn({ err: error }, 'could not record when API keys were last used; will try again');
    }
  }
}

export interface KeyCount {
  readonly organizationId: string;
  readonly keyId: string;
  /** The UTC day, such as `2026-11-15`. */
  readonly day: string;
  readonly requests: number;
  readonly refused: number;
  readonly emails: number;
}

export interface UsageTotals {
  readonly requests: number;
  readonly refused: number;
  readonly emails: number;
}

export interface UsageDay extends UsageTotals {
  readonly day: string;
}

/** The retention in days. */
export const USAGE_DAYS = 90;

/** Rows are written in key order, so that concurrent processes cannot deadlock. */
const add = sql(
  'api_key_usage.add',
  `INSERT INTO api_key_usage (organization_id, key_id, day, requests, refused, emails)
   SELECT o, k, d, r, f, e
   FROM unnest($1::text[], $2::text[], $3::date[], $4::bigint[], $5::bigint[], $6::bigint[]) AS u (o, k, d, r, f, e)
   ORDER BY o, k, d
   ON CONFLICT (organization_id, key_id, day) DO UPDATE SET
     requests = api_key_usage.requests + excluded.requests,
     refused = api_key_usage.refused + excluded.refused,
     emails = api_key_usage.emails + excluded.emails`,
  { home: 'control' },
);

const since = sql<UsageDay>(
  'api_key_usage.since',
  `SELECT to_char(day, 'YYYY-MM-DD') AS day, requests, refused, emails FROM api_key_usage
   WHERE organization_id = $1 AND key_id = $2 AND day >= $3::date ORDER BY day`,
  { home: 'control' },
);

const totals = sql<UsageTotals & { key_id: string }>(
  'api_key_usage.totals',
  `SELECT key_id, sum(requests)::bigint AS requests, sum(refused)::bigint AS refused, sum(emails)::bigint AS emails
   FROM api_key_usage
   WHERE organization_id = $1 AND key_id = ANY ($2::text[]) AND day >= $3::date
   GROUP BY key_id`,
  { home: 'control' },
);

const removeOld = sql('api_key_usage.remove_old', 'DELETE FROM api_key_usage WHERE day < $1::date', {
  home: 'control',
});

/** The one writer of `api_key_usage`. */
export async function addKeyCounts(db: Sql, counts: readonly KeyCount[]): Promise<void> {
  await db.exec(add, [...columns(counts, 'organizationId', 'keyId', 'day', 'requests', 'refused', 'emails')]);
}

/** The days on which the key was used, earliest first. */
export function usageSince(db: Sql, organizationId: string, keyId: string, day: string): Promise<UsageDay[]> {
  return db.many(since, [organizationId, keyId, day]);
}

export async function totalsSince(
  db: Sql,
  organizationId: string,
  keyIds: readonly string[],
  day: string,
): Promise<ReadonlyMap<string, UsageTotals>> {
  const rows = await db.many(totals, [organizationId, keyIds, day]);
  return new Map(
    rows.map(({ key_id, requests, refused, emails }) => [key_id, { requests, refused, emails }]),
  );
}

export async function removeOldKeyUsage(db: Sql, nowMs: number): Promise<void> {
  await db.exec(removeOld, [new Date(nowMs - USAGE_DAYS * DAY_MS).toISOString().slice(0, 10)]);
}
