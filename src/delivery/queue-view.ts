/** The queue by site: what waits where, and why. Reads only. */
import type { Sql } from '../database/sql.ts';
import { type QueueStatus, queueByDomain } from '../outbox/status.ts';
import { ALL_WELL, type SiteCondition, type Standing, standingOf } from './site-condition.ts';
import { loadSites, sitesOfDomains } from './site-store.ts';

export interface SiteQueue extends QueueStatus {
  readonly site: string;
  readonly provider: string;
  readonly domains: number;
  readonly standing: Standing;
  /** Until when, for a block. */
  readonly untilMs: number | null;
  readonly sinceMs: number | null;
  /** Messages a minute, where it is slow. */
  readonly pace: number | null;
  /** At most so many at a time, where it said that there were too many. */
  readonly connections: number | null;
  readonly reason: string | null;
  readonly detail: string | null;
}

/** Domains that no worker has looked at yet, all together. */
export const UNKNOWN_SITE = '(not looked at yet)';

/** Those with the most mail that is due first; sites with something to say are there without mail too. */
export async function queueBySite(db: Sql, nowMs: number): Promise<SiteQueue[]> {
  const queues = await queueByDomain(db);
  const domains = queues.map((one) => one.domain);
  const [sites, conditions] = [await sitesOfDomains(db, domains), await loadSites(db)];
  const views = new Map<string, SiteQueue>();
  for (const [name, condition] of conditions) views.set(name, viewOf(name, '', condition, nowMs));
  for (const queue of queues) {
    const { site, provider } = sites.get(queue.domain) ?? { site: UNKNOWN_SITE, provider: '' };
    const view = views.get(site) ?? viewOf(site, provider, undefined, nowMs);
    views.set(site, { ...add(view, queue), provider });
  }
  return [...views.values()].sort(
    (a, b) => b.due - a.due || b.waiting - a.waiting || (a.site < b.site ? -1 : 1),
  );
}

function viewOf(
  site: string,
  provider: string,
  condition: SiteCondition | undefined,
  nowMs: number,
): SiteQueue {
  const { block, slow, narrow } = condition ?? ALL_WELL;
  const why = block ?? slow ?? narrow;
  return {
    site,
    provider,
    domains: 0,
    waiting: 0,
    due: 0,
    claimed: 0,
    oldestDueSeconds: null,
    standing: standingOf(condition ?? ALL_WELL, nowMs),
    untilMs: block?.untilMs ?? null,
    sinceMs: why?.sinceMs ?? null,
    pace: slow?.pace ?? null,
    connections: narrow?.connections ?? null,
    reason: why?.reason ?? null,
    detail: why?.detail ?? null,
  };
}

function add(view: SiteQueue, queue: QueueStatus): SiteQueue {
  const ages = [view.oldestDueSeconds, queue.oldestDueSeconds].filter((age) => age !== null);
  return {
    ...view,
    domains: view.domains + 1,
    waiting: view.waiting + queue.waiting,
    due: view.due + queue.due,
    claimed: view.claimed + queue.claimed,
    oldestDueSeconds: ages.length === 0 ? null : Math.max(...ages),
  };
}
