/** Assembles live routing from the configuration: a relay, or the MX hosts of the domains. */
import { networkInterfaces } from 'node:os';
import { loadProfiles } from '../delivery/scheduler/providers.ts';
import type { RoutePlannerOptions } from '../delivery/transports/planner.ts';
import {
  createMxRouter,
  createRelayRouter,
  createSplitRouter,
  type MxRouterOptions,
  type Router,
} from '../delivery/transports/router.ts';
import type { Resolver } from '../protocols/dns/resolver.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';
import type { TlsPolicies } from './tls-reporting.ts';

export interface LiveRouterDeps {
  readonly config: Config;
  readonly log: Log;
  readonly resolver: Resolver;
  /** Shared by all routers, so that policies of a domain apply on every path. */
  readonly tls: TlsPolicies;
}

export function createLiveRouter(deps: LiveRouterDeps): Router {
  const { config, resolver } = deps;
  const { relayUrl, relayDomains, hostname } = config;
  const direct = createDirectRouter(deps);
  if (relayUrl === undefined) return direct;
  const relay = createRelayRouter({ url: relayUrl, resolver, ehloName: hostname });
  const router = relayDomains === undefined ? relay : createSplitRouter(relayDomains, relay, direct);
  return { ...router, recipientSite: (domain) => direct.site(domain) };
}

type LiveRoutes = Pick<RoutePlannerOptions, 'direct' | 'relay' | 'ehloName'>;

/**
 * The route table's additional paths: a source address of one family only reaches destinations of that
 * family.
 */
export function createLiveRoutes(deps: LiveRouterDeps): LiveRoutes {
  const { hostname: ehloName } = deps.config;
  return {
    direct: { ipv4: createDirectRouter(deps, 'never'), ipv6: createDirectRouter(deps, 'only') },
    relay: ({ transport: { url }, password }) =>
      createRelayRouter({ url, password, resolver: deps.resolver, ehloName }),
    ehloName,
  };
}

function createDirectRouter(
  deps: LiveRouterDeps,
  ipv6: MxRouterOptions['ipv6'] = deps.config.ipv6 ? 'last' : 'never',
): Router {
  const { config, log, resolver, tls } = deps;
  const allowPrivate = config.allowPrivateDestinations;
  return createMxRouter({
    resolver,
    port: config.mxPort,
    ehloName: config.hostname,
    allowPrivate,
    ownAddresses: allowPrivate ? [] : ownAddresses(),
    random: Math.random,
    ipv6,
    profiles: loadProfiles(config.providersFile),
    ...tls,
    onTolerated: oncePerDomain((domain, hosts) =>
      log.warn(
        { domain, hosts },
        'mail hosts are not in the MTA-STS policy of the domain, which is in testing',
      ),
    ),
  });
}

type Tell = (domain: string, hosts: readonly string[]) => void;

const MAX_TOLD = 1_000;

function oncePerDomain(tell: Tell): Tell {
  const told = new BoundedMap<string, true>(MAX_TOLD);
  return (domain, hosts) => {
    if (told.has(domain)) return;
    told.set(domain, true);
    tell(domain, hosts);
  };
}

/** Mail for this machine's own addresses would loop. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}
