/** Makes a proposed SPF record fit into the ten DNS lookups that receivers make: a record that they refuse must not be proposed. */
import { MAX_LOOKUPS } from '../protocols/dns/spf-check-host.ts';
import { spfCost } from '../protocols/dns/spf-cost.ts';
import { parseSpf } from '../protocols/dns/spf-record.ts';
import type { LookUpTxt } from './spf.ts';

export interface FittedSpf {
  readonly record: string;
  /** Terms that do not fit, the last ones of the record: receivers never got to them. */
  readonly leftOut: readonly string[];
  /** Our addresses stand in the record instead of our host. */
  readonly namesAddresses: boolean;
}

export interface SpfSender {
  readonly host: string;
  /** What the host sends from; empty where nobody knows. */
  readonly addresses: readonly string[];
}

/** First our include gives way to our addresses, which cost nothing; only then is anything of others left out. */
export async function fitSpf(lookUp: LookUpTxt, proposed: string, sender: SpfSender): Promise<FittedSpf> {
  const terms = proposed.split(' ').slice(1).filter(Boolean);
  const costs = new Map<string, number>();
  for (const term of terms) costs.set(term, await costOf(lookUp, term));
  const cost = (all: readonly string[]) => all.reduce((sum, term) => sum + (costs.get(term) ?? 0), 0);
  const asIs = { record: proposed, leftOut: [], namesAddresses: false };
  if (cost(terms) <= MAX_LOOKUPS) return asIs;
  const include = `include:${sender.host}`;
  const namesAddresses = sender.addresses.length > 0 && terms.includes(include);
  const ours = namesAddresses ? sender.addresses.map(networkOf) : [];
  const fitting = terms.flatMap((term) => (namesAddresses && term === include ? ours : [term]));
  const kept: string[] = [];
  for (const term of fitting) if (cost([...kept, term]) <= MAX_LOOKUPS) kept.push(term);
  const leftOut = fitting.filter((term) => !kept.includes(term));
  const end = kept.some((term) => ENDS.test(term)) ? [] : ['~all'];
  return { record: ['v=spf1', ...kept, ...end].join(' '), leftOut, namesAddresses };
}

const ENDS = /^([-+~?]?all$|redirect=)/i;

/** With all that stands behind it. */
async function costOf(lookUp: LookUpTxt, term: string): Promise<number> {
  const parsed = parseSpf(`v=spf1 ${term}`);
  return parsed.ok ? (await spfCost(lookUp, parsed.record, '')).all : 0;
}

export function networkOf(address: string): string {
  return `${address.includes(':') ? 'ip6' : 'ip4'}:${address}`;
}
