/** Everything that a worker in live mode needs to know where mail goes: started in order. */
import { ReturnPathHosts } from '../domains/return-path-host.ts';
import { closing, type Lifecycle } from '../kit/runtime/lifecycle.ts';
import { Housekeeper } from '../maintenance/housekeeper.ts';
import { createLiveRouter } from './live-router.ts';
import { createRouting, type Routing, type RoutingParts } from './routing.ts';
import { createMailDns, createTlsPolicies, type TlsPolicyDeps, tlsPolicyChores } from './tls-policies.ts';

export type LiveRoutingParts = Omit<RoutingParts, 'router' | 'resolver' | 'tls'> &
  Omit<TlsPolicyDeps, 'resolver' | 'dane'>;

export interface LiveRouting {
  readonly routing: Routing;
  readonly returnPathHosts: ReturnPathHosts;
}

export async function startLiveRouting(parts: LiveRoutingParts, lifecycle: Lifecycle): Promise<LiveRouting> {
  const { config, clock, log } = parts;
  const dns = createMailDns(config, clock);
  const { resolver } = dns;
  await lifecycle.start(closing('resolver', async () => resolver.close()));
  const tls = createTlsPolicies({ ...parts, ...dns });
  await lifecycle.start(new Housekeeper(tlsPolicyChores(parts, tls), log));
  const live = { ...parts, resolver, tls };
  const routing = createRouting({ ...live, router: createLiveRouter(live) });
  for (const service of routing.services) await lifecycle.start(service);
  return { routing, returnPathHosts: new ReturnPathHosts({ resolver, clock, host: config.hostname }) };
}
