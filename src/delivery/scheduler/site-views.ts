/** Sites as the API shows them (sites/site-view.ts). */
import { createHash } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import { liveWorkers } from '../../outbox/lease.ts';
import { countDueBefore } from '../../outbox/status.ts';
import { wakeWorkers } from '../../outbox/wake.ts';
import { covers } from '../../routing/match.ts';
import { readTable } from '../../routing/store.ts';
import type { Rule } from '../../routing/table.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { SiteView, SiteViews, WaitingFor, WaitingMail } from '../../sites/site-view.ts';
import { expectedAtMs } from './expectation.ts';
import { queueBySite, queueOfBySite, type SiteQueue, UNKNOWN_SITE, withPauses } from './queue-view.ts';
import { type RoutingAtPresent, routedWait } from './routed-wait.ts';
import { ROUTED, siteMessage } from './site-messages.ts';
import { loadSites, pauseSite, resumeSite, trySiteNow } from './site-store.ts';
import { loadSources } from './source-store.ts';

/** A site may have thousands of domains, of which the API shows some. */
const MAX_DOMAINS = 20;
const ID_CHARS = 20;

interface SiteViewsOptions {
  /** Whether the route table applies. It applies in live mode. */
  readonly isRouted?: boolean;
}

export function createSiteViews(clock: Clock, { isRouted = false }: SiteViewsOptions = {}): SiteViews {
  const known = (queues: readonly SiteQueue[]) => queues.filter(({ site }) => site !== UNKNOWN_SITE);
  return {
    ofOrganization: async (db, organizationId) => {
      const queues = known(await queueOfBySite(db, organizationId, clock.nowMs()));
      return toViews(queues, await rulesOf(db, isRouted, organizationId), clock.nowMs());
    },
    ofInstallation: async (cells) => {
      const queues = known(await queueBySite(cells, clock.nowMs()));
      return toViews(queues, await rulesOf(cells[0] as Sql, isRouted, null), clock.nowMs());
    },
    waitingFor: (db, organizationId, mail) => waitingFor(db, organizationId, mail, isRouted, clock.nowMs()),
    isWorkerRunning,
    pause: (db, name) => pauseSite(db, name),
    resume: (db, name) => andWake(db, resumeSite(db, name)),
    tryNow: (db, name) => andWake(db, trySiteNow(db, name, clock.nowMs())),
  };
}

async function andWake({ cells }: Database, change: Promise<unknown>): Promise<void> {
  await change;
  await Promise.all(cells.map((cell) => wakeWorkers(cell.db)));
}

async function isWorkerRunning(db: Sql): Promise<boolean> {
  return (await liveWorkers(db)).length > 0;
}

async function waitingFor(
  db: Sql,
  organizationId: string,
  mail: readonly WaitingMail[],
  isRouted: boolean,
  nowMs: number,
): Promise<WaitingFor[]> {
  const queues = await queueOfBySite(db, organizationId, nowMs);
  const running = await isWorkerRunning(db);
  const routing = isRouted ? await routingAtPresent(db, nowMs) : null;
  return Promise.all(
    mail.map(async (one) => {
      const home = queues.find(({ domains }) => domains.includes(one.domain));
      if (home === undefined || home.site === UNKNOWN_SITE)
        return { site: null, destination: null, isWorkerRunning: running, expectedAt: null };
      const destination = { name: home.site, provider: home.provider };
      const path = routing && routedWait(organizationId, one, home, routing);
      if (path === 'unknown') return { site: null, destination, isWorkerRunning: running, expectedAt: null };
      const [found = home] = path === null || path === 'home' ? [home] : await withPauses(db, [path]);
      const { dueAt } = one;
      const isSlow = found.state === 'slow';
      const ahead = isSlow ? await countDueBefore(db, organizationId, found.domains, dueAt) : 0;
      const expected = running ? expectedAtMs(found, { dueAtMs: dueAt.getTime(), ahead }, nowMs) : null;
      const site = toView(found, nowMs);
      return { site, destination, isWorkerRunning: running, expectedAt: dateOf(expected) };
    }),
  );
}

/** Null where the route table has no rules. */
async function routingAtPresent(db: Sql, nowMs: number): Promise<RoutingAtPresent | null> {
  const table = await readTable(db);
  if (table.rules.length === 0) return null;
  const conditions = await loadSites(db);
  const live = new Set(await liveWorkers(db));
  const sources = [...(await loadSources(db))].filter(([epoch]) => live.has(epoch));
  const isPresent = (address: string) => sources.some(([, addresses]) => addresses.has(address));
  return { table, conditions, isPresent, nowMs };
}

/** The rules that may match mail of the organization; null for all organizations. */
async function rulesOf(db: Sql, isRouted: boolean, organizationId: string | null): Promise<readonly Rule[]> {
  if (!isRouted) return [];
  const { rules } = await readTable(db);
  return rules.filter(
    ({ match: { organizations } }) =>
      organizationId === null || (organizations?.includes(organizationId) ?? true),
  );
}

/** Mail is counted at the site of its recipients, though it may be sent over a relay and wait for the relay. */
function toViews(queues: readonly SiteQueue[], rules: readonly Rule[], nowMs: number): SiteView[] {
  return queues.map((queue) => {
    const view = toView(queue, nowMs);
    return mayBeRouted(queue, rules) ? { ...view, message: `${view.message} ${ROUTED}` } : view;
  });
}

function mayBeRouted({ domains, provider }: SiteQueue, rules: readonly Rule[]): boolean {
  const shown = domains.slice(0, MAX_DOMAINS);
  return rules.some(
    ({ match: { providers, recipient_domains: recipients } }) =>
      (providers?.includes(provider) ?? true) &&
      shown.some((domain) => recipients?.some((pattern) => covers(pattern, domain)) ?? true),
  );
}

function toView(queue: SiteQueue, nowMs: number): SiteView {
  const { site, provider, state, oldestDueSeconds } = queue;
  return {
    id: siteId(site),
    name: site,
    provider: provider === '' ? null : provider,
    state,
    message: siteMessage(queue),
    since: dateOf(queue.sinceMs),
    until: state === 'blocked' ? dateOf(queue.untilMs) : null,
    reason: queue.reason,
    reply: queue.detail,
    messages_per_minute: state === 'slow' ? queue.pace : null,
    connections: queue.connections,
    due: queue.due,
    scheduled: queue.waiting,
    oldest_due_at: dateOf(oldestDueSeconds === null ? null : nowMs - oldestDueSeconds * 1000),
    domains: [...queue.domains].sort().slice(0, MAX_DOMAINS),
  };
}

/** The id in URLs, because names are long and may contain brackets. */
export function siteId(name: string): string {
  return `site_${createHash('sha256').update(name).digest('hex').slice(0, ID_CHARS)}`;
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
