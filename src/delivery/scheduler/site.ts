/**
 * A site is a destination with limits of its own. All domains with the same mail hosts share a site, and so do all domains
 * of a large provider. Connection limits, blocks and turns belong to the site. Pure.
 */
import { createHash } from 'node:crypto';
import { sourceSiteName } from '../../routing/table.ts';
import { type ProviderProfile, profileOf, type Suspension } from './providers.ts';

interface SiteBase {
  readonly name: string;
  /** A label with few values, for metrics. */
  readonly provider: string;
  readonly policy: SitePolicy;
}

/** The mail hosts of a provider, or of the domains that share them. In the sandbox the built-in receiver. */
export interface HostSite extends SiteBase {
  readonly kind: 'hosts';
}

/** A relay. */
export interface RelaySite extends SiteBase {
  readonly kind: 'relay';
  /** The site of the recipients' own mail hosts; null where no rule needs it, because it is not looked up then. */
  readonly recipientSite: HomeSite | null;
}

/** A site combined with one of our source addresses. Receivers treat each source address differently, so each has its own limits. */
interface SourceSite extends SiteBase {
  readonly kind: 'source';
  readonly site: HomeSite;
  readonly address: string;
}

/** The queue of one domain at a site that has not accepted mail for the domain yet. */
interface UnverifiedDomainSite extends SiteBase {
  readonly kind: 'unverified_domain';
  /** The site whose hosts the mail is sent to. */
  readonly shared: DestinationSite;
}

/** A queue of mail that rules of the route table may send to several sites. Nothing connects to it. */
export interface RoutedSite extends SiteBase {
  readonly kind: 'routed';
  readonly plan: RoutePlan;
  /** The queue holds the mail of one domain, and one of the sites has not accepted mail for that domain yet. */
  readonly isUnverifiedDomain: boolean;
}

/** The destination of a domain's mail if no rule of the route table matches. */
export type HomeSite = HostSite | RelaySite;
/** A site that connections are made to. */
export type DestinationSite = HomeSite | SourceSite;
/** A site or queue with its own connections and its own condition. */
export type ConnectedSite = DestinationSite | UnverifiedDomainSite;
/** A site or queue that holds lanes. */
export type Site = ConnectedSite | RoutedSite;

/** The possible destinations of several lanes' mail, before the mail is loaded. */
export interface RoutePlan {
  /** The destination if no rule matches. */
  readonly home: HomeSite;
  /** For each rule that may match: its steps, each with the sites that it leads to from this worker. */
  readonly sitesByRule: readonly (readonly (readonly DestinationSite[])[])[];
}

export interface SitePolicy {
  /** The most connections at once, over all workers together. */
  readonly connections: number;
  /** The most messages a minute, over all workers together; unlimited where absent. */
  readonly perMinute?: number | undefined;
  readonly messagesPerConnection: number;
  readonly requireTls: boolean;
  /**
   * `learning`: starts with few connections, blocks after failures, slows down when asked to.
   * `steady`: a relay, which serves many destinations; its replies about rates are about one of them.
   * `none`: nothing is learned. The built-in receiver simulates every failure.
   */
  readonly congestionControl: 'learning' | 'steady' | 'none';
  readonly suspensions: readonly Suspension[];
}

/** Characters. A longer name is cut and ends in a digest, because people read and type names. */
const MAX_NAME = 200;
const DIGEST_CHARS = 12;

export function siteOfHosts(hosts: readonly string[], profiles: readonly ProviderProfile[]): HostSite {
  const profile = profileOf(hosts, profiles);
  const { connections, messagesPerConnection, requireTls, suspensions } = profile;
  return {
    kind: 'hosts',
    name: profile.scope === 'provider' ? profile.name : hostSetName(hosts),
    provider: profile.name,
    policy: { connections, messagesPerConnection, requireTls, suspensions, congestionControl: 'learning' },
  };
}

/**
 * `(mx1|mx2).example.net`: the same name for the same hosts, whatever their order, preferences and letter case. A name without
 * another dot keeps its final dot, so that an MX record with `google.` does not become the site of the provider of that name.
 */
export function hostSetName(hosts: readonly string[]): string {
  const names = [...new Set(hosts.map(hostName))].sort();
  const suffix = sharedSuffix(names);
  const full =
    names.length > 1 && suffix !== ''
      ? `(${names.map((name) => name.slice(0, -suffix.length)).join('|')})${suffix}`
      : names.join(',');
  return shortened(full);
}

export function shortened(full: string): string {
  if (full.length <= MAX_NAME) return full;
  const digest = createHash('sha256').update(full).digest('hex').slice(0, DIGEST_CHARS);
  return `${full.slice(0, MAX_NAME - DIGEST_CHARS - 1)}~${digest}`;
}

function hostName(host: string): string {
  const name = host.toLowerCase().replace(/\.$/, '');
  return name.includes('.') ? name : `${name}.`;
}

/** The labels that all names end in, with the dot before them: at least two labels, and never a whole name. */
function sharedSuffix(names: readonly string[]): string {
  const [first = '', ...others] = names;
  const labels = first.split('.');
  for (let from = 1; from <= labels.length - 2; from += 1) {
    const suffix = `.${labels.slice(from).join('.')}`;
    if (others.every((name) => name.endsWith(suffix))) return suffix;
  }
  return '';
}

/** A queue with one connection and a condition of its own: failures of the domain do not slow down the site's other mail. */
export function unverifiedDomainSite(shared: DestinationSite, domain: string): UnverifiedDomainSite {
  return {
    kind: 'unverified_domain',
    name: unverifiedDomainSiteName(shared, domain),
    provider: shared.provider,
    policy: { ...shared.policy, connections: 1 },
    shared,
  };
}

export function unverifiedDomainSiteName({ name }: Pick<Site, 'name'>, domain: string): string {
  return shortened(`${domain} at ${name}`);
}

/** The site for mail from one of our source addresses. */
export function sourceSite(site: HomeSite, address: string, connections: number | null): SourceSite {
  const { policy, provider } = site;
  return {
    kind: 'source',
    name: shortened(sourceSiteName(site.name, address)),
    provider,
    policy: { ...policy, connections: Math.min(policy.connections, connections ?? policy.connections) },
    site,
    address,
  };
}

/** The site whose hosts the mail is sent to. */
export function sharedSite(site: ConnectedSite): DestinationSite {
  return site.kind === 'unverified_domain' ? site.shared : site;
}

/** The site without its source address, because the domains that it serves are the same for all addresses. */
export function withoutSource(site: DestinationSite): HomeSite {
  return site.kind === 'source' ? site.site : site;
}

/** The site of the recipients' own mail hosts, also for mail over a relay; the relay itself where that site is unknown. */
export function recipientSite(home: HomeSite): HomeSite {
  return home.kind === 'relay' ? (home.recipientSite ?? home) : home;
}

/** For mail without a route, which fails at once and must not wait for another site. */
export const UNROUTABLE_SITE: HostSite = {
  kind: 'hosts',
  name: 'unroutable',
  provider: 'unroutable',
  policy: fixedPolicy(50, 'none'),
};

export function fixedPolicy(
  connections: number,
  congestionControl: SitePolicy['congestionControl'],
): SitePolicy {
  return { connections, messagesPerConnection: 100, requireTls: false, congestionControl, suspensions: [] };
}
