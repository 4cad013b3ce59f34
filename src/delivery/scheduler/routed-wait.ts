/**
 * Finds the queue that routed mail waits in: that of the path it would take now, or of the path that reopens first. Pure.
 */
import { percentOf } from '../../routing/canary/plan.ts';
import { candidatesOf } from '../../routing/choice.ts';
import { isForMail } from '../../routing/match.ts';
import { type RouteTable, relaySiteName, sourceSiteName } from '../../routing/table.ts';
import type { WaitingMail } from '../../sites/site-view.ts';
import { type SiteQueue, viewOf, waitingPlaceOf } from './queue-view.ts';
import { shortened } from './site.ts';
import type { SiteCondition } from './site-condition.ts';

export interface RoutingAtPresent {
  readonly table: RouteTable;
  readonly conditions: ReadonlyMap<string, SiteCondition>;
  /** Whether a running worker has the address. */
  readonly isPresent: (address: string) => boolean;
  readonly nowMs: number;
}

/** The provider of the configured relay. The recipients' provider behind a relay is unknown. */
const RELAY = 'relay';

/** `home`: the mail waits for the site of its domain. `unknown`: only a worker can look the site up. */
export function routedWait(
  organizationId: string,
  mail: WaitingMail,
  home: Pick<SiteQueue, 'site' | 'provider'>,
  present: RoutingAtPresent,
): SiteQueue | 'home' | 'unknown' {
  const { table } = present;
  const isBehindRelay = home.provider === RELAY;
  const facts = { organizationId, provider: home.provider, ...mail };
  const rule = table.rules.find(
    (one) => isForMail(one, facts) || (isBehindRelay && isForMail(withoutProviders(one), facts)),
  );
  if (rule === undefined) return 'home';
  if (isBehindRelay && rule.match.providers !== undefined) return 'unknown';
  const percent = percentOf(table.percents, rule.canary, home.provider);
  const transports = new Map(table.transports.map((one) => [one.name, one]));
  const paths = candidatesOf(rule, transports, mail, percent).map((path): SiteQueue | 'home' | 'unknown' => {
    if (path.kind === 'default') return 'home';
    if (path.kind === 'relay') return viewAt(relaySiteName(path.transport), RELAY, mail, present);
    if (!present.isPresent(path.source.address)) return absent(path.source.address, home, present);
    if (isBehindRelay) return 'unknown';
    return viewAt(shortened(sourceSiteName(home.site, path.source.address)), home.provider, mail, present);
  });
  return paths.find((path) => typeof path === 'string' || isOpen(path)) ?? firstToReopen(paths) ?? 'home';
}

function withoutProviders(rule: RouteTable['rules'][number]): RouteTable['rules'][number] {
  const { providers: _providers, ...match } = rule.match;
  return { ...rule, match };
}

function viewAt(
  name: string,
  provider: string,
  { domain }: WaitingMail,
  { conditions, nowMs }: RoutingAtPresent,
): SiteQueue {
  const site = waitingPlaceOf(name, domain, conditions);
  return { ...viewOf(site, provider, conditions.get(site), nowMs), domains: [domain] };
}

function absent(
  address: string,
  home: Pick<SiteQueue, 'site' | 'provider'>,
  { nowMs }: RoutingAtPresent,
): SiteQueue {
  const view = viewOf(sourceSiteName(home.site, address), home.provider, undefined, nowMs);
  return { ...view, state: 'blocked', reason: 'source_unavailable' };
}

function isOpen({ state }: SiteQueue): boolean {
  return state === 'open' || state === 'slow';
}

function firstToReopen(paths: readonly (SiteQueue | string)[]): SiteQueue | undefined {
  const views = paths.filter((path) => typeof path !== 'string');
  const untilMs = (view: SiteQueue) =>
    view.state === 'paused' ? Number.POSITIVE_INFINITY : (view.untilMs ?? Number.MAX_VALUE);
  return views.toSorted((one, other) => untilMs(one) - untilMs(other))[0];
}
