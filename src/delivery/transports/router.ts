/**
 * Finds the servers that mail for a domain is sent to: in live mode the domain's own mail hosts or the configured relay, in the
 * sandbox the built-in receiver. A route has hops to try in order. Each hop has an address, so that later steps resolve no names.
 * Without a hop there is a problem that names the reason.
 */
import { isIP } from 'node:net';
import type { StsPolicies } from '../../protocols/dns/mta-sts.ts';
import {
  lookupMailHostNames,
  lookupMailHosts,
  type MailHostOptions,
  type MailHostsProblem,
} from '../../protocols/dns/mx.ts';
import { isPublicAddress } from '../../protocols/dns/public-address.ts';
import type { Resolver } from '../../protocols/dns/resolver.ts';
import { createTlsaLookup } from '../../protocols/dns/tlsa-lookup.ts';
import type { ValidatingResolver } from '../../protocols/dns/validating-resolver.ts';
import type { SmtpTarget } from '../../protocols/smtp/facts.ts';
import { parseRelay } from '../../protocols/smtp/relay-url.ts';
import { steadyClock } from '../../runtime/clock.ts';
import { TtlCache } from '../../runtime/ttl-cache.ts';
import { type Route, type RouteProblem, type RouteProblemKind, unroutable } from '../facts.ts';
import { PROVIDER_PROFILES, type ProviderProfile } from '../scheduler/providers.ts';
import {
  fixedPolicy,
  type HomeSite,
  type HostSite,
  type RelaySite,
  siteOfHosts,
  UNROUTABLE_SITE,
} from '../scheduler/site.ts';
import type { SiteLookup } from '../scheduler/site-directory.ts';
import type { SessionResult } from '../tls/session-result.ts';
import { type SecuredHosts, secureHosts, unsecuredHosts } from './host-security.ts';

export interface Router extends SiteLookup {
  /** Needs more DNS lookups than `site`. */
  route(domain: string): Promise<Route | RouteProblem>;
}

/** Sandbox mode: every destination is the built-in receiver. */
export function createFixedRouter(target: SmtpTarget): Router {
  const route: Route = { kind: 'route', hops: [{ isSandbox: true, ...target }], equals: 1 };
  const policy = fixedPolicy(target.maxConnections ?? DEFAULT_CONNECTIONS, 'none');
  const site: HostSite = { kind: 'hosts', name: target.host, provider: 'sandbox', policy };
  return { route: async () => route, site: async () => site };
}

const DEFAULT_CONNECTIONS = 10;

export interface MxRouterOptions {
  readonly resolver: Resolver;
  readonly port: number;
  readonly ehloName: string;
  /** Allows loopback and private addresses, for tests and intranets. */
  readonly allowPrivate: boolean;
  /** Addresses of this machine, which are refused even where private addresses are allowed. */
  readonly ownAddresses?: readonly string[];
  readonly random: () => number;
  readonly ipv6?: MailHostOptions['ipv6'];
  readonly profiles?: readonly ProviderProfile[];
  readonly sts?: Pick<StsPolicies, 'policyFor' | 'isSure'>;
  /** The same resolver, if it reports which answers DNSSEC has validated. */
  readonly dane?: ValidatingResolver | undefined;
  /** No host of the domain meets the requirements of its MTA-STS policy or its TLSA records. */
  readonly onUnsecured?: ((domain: string, result: SessionResult) => void) | undefined;
  /** Hosts that an MTA-STS policy would refuse if it were not in testing. */
  readonly onTolerated?: (domain: string, hosts: readonly string[]) => void;
}

/** Live mode: the mail hosts of the domain. */
export function createMxRouter(options: MxRouterOptions): Router {
  const own = new Set(options.ownAddresses);
  const how = {
    random: options.random,
    tlsa: options.dane && createTlsaLookup(options.dane, options.port),
    ipv6: options.ipv6 ?? 'never',
    accepts: (address: string) => !own.has(address) && (options.allowPrivate || isPublicAddress(address)),
  };
  const profiles = options.profiles ?? PROVIDER_PROFILES;
  const site = async (domain: string): Promise<HostSite> => {
    const names = await lookupMailHostNames(options.resolver, domain);
    return names === null ? UNROUTABLE_SITE : siteOfHosts(names, profiles);
  };
  const route = async (domain: string): Promise<Route | RouteProblem> => {
    const [found, policy] = await Promise.all([
      lookupMailHosts(options.resolver, domain, how),
      options.sts?.policyFor(domain) ?? null,
    ]);
    if (found.kind === 'none') return unroutable(PROBLEMS[found.problem], found.detail);
    const secured = secureHosts(domain, found, policy, options.sts?.isSure(domain));
    if (secured.kind === 'unroutable') {
      if (secured.tls !== undefined) options.onUnsecured?.(domain, secured.tls);
      return { ...secured, despite: routeOver(unsecuredHosts(found), await site(domain), options) };
    }
    if (secured.tolerated.length > 0) options.onTolerated?.(domain, secured.tolerated);
    return routeOver(secured, await site(domain), options);
  };
  return { site, route: withTtlCache(route) };
}

/** Routes are cached because a busy domain needs its route hundreds of times a second. */
const ROUTE_TTL_MS = 1_000;
const MAX_CACHED_ROUTES = 5_000;

function withTtlCache(find: Router['route']): Router['route'] {
  const routes = new TtlCache<Route>({ keepMs: ROUTE_TTL_MS, max: MAX_CACHED_ROUTES, clock: steadyClock });
  return async (domain) => {
    const known = routes.get(domain);
    if (known !== undefined) return known;
    const found = await find(domain);
    if (found.kind === 'route') routes.set(domain, found);
    return found;
  };
}

function routeOver(
  { hosts }: SecuredHosts,
  { name, policy }: HomeSite,
  { port, ehloName }: MxRouterOptions,
): Route {
  const { connections, messagesPerConnection, requireTls } = policy;
  const asOffered = requireTls ? TLS_OF_PROVIDER : TLS_AS_OFFERED;
  const common = {
    port,
    ehloName,
    group: name,
    maxConnections: connections,
    maxMessagesPerConnection: messagesPerConnection,
  };
  const hops = hosts.flatMap(({ host, addresses, security, nameProof }) => {
    const proof = nameProof === null ? {} : { nameProof };
    return addresses.map(
      (address): SmtpTarget => ({ host, address, ...common, ...proof, ...(security ?? asOffered) }),
    );
  });
  const best = hosts.filter((one) => one.preference === hosts[0]?.preference);
  const equals = best.reduce((sum, one) => sum + one.addresses.length, 0);
  return { kind: 'route', hops, equals };
}

const TLS_OF_PROVIDER = { tls: 'required', tlsPolicy: 'provider' } as const;
const TLS_AS_OFFERED = { tls: 'opportunistic', tlsPolicy: 'opportunistic' } as const;

const PROBLEMS: Record<MailHostsProblem, RouteProblemKind> = {
  nxdomain: 'nxdomain',
  null_mx: 'null_mx',
  no_addresses: 'no_addresses',
  refused_addresses: 'private_destination',
  unavailable: 'dns_unavailable',
};

interface RelayRouterOptions {
  /** `smtp://user:password@host:587`, or `smtps://…` for TLS from the first byte. */
  readonly url: string;
  /** The password, where the URL does not contain it. */
  readonly password?: string | undefined;
  readonly resolver: Resolver;
  readonly ehloName: string;
}

/** The relay may have a private address, because the operator names it and not a recipient's DNS. */
export function createRelayRouter({ url, password, resolver, ehloName }: RelayRouterOptions): Router {
  const relay = parseRelay(url, password);
  const site: RelaySite = {
    kind: 'relay',
    name: `relay ${relay.host}`,
    provider: 'relay',
    policy: fixedPolicy(RELAY_CONNECTIONS, 'steady'),
    recipientSite: null,
  };
  const limits = { group: site.name, maxConnections: RELAY_CONNECTIONS };
  return {
    site: async () => site,
    route: async () => {
      const addresses = await relayAddresses(resolver, relay.host);
      if ('kind' in addresses) return addresses;
      const hops = addresses.map(
        (address): SmtpTarget => ({ ...relay, ...limits, nameProof: 'ours', address, ehloName }),
      );
      return { kind: 'route', hops, equals: hops.length };
    },
  };
}

/** `some` for the given domains, `rest` for the others. `*.example.com` matches every subdomain, and not example.com. */
export function createSplitRouter(domains: readonly string[], some: Router, rest: Router): Router {
  const exact = new Set(domains.filter((one) => !one.startsWith('*.')));
  const below = domains.filter((one) => one.startsWith('*.')).map((one) => one.slice(1));
  const routerOf = (domain: string) =>
    exact.has(domain) || below.some((suffix) => domain.endsWith(suffix)) ? some : rest;
  return {
    site: (domain) => routerOf(domain).site(domain),
    route: (domain) => routerOf(domain).route(domain),
  };
}

const RELAY_CONNECTIONS = 20;

/** A problem of the relay says nothing about the recipient: mail waits until the relay works again. */
async function relayAddresses(resolver: Resolver, host: string): Promise<readonly string[] | RouteProblem> {
  if (isIP(host) !== 0) return [host];
  if (host === 'localhost') return ['127.0.0.1', '::1'];
  const found = await resolver.addresses(host);
  switch (found.kind) {
    case 'found':
      return found.records;
    case 'unavailable':
      return unroutable('dns_unavailable', `DNS did not answer for the relay ${host} (${found.code}).`);
    case 'none':
    case 'nxdomain':
      return unroutable('dns_unavailable', `The relay ${host} has no address in DNS.`);
  }
}
