/** Where mail goes in live mode, put together from the configuration: a relay, or the mail hosts of the domains. */
import { networkInterfaces } from 'node:os';
import {
  createMxRouter,
  createRelayRouter,
  createSplitRouter,
  type Router,
} from '../delivery/attempt/route.ts';
import { loadProfiles } from '../delivery/scheduler/providers.ts';
import type { Resolver } from '../kit/dns/resolver.ts';
import { BoundedMap } from '../kit/runtime/bounded-map.ts';
import type { Config } from '../kit/runtime/config.ts';
import type { Log } from '../kit/runtime/log.ts';
import type { TlsPolicies } from './tls-policies.ts';

export interface LiveRouterDeps {
  readonly config: Config;
  readonly log: Log;
  readonly resolver: Resolver;
  /** The same for all routers: what is known of a domain is known on every way to it. */
  readonly tls: TlsPolicies;
}

export function createLiveRouter(deps: LiveRouterDeps): Router {
  const { config, resolver } = deps;
  const { relayUrl, relayDomains, hostname } = config;
  if (relayUrl === undefined) return createDirectRouter(deps);
  const relay = createRelayRouter({ url: relayUrl, resolver, ehloName: hostname });
  return relayDomains === undefined
    ? relay
    : createSplitRouter(relayDomains, relay, createDirectRouter(deps));
}

function createDirectRouter(deps: LiveRouterDeps): Router {
  const { config, log, resolver, tls } = deps;
  const allowPrivate = config.allowPrivateDestinations;
  return createMxRouter({
    resolver,
    port: config.mxPort,
    ehloName: config.hostname,
    allowPrivate,
    ownAddresses: allowPrivate ? [] : ownAddresses(),
    random: Math.random,
    ipv6: config.ipv6 ? 'last' : 'never',
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

/** Mail that comes back to this machine would go in circles. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}
