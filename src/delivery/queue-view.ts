/** The queue by site: what waits where, and why. Reads only. */
import type { Sql } from '../database/sql.ts';
import { type QueueStatus, queueByDomain } from '../outbox/status.ts';
import { type SiteCondition, type Standing, standingOf } from './site-condition.ts';
import { loadSites, sitesOfDomains } from './site-store.ts';

export interface SiteQueue extends QueueStatus {
  readonly site: string;
  readonly provider: string;
  readonly domains: number;
  readonly standing: Standing;
  /** Until when, for a block or a slow time. */
  readonly untilMs: number | null;
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
  const standing = condition === undefined ? 'open' : standingOf(condition, nowMs);
  return {
    site,
    provider,
    domains: 0,
    waiting: 0,
    due: 0,
    claimed: 0,
    oldestDueSeconds: null,
    standing,
    untilMs: standing === 'slow' ? (condition?.slowUntilMs ?? null) : (condition?.blockedUntilMs ?? null),
    reason: condition?.reason ?? null,
    detail: condition?.detail ?? null,
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
