/** Derives the senders of a domain's mail from the figures. Pure. */
import { organizationalDomain } from '../dmarc.ts';
import { delegatedHost } from '../dns-records.ts';
import type { DmarcGroup } from './figures.ts';

interface MailOutcomes {
  readonly messages: number;
  /** Messages for which DKIM or SPF passed with the domain in From. */
  readonly aligned: number;
  readonly dkim_aligned: number;
  readonly spf_aligned: number;
  readonly quarantined: number;
  readonly rejected: number;
}

export interface DmarcSource extends MailOutcomes {
  /** Null for the sum of many addresses with little mail each. */
  readonly ip: string | null;
  readonly is_this_installation: boolean;
  /** The domains for which DKIM or SPF passed, most frequent first. */
  readonly passed_as: string[];
}

interface DmarcSender extends MailOutcomes {
  /** The sending service, named by the domain for which its mail passes; null for mail that failed both. */
  readonly name: string | null;
  readonly is_this_installation: boolean;
  readonly addresses: number;
}

interface OwnMail {
  readonly domain: string;
  /** Our host, whose name is in return paths. */
  readonly host: string;
  /** The configured addresses. */
  readonly addresses: readonly string[];
}

/** Addresses that the operator configured, or for which receivers reported an SPF pass for our return paths. */
export function ownAddresses(
  groups: readonly DmarcGroup[],
  { domain, host, addresses }: OwnMail,
): Set<string> {
  const returnPaths = new Set([host.toLowerCase(), delegatedHost(domain)]);
  const proven = groups.flatMap(({ source_ip, spf_domain }) =>
    source_ip !== null && spf_domain !== null && returnPaths.has(spf_domain) ? [source_ip] : [],
  );
  return new Set([...addresses, ...proven]);
}

/** The sources with the most mail come first. */
export function sourcesOf(groups: readonly DmarcGroup[], own: ReadonlySet<string>): DmarcSource[] {
  const bySource = groupedBy(groups, ({ source_ip }) => source_ip);
  return [...bySource]
    .map(([ip, some]) => ({
      ip,
      is_this_installation: ip !== null && own.has(ip),
      passed_as: passedAs(some),
      ...countOf(some),
    }))
    .toSorted((a, b) => b.messages - a.messages);
}

export function sendersOf(
  groups: readonly DmarcGroup[],
  domain: string,
  own: ReadonlySet<string>,
): DmarcSender[] {
  const isOwn = ({ source_ip }: DmarcGroup) => source_ip !== null && own.has(source_ip);
  const bySender = groupedBy(groups, (one) => (isOwn(one) ? OURS : serviceOf(one, domain)));
  return [...bySender]
    .map(([name, some]) => ({
      name: name === OURS ? null : name,
      is_this_installation: name === OURS,
      addresses: new Set(some.map(({ source_ip }) => source_ip)).size,
      ...countOf(some),
    }))
    .toSorted((a, b) => b.messages - a.messages);
}

/** A group key that no domain can have. */
const OURS = ' ';

/** A service signs for its customer, but shows its own name in the return path or in a second signature. */
function serviceOf({ spf_domain, dkim_domain }: DmarcGroup, domain: string): string | null {
  const passed = [spf_domain, dkim_domain].flatMap((one) =>
    one === null ? [] : [organizationalDomain(one)],
  );
  return passed.find((one) => one !== organizationalDomain(domain)) ?? passed[0] ?? null;
}

function groupedBy<T, K>(all: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

function passedAs(groups: readonly DmarcGroup[]): string[] {
  const counts = new Map<string, number>();
  for (const { dkim_domain, spf_domain, messages } of groups) {
    for (const name of new Set([dkim_domain, spf_domain])) {
      if (name !== null) counts.set(name, (counts.get(name) ?? 0) + messages);
    }
  }
  const names = [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
  return names.slice(0, MAX_NAMES);
}

const MAX_NAMES = 5;

function countOf(groups: readonly DmarcGroup[]): MailOutcomes {
  const sum = (which: (one: DmarcGroup) => boolean) =>
    groups.reduce((total, one) => total + (which(one) ? one.messages : 0), 0);
  return {
    messages: sum(() => true),
    aligned: sum((one) => one.dkim_aligned || one.spf_aligned),
    dkim_aligned: sum((one) => one.dkim_aligned),
    spf_aligned: sum((one) => one.spf_aligned),
    quarantined: sum((one) => one.disposition === 'quarantine'),
    rejected: sum((one) => one.disposition === 'reject'),
  };
}
