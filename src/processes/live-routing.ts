/** Assembles and starts, in order, the services that a live worker needs for routing. */
import type { TlsSessionCounts } from '../delivery/tls/session-counts.ts';
import { ReturnPathHosts } from '../domains/return-path-host.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import { createLiveRouter } from './live-router.ts';
import { createRouting, type Routing, type RoutingParts } from './routing.ts';
import { startTlsServices, type TlsServiceDeps } from './tls-reporting.ts';

export type LiveRoutingParts = Omit<RoutingParts, 'router' | 'resolver' | 'tls'> & TlsServiceDeps;

export interface LiveRouting {
  readonly routing: Routing;
  readonly returnPathHosts: ReturnPathHosts;
  /** Undefined when no TLS reports are sent. */
  readonly tlsCounts: TlsSessionCounts | undefined;
}

export async function startLiveRouting(parts: LiveRoutingParts, lifecycle: Lifecycle): Promise<LiveRouting> {
  const { config, clock } = parts;
  const { resolver, tls, counts } = await startTlsServices(parts, lifecycle);
  const live = { ...parts, resolver, tls };
  const routing = createRouting({ ...live, router: createLiveRouter(live) });
  for (const service of routing.services) await lifecycle.start(service);
  const returnPathHosts = new ReturnPathHosts({ resolver, clock, host: config.hostname });
  return { routing, returnPathHosts, tlsCounts: counts };
}
