/** The tables `sites` and `site_domains`. This module is their only writer. */
import { type Sql, sql } from '../../database/sql.ts';
import type { DeliveredTo } from './delivered-domains.ts';
import { isAllWell, type SiteCondition } from './site-condition.ts';

interface SiteRow extends SiteCondition {
  name: string;
}

const selectSites = sql<SiteRow>(
  'sites.all',
  'SELECT name, paused_at IS NOT NULL AS paused, block, slow, narrow FROM sites',
  { home: 'control' },
);

/** Workers must not change an operator's pause, so that column is left out. */
const upsertSite = sql(
  'sites.upsert',
  `INSERT INTO sites (name, block, slow, narrow) VALUES ($1, $2, $3, $4)
   ON CONFLICT (name) DO UPDATE SET
     block = excluded.block, slow = excluded.slow, narrow = excluded.narrow, updated_at = excluded.updated_at`,
  { home: 'control' },
);

const clearSite = sql(
  'sites.clear',
  `UPDATE sites SET block = NULL, slow = NULL, narrow = NULL, updated_at = now()
   WHERE name = $1 AND paused_at IS NOT NULL`,
  { home: 'control' },
);

const removeUnpaused = sql('sites.remove', 'DELETE FROM sites WHERE name = $1 AND paused_at IS NULL', {
  home: 'control',
});

const pause = sql(
  'sites.pause',
  `INSERT INTO sites (name, paused_at) VALUES ($1, now())
   ON CONFLICT (name) DO UPDATE SET paused_at = coalesce(sites.paused_at, excluded.paused_at),
     updated_at = excluded.updated_at`,
  { home: 'control' },
);

const removeSite = sql('sites.resume', 'DELETE FROM sites WHERE name = $1', { home: 'control' });

const moveTimes = sql(
  'sites.set_back',
  `UPDATE sites SET
     block = jsonb_set(block, '{untilMs}', to_jsonb((block->>'untilMs')::float8 - $1::float8)),
     slow = jsonb_set(slow, '{changedMs}', to_jsonb((slow->>'changedMs')::float8 - $1::float8)),
     narrow = jsonb_set(narrow, '{changedMs}', to_jsonb((narrow->>'changedMs')::float8 - $1::float8))
   WHERE greatest((block->>'untilMs')::float8, (slow->>'changedMs')::float8, (narrow->>'changedMs')::float8)
     > extract(epoch FROM now()) * 1000`,
  { home: 'control' },
);

/** Ends a block, so that one delivery tries. Clears the limits of pace and connections. */
const tryNow = sql(
  'sites.try_now',
  `UPDATE sites SET slow = NULL, narrow = NULL, updated_at = now(),
     block = jsonb_set(block, '{untilMs}', to_jsonb(least((block->>'untilMs')::float8, $2::float8)))
   WHERE name = $1 AND (paused_at IS NOT NULL OR block IS NOT NULL)`,
  { home: 'control' },
);

const removeOpen = sql(
  'sites.remove_open',
  'DELETE FROM sites WHERE name = $1 AND paused_at IS NULL AND block IS NULL',
  { home: 'control' },
);

/** Removes conditions that have not changed for an hour. A block that has ended stays until a delivery has tried the site. */
const removeOver = sql(
  'sites.remove_over',
  `DELETE FROM sites WHERE paused_at IS NULL AND block IS NULL AND updated_at < now() - interval '1 hour'`,
  { home: 'control' },
);

/** Removes sites whose block ended long ago and that were sent nothing since. */
const removeForgotten = sql(
  'sites.remove_forgotten',
  `DELETE FROM sites WHERE paused_at IS NULL AND updated_at < now() - interval '7 days'
     AND to_timestamp((block->>'untilMs')::float8 / 1000.0) < now() - interval '1 day'`,
  { home: 'control' },
);

export async function loadSites(db: Sql): Promise<Map<string, SiteCondition>> {
  const rows = await db.many(selectSites);
  return new Map(rows.map(({ name, ...condition }) => [name, condition]));
}

const selectPauses = sql<{ name: string; paused_at: Date }>(
  'sites.pauses',
  'SELECT name, paused_at FROM sites WHERE paused_at IS NOT NULL',
  { home: 'control' },
);

/** The start of each pause, for the API; workers only need to know whether a site is paused. */
export async function loadPauses(db: Sql): Promise<Map<string, number>> {
  return new Map((await db.many(selectPauses)).map((row) => [row.name, row.paused_at.getTime()]));
}

/** Stores the condition that a worker has determined. */
export async function saveSite(db: Sql, name: string, condition: SiteCondition): Promise<void> {
  const { block, slow, narrow } = condition;
  if (isAllWell({ ...condition, paused: false })) {
    await db.exec(clearSite, [name]);
    await db.exec(removeUnpaused, [name]);
  } else {
    await db.exec(upsertSite, [name, block, slow, narrow]);
  }
}

/** After the database's clock was set back: moves all times back by the same amount, so that no wait becomes longer. */
export async function setSitesBack(db: Sql, byMs: number): Promise<void> {
  await db.exec(moveTimes, [byMs]);
}

export async function pauseSite(db: Sql, name: string): Promise<void> {
  await db.exec(pause, [name]);
}

/** Ends a pause, and a block or a slow pace with it. False when the site had none of them. */
export async function resumeSite(db: Sql, name: string): Promise<boolean> {
  return (await db.exec(removeSite, [name])) === 1;
}

/** Ends all waits but a pause, so that the site is tried at once. */
export async function trySiteNow(db: Sql, name: string, nowMs: number): Promise<void> {
  if ((await db.exec(tryNow, [name, nowMs])) === 0) await db.exec(removeOpen, [name]);
}

export interface SiteOfDomain {
  readonly domain: string;
  readonly site: string;
  readonly provider: string;
}

/** A domain that moved to another site is unverified there. */
const upsertDomains = sql<DeliveredRow>(
  'site_domains.upsert',
  `INSERT INTO site_domains AS known (domain, site, provider, delivered_at)
   SELECT d, s, p, CASE WHEN delivered THEN now() END
   FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[]) AS new(d, s, p, delivered)
   ON CONFLICT (domain) DO UPDATE SET
     site = excluded.site, provider = excluded.provider, seen_at = excluded.seen_at,
     delivered_at = coalesce(excluded.delivered_at, CASE WHEN known.site = excluded.site THEN known.delivered_at END)
   RETURNING domain, site, delivered_at`,
  { home: 'cell' },
);

const selectDelivered = sql<DeliveredRow>(
  'site_domains.delivered',
  `SELECT domain, site, delivered_at FROM site_domains
   WHERE delivered_at IS NOT NULL ORDER BY delivered_at DESC LIMIT $1`,
  { home: 'cell' },
);

interface DeliveredRow {
  domain: string;
  site: string;
  delivered_at: Date | null;
}

const selectDomains = sql<SiteOfDomain>(
  'site_domains.of',
  'SELECT domain, site, provider FROM site_domains WHERE domain = ANY($1::text[])',
  { home: 'cell' },
);

const selectDomainsOfSite = sql<{ domain: string }>(
  'site_domains.by_site',
  `SELECT domain FROM site_domains WHERE site = $1
   UNION SELECT domain FROM site_domains WHERE domain = split_part($1, ' at ', 1) AND domain || ' at ' || site = $1`,
  { home: 'cell' },
);

const removeOldDomains = sql(
  'site_domains.remove_old',
  `DELETE FROM site_domains WHERE domain IN (
     SELECT domain FROM site_domains WHERE seen_at < now() - interval '7 days' LIMIT 10000)`,
  { home: 'cell' },
);

/** Saves each domain once, in sorted order, so that two workers never deadlock. Returns the domains whose site has accepted mail. */
export async function saveSiteDomains(
  db: Sql,
  domains: readonly (SiteOfDomain & { readonly delivered: boolean })[],
): Promise<DeliveredTo[]> {
  if (domains.length === 0) return [];
  const sorted = [...domains].sort((a, b) => (a.domain < b.domain ? -1 : 1));
  const rows = await db.many(upsertDomains, [
    sorted.map((one) => one.domain),
    sorted.map((one) => one.site),
    sorted.map((one) => one.provider),
    sorted.map((one) => one.delivered),
  ]);
  return deliveredTo(rows);
}

/** The domains with the latest deliveries, oldest first. */
export async function loadDelivered(db: Sql, limit: number): Promise<DeliveredTo[]> {
  return deliveredTo(await db.many(selectDelivered, [limit])).reverse();
}

function deliveredTo(rows: readonly DeliveredRow[]): DeliveredTo[] {
  return rows.flatMap(({ domain, site, delivered_at }) =>
    delivered_at === null ? [] : [{ domain, site, deliveredMs: delivered_at.getTime() }],
  );
}

export async function sitesOfDomains(
  db: Sql,
  domains: readonly string[],
): Promise<Map<string, SiteOfDomain>> {
  return new Map((await db.many(selectDomains, [domains])).map((row) => [row.domain, row]));
}

/** Also accepts the name of an unverified domain's queue: `example.com at mx.example.net`. */
export async function domainsOfSite(db: Sql, site: string): Promise<string[]> {
  return (await db.many(selectDomainsOfSite, [site])).map((row) => row.domain);
}

/** A chore: removes rows that are no longer needed. */
export async function forgetOldSites(db: Sql): Promise<void> {
  await db.exec(removeOver);
  await db.exec(removeForgotten);
  await db.exec(removeOldDomains);
}
