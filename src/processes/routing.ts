/** Assembles the route table of a live worker. */

import type { Database } from '../database/database.ts';
import type { HomeSite } from '../delivery/scheduler/site.ts';
import type { TlsSessionCounts } from '../delivery/tls/session-counts.ts';
import { Allowances } from '../delivery/transports/allowances.ts';
import { LocalSources, registerRouteMetrics } from '../delivery/transports/local-sources.ts';
import { RoutePlanner, type Routes } from '../delivery/transports/planner.ts';
import type { Router } from '../delivery/transports/router.ts';
import { ReturnPathHosts } from '../domains/return-path-host.ts';
import { CurrentTable } from '../routing/current-table.ts';
import { relayPasswordBox } from '../routing/password-box.ts';
import type { RouteTable } from '../routing/table.ts';
import type { Clock } from '../runtime/clock.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { Lifecycle, Service } from '../runtime/lifecycle.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { createLiveRouter, createLiveRoutes, type LiveRouterDeps } from './live-router.ts';
import { startTlsServices, type TlsServiceDeps } from './tls-reporting.ts';

interface RoutingParts extends LiveRouterDeps {
  readonly db: Database;
  readonly ring: KeyRing;
  readonly clock: Clock;
  readonly metrics?: Metrics | undefined;
  /** The router configured by the environment. */
  readonly router: Router;
  /** Called when mail may take another path. */
  readonly onChange: () => void;
}

interface Routing {
  /** The given router. While there are rules, its sites include the recipients' own sites behind a relay. */
  readonly router: Router;
  readonly routes: Routes;
  /** In starting order. */
  readonly services: readonly Service[];
  /** Call when the table may have changed. */
  refresh(): void;
}

function createRouting(parts: RoutingParts): Routing {
  const { db, log, ring, router: home, metrics, onChange } = parts;
  const changed = () => {
    planner.renew();
    onChange();
  };
  const sources = new LocalSources({ log, onChange: changed });
  const table = new CurrentTable({
    db,
    log,
    box: relayPasswordBox(ring),
    onChange: async (now) => {
      await sources.watch(addressesIn(now));
      changed();
    },
  });
  const allowances = new Allowances(parts);
  const planner = new RoutePlanner({ table, sources, home, allowances, ...createLiveRoutes(parts) });
  if (metrics !== undefined) registerRouteMetrics(metrics, sources);
  return {
    router: { ...home, site: (domain) => siteOf(home, domain, table.now) },
    routes: planner,
    services: [sources, table],
    refresh: () => table.refresh(),
  };
}

function addressesIn({ transports }: RouteTable): string[] {
  const named = transports.flatMap((one) => (one.kind === 'direct' ? one.sources : []));
  return [...new Set(named.map(({ address }) => address))];
}

async function siteOf(home: Router, domain: string, { rules }: RouteTable): Promise<HomeSite> {
  const site = await home.site(domain);
  if (site.kind !== 'relay' || home.recipientSite === undefined || rules.length === 0) return site;
  return { ...site, recipientSite: await home.recipientSite(domain) };
}

type LiveRoutingParts = Omit<RoutingParts, 'router' | 'resolver' | 'tls'> & TlsServiceDeps;

export interface LiveRouting {
  readonly routing: Routing;
  readonly returnPathHosts: ReturnPathHosts;
  /** Undefined when no TLS reports are sent. */
  readonly tlsCounts: TlsSessionCounts | undefined;
}

/** Assembles and starts, in order, the services that a live worker needs for routing. */
export async function startLiveRouting(parts: LiveRoutingParts, lifecycle: Lifecycle): Promise<LiveRouting> {
  const { config, clock } = parts;
  const { resolver, tls, counts } = await startTlsServices(parts, lifecycle);
  const live = { ...parts, resolver, tls };
  const routing = createRouting({ ...live, router: createLiveRouter(live) });
  for (const service of routing.services) await lifecycle.start(service);
  const returnPathHosts = new ReturnPathHosts({ resolver, clock, host: config.hostname });
  return { routing, returnPathHosts, tlsCounts: counts };
}
