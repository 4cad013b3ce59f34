/** Reduces a proposed SPF record to ten DNS lookups, because receivers reject records that need more. */
import { MAX_LOOKUPS } from '../protocols/dns/spf-check-host.ts';
import { spfCost } from '../protocols/dns/spf-cost.ts';
import { parseSpf } from '../protocols/dns/spf-record.ts';
import type { LookUpTxt } from './spf.ts';

export interface FittedSpf {
  readonly record: string;
  /** Terms at the end of the record that exceed the limit; receivers never evaluated them. */
  readonly leftOut: readonly string[];
  /** The record lists our addresses in place of our host. */
  readonly namesAddresses: boolean;
}

interface SpfSender {
  readonly host: string;
  /** The addresses from which the host sends; empty when unknown. */
  readonly addresses: readonly string[];
}

/** First replaces our include by our addresses, which need no lookup; only then leaves out other terms. */
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

/** The lookups of the term, including nested ones. */
async function costOf(lookUp: LookUpTxt, term: string): Promise<number> {
  const parsed = parseSpf(`v=spf1 ${term}`);
  return parsed.ok ? (await spfCost(lookUp, parsed.record, '')).all : 0;
}

export function networkOf(address: string): string {
  return `${address.includes(':') ? 'ip6' : 'ip4'}:${address}`;
}
