/** The queue by site: how much mail waits, and for what reason. Reads only. */
import type { Sql } from '../../database/sql.ts';
import {
  type DomainQueue,
  type QueueStatus,
  queueByDomain,
  queueOfOrganization,
} from '../../outbox/status.ts';
import type { SiteState } from '../../sites/site-view.ts';
import { unverifiedDomainSiteName } from './site.ts';
import { ALL_WELL, type SiteCondition, siteStateOf } from './site-condition.ts';
import { loadPauses, loadSites, sitesOfDomains } from './site-store.ts';

export interface SiteQueue extends QueueStatus {
  readonly site: string;
  readonly provider: string;
  /** The domains whose mail waits there. */
  readonly domains: readonly string[];
  readonly state: SiteState;
  /** The end of a block. */
  readonly untilMs: number | null;
  readonly sinceMs: number | null;
  /** Messages a minute; null where the site is not slow. */
  readonly pace: number | null;
  /** The limit of connections; null where the site refused none. */
  readonly connections: number | null;
  readonly reason: string | null;
  readonly detail: string | null;
}

/** Stands for the site of all domains that no worker has looked up yet. */
export const UNKNOWN_SITE = '(not looked at yet)';

type Conditions = ReadonlyMap<string, SiteCondition>;

/** For all organizations; the sites with the most due mail first. Sites that are not open are included even without mail. */
export async function queueBySite(cells: readonly Sql[], nowMs: number): Promise<SiteQueue[]> {
  const conditions = await loadSites(cells[0] as Sql);
  let views = [...conditions].map(([name, condition]) => viewOf(name, '', condition, nowMs));
  for (const cell of cells) views = await gather(cell, await queueByDomain(cell), conditions, views, nowMs);
  return views;
}

/** The sites that mail of one organization waits for. Counts only that mail. */
export async function queueOfBySite(db: Sql, organizationId: string, nowMs: number): Promise<SiteQueue[]> {
  const queues = await queueOfOrganization(db, organizationId);
  return gather(db, queues, await loadSites(db), [], nowMs);
}

async function gather(
  db: Sql,
  queues: readonly DomainQueue[],
  conditions: Conditions,
  bare: readonly SiteQueue[],
  nowMs: number,
): Promise<SiteQueue[]> {
  const sites = await sitesOfDomains(
    db,
    queues.map((one) => one.domain),
  );
  const views = new Map(bare.map((view) => [view.site, view]));
  for (const queue of queues) {
    const known = sites.get(queue.domain);
    const site = known === undefined ? UNKNOWN_SITE : waitingPlaceOf(known.site, queue.domain, conditions);
    const provider = known?.provider ?? '';
    const view = views.get(site) ?? viewOf(site, provider, conditions.get(site), nowMs);
    views.set(site, { ...add(view, queue), provider });
  }
  return (await withPauses(db, [...views.values()])).sort(
    (a, b) => b.due - a.due || b.waiting - a.waiting || (a.site < b.site ? -1 : 1),
  );
}

/** Replaces `sinceMs` of paused sites by the start of the pause. */
export async function withPauses(db: Sql, views: readonly SiteQueue[]): Promise<SiteQueue[]> {
  if (!views.some(({ state }) => state === 'paused')) return [...views];
  const pauses = await loadPauses(db);
  return views.map((view) =>
    view.state === 'paused' ? { ...view, sinceMs: pauses.get(view.site) ?? view.sinceMs } : view,
  );
}

/** The queue that the domain's mail waits in: its own queue, where an unverified domain has a condition of its own. */
export function waitingPlaceOf(site: string, domain: string, conditions: Conditions): string {
  const own = unverifiedDomainSiteName({ name: site }, domain);
  return conditions.has(own) ? own : site;
}

export function viewOf(
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
    domains: [],
    waiting: 0,
    due: 0,
    claimed: 0,
    oldestDueSeconds: null,
    state: siteStateOf(condition ?? ALL_WELL, nowMs),
    untilMs: block?.untilMs ?? null,
    sinceMs: why?.sinceMs ?? null,
    pace: slow?.pace ?? null,
    connections: narrow?.connections ?? null,
    reason: why?.reason ?? null,
    detail: why?.detail ?? null,
  };
}

function add(view: SiteQueue, queue: DomainQueue): SiteQueue {
  const ages = [view.oldestDueSeconds, queue.oldestDueSeconds].filter((age) => age !== null);
  return {
    ...view,
    domains: view.domains.includes(queue.domain) ? view.domains : [...view.domains, queue.domain],
    waiting: view.waiting + queue.waiting,
    due: view.due + queue.due,
    claimed: view.claimed + queue.claimed,
    oldestDueSeconds: ages.length === 0 ? null : Math.max(...ages),
  };
}
