/**
 * How long the last deliveries to a site took, where the site accepted the first attempt. The only writer of `site_times`.
 *
 * Times are collected in memory and written once a second. A window of the last 200 deliveries is kept, so that forecasts follow
 * a change of the site within that many deliveries.
 */
import { type Sql, sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Service } from '../../runtime/lifecycle.ts';
import type { Log } from '../../runtime/log.ts';
import { Rounds } from '../../runtime/work-loop/rounds.ts';

/** Deliveries: enough for a p90, and few enough to follow a site that changes. */
const WINDOW = 200;
const WRITE_EVERY_MS = 1_000;
/** The most sites with times between two writes. Times of more sites are dropped. */
const MAX_SITES = 500;
const MAX_TOOK_MS = 2 ** 31 - 1;
const KEPT = "interval '30 days'";

const add = sql(
  'site_times.add',
  `INSERT INTO site_times AS t (site, took, changed_at)
   SELECT site, took::int[], $3 FROM unnest($1::text[], $2::text[]) AS new(site, took) ORDER BY site
   ON CONFLICT (site) DO UPDATE
   SET took = newest_times(t.took || excluded.took, ${WINDOW}), changed_at = excluded.changed_at`,
  { home: 'cell' },
);

const select = sql<{ site: string; took: readonly number[] }>(
  'site_times.of_sites',
  'SELECT site, took FROM site_times WHERE site = ANY ($1::text[])',
  { home: 'cell' },
);

const removeOld = sql('site_times.remove_old', `DELETE FROM site_times WHERE changed_at < now() - ${KEPT}`, {
  home: 'cell',
});

interface SiteTimesOptions {
  readonly db: Sql;
  readonly clock: Clock;
  readonly log: Log;
}

export class SiteTimes implements Service {
  readonly name = 'site times';
  readonly #options: SiteTimesOptions;
  readonly #noted = new Map<string, number[]>();
  readonly #rounds = new Rounds(() => this.#write(), WRITE_EVERY_MS);

  constructor(options: SiteTimesOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  note(site: string, tookMs: number): void {
    const known = this.#noted.get(site);
    const took = Math.min(Math.max(0, Math.round(tookMs)), MAX_TOOK_MS);
    if (known === undefined) {
      if (this.#noted.size < MAX_SITES) this.#noted.set(site, [took]);
    } else if (known.length < WINDOW) known.push(took);
  }

  /** Times that cannot be written are logged and dropped: nothing depends on them. */
  async #write(): Promise<void> {
    if (this.#noted.size === 0) return;
    const { db, clock, log } = this.#options;
    const noted = [...this.#noted];
    this.#noted.clear();
    await db
      .exec(add, [
        noted.map(([site]) => site),
        noted.map(([, took]) => `{${took.join(',')}}`),
        new Date(clock.nowMs()),
      ])
      .catch((error: unknown) => log.warn({ err: error }, 'delivery times cannot be saved'));
  }
}

/** The last times of each site, in milliseconds, oldest first. Unknown sites are left out. */
export async function timesOfSites(
  db: Sql,
  sites: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  if (sites.length === 0) return new Map();
  return new Map((await db.many(select, [sites])).map(({ site, took }) => [site, took]));
}

export function forgetOldTimes(db: Sql): Promise<unknown> {
  return db.exec(removeOld, []);
}
