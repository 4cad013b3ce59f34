/** Assembles the route table for the API. */
import { loadProfiles } from '../delivery/scheduler/providers.ts';
import { createTransportHealthSource } from '../delivery/scheduler/transport-health.ts';
import { TRANSACTIONAL } from '../emails/stream.ts';
import type { Resolver } from '../protocols/dns/resolver.ts';
import { parseRelay } from '../protocols/smtp/relay-url.ts';
import { relayPasswordBox } from '../routing/password-box.ts';
import type { RoutingRouteDeps } from '../routing/routes.ts';
import type { RoutingDeps } from '../routing/service.ts';
import type { FindDestination } from '../routing/transport-health.ts';
import type { DefaultRoute } from '../routing/view.ts';
import type { Config } from '../runtime/config.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { ApiDeps } from './api-parts.ts';
import { createLiveRouter, type LiveRouterDeps } from './live-router.ts';
import { createTlsPolicies } from './tls-reporting.ts';

export function createRouteEditing(deps: ApiDeps, ring: KeyRing, resolver: Resolver): RoutingRouteDeps {
  const { config, clock } = deps;
  return {
    ...routingDeps(deps, ring),
    board: createTransportHealthSource(clock),
    home: defaultRoute(config),
    destinationOf:
      config.mode === 'sandbox'
        ? async () => null
        : finder({ ...deps, resolver, tls: createTlsPolicies({ ...deps, resolver }) }),
    stream: TRANSACTIONAL,
    nowMs: () => clock.nowMs(),
  };
}

export function routingDeps({ db, config }: Pick<ApiDeps, 'db' | 'config'>, ring: KeyRing): RoutingDeps {
  const providers = [...new Set([...loadProfiles(config.providersFile).map(({ name }) => name), 'other'])];
  return { db, box: relayPasswordBox(ring), providers };
}

function finder(deps: LiveRouterDeps): FindDestination {
  const router = createLiveRouter(deps);
  return async (domain) => {
    const home = await router.site(domain);
    const { name: site, provider } = (await router.recipientSite?.(domain)) ?? home;
    return { site, provider, home: home.name };
  };
}

function defaultRoute({ mode, relayUrl, relayDomains }: Config): DefaultRoute {
  if (mode === 'sandbox')
    return { kind: 'sandbox', message: 'In the sandbox all mail goes to the built-in receiver.' };
  if (relayUrl === undefined)
    return { kind: 'direct', message: 'Mail goes directly to the mail hosts of its recipients.' };
  const { host } = parseRelay(relayUrl);
  const which = relayDomains === undefined ? 'Mail goes' : `Mail for ${relayDomains.join(', ')} goes`;
  const rest =
    relayDomains === undefined ? '' : ' Other mail goes directly to the mail hosts of its recipients.';
  return { kind: 'relay', message: `${which} through the relay ${host} (POSTRIDER_RELAY_URL).${rest}` };
}
