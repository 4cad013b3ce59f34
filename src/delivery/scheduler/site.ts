/**
 * A site is where mail actually goes: all domains with the same mail hosts are one, and so is everything that a large
 * provider hosts. Limits, breakers and turns belong to the site. Pure.
 */
import { createHash } from 'node:crypto';
import { sourceSiteName } from '../../routing/table.ts';
import { type ProviderProfile, profileOf, type Suspension } from './providers.ts';

export interface Site {
  readonly name: string;
  /** A label with few values, for numbers. */
  readonly provider: string;
  readonly policy: SitePolicy;
  /** For a place of one domain's own: the site whose hosts it is sent to (`apartFrom`). */
  readonly shared?: Site;
  /** For a site as it is seen from one of our addresses: the site itself, and which address. */
  readonly seen?: { readonly site: Site; readonly from: string };
  /** For a relay that mail goes through unless a route says otherwise: the recipients' own site, where somebody asked. */
  readonly destination?: Site;
  /** For mail that may go several ways: which. */
  readonly plan?: RoutePlan;
}

/** Where mail of several lanes may go, as far as it is known before the mail is. */
export interface RoutePlan {
  /** Where it goes if no rule is for it, of one of the lanes. */
  readonly home: Site;
  /** Of each rule that may be for it the steps, each with the sites that it leads to from this worker. */
  readonly ways: readonly (readonly (readonly Site[])[])[];
}

export interface SitePolicy {
  /** At most so many at once, over all workers together. */
  readonly connections: number;
  /** At most so many messages a minute, over all workers together; as many as it takes where absent. */
  readonly perMinute?: number | undefined;
  readonly messagesPerConnection: number;
  readonly requireTls: boolean;
  /**
   * `learning`: starts with few connections, blocks after failures, slows down when asked to.
   * `steady`: a relay, which knows of many destinations; what it says about rates is about one of them.
   * `none`: nothing is learned. The built-in receiver plays every failure there is.
   */
  readonly manners: 'learning' | 'steady' | 'none';
  readonly suspensions: readonly Suspension[];
}

/** Names are kept, shown and typed: longer ones end in a digest. */
const MAX_NAME = 200;
const DIGEST_CHARS = 12;

export function siteOfHosts(hosts: readonly string[], profiles: readonly ProviderProfile[]): Site {
  const profile = profileOf(hosts, profiles);
  const { connections, messagesPerConnection, requireTls, suspensions } = profile;
  return {
    name: profile.scope === 'provider' ? profile.name : hostSetName(hosts),
    provider: profile.name,
    policy: { connections, messagesPerConnection, requireTls, suspensions, manners: 'learning' },
  };
}

/**
 * `(mx1|mx2).example.net`: the same for the same hosts, whatever their order, preferences and letter case. A name without
 * a dot keeps its final one: an MX record that says `google.` must not make a host into the provider of that name.
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

/** The labels all names end in, with the dot before them; at least two, and never all of a name. */
function sharedSuffix(names: readonly string[]): string {
  const [first = '', ...others] = names;
  const labels = first.split('.');
  for (let from = 1; from <= labels.length - 2; from += 1) {
    const suffix = `.${labels.slice(from).join('.')}`;
    if (others.every((name) => name.endsWith(suffix))) return suffix;
  }
  return '';
}

/**
 * A place of its own for a domain that was never delivered to at a site: one connection, and a condition that is nobody
 * else's.
 */
export function apartFrom(shared: Site, domain: string): Site {
  return {
    name: apartName(shared, domain),
    provider: shared.provider,
    policy: { ...shared.policy, connections: 1 },
    shared,
  };
}

export function apartName({ name }: Pick<Site, 'name'>, domain: string): string {
  return shortened(`${domain} at ${name}`);
}

/** A site as it is seen from one of our addresses: what it takes from that one, and thinks of it, is a matter of its own. */
export function seenFrom(site: Site, from: string, connections: number | null): Site {
  const { policy, provider } = site;
  return {
    name: shortened(sourceSiteName(site.name, from)),
    provider,
    policy: { ...policy, connections: Math.min(policy.connections, connections ?? policy.connections) },
    seen: { site, from },
  };
}

/** The site itself, from wherever it is seen: which domains it serves does not depend on that. */
export function itself(site: Site): Site {
  return site.seen?.site ?? site;
}

/** Where mail goes that cannot be routed: it is told so quickly, and is never held up by another. */
export const NOWHERE: Site = {
  name: 'unroutable',
  provider: 'unroutable',
  policy: fixedPolicy(50, 'none'),
};

export function fixedPolicy(connections: number, manners: SitePolicy['manners']): SitePolicy {
  return { connections, messagesPerConnection: 100, requireTls: false, manners, suspensions: [] };
}
