/** Matches rules against mail, with an explanation. Pure. */
import type { Tag } from '../emails/email.ts';
import { matchingTagFilters } from '../emails/tag-filter.ts';
import type { Match, Rule } from './table.ts';

/** The facts about mail before it is loaded. */
interface LaneFacts {
  readonly organizationId: string;
  /** The recipient's domain. */
  readonly domain: string;
  /** The provider of the recipient's mail hosts. */
  readonly provider: string;
}

export interface RoutedMailFacts extends LaneFacts {
  readonly stream: string;
  readonly senderDomain: string;
  readonly tags: readonly Tag[];
}

interface Test<Facts> {
  readonly field: keyof Match;
  readonly words: string;
  readonly fits: (value: string, facts: Facts) => boolean;
}

/** In the order of explanations. */
const OF_LANE: readonly Test<LaneFacts>[] = [
  { field: 'organizations', words: 'organization', fits: (value, facts) => value === facts.organizationId },
  { field: 'providers', words: 'provider', fits: (value, facts) => value === facts.provider },
  { field: 'recipient_domains', words: 'recipient at', fits: (value, facts) => covers(value, facts.domain) },
];

const OF_MAIL: readonly Test<RoutedMailFacts>[] = [
  { field: 'streams', words: 'stream', fits: (value, facts) => value === facts.stream },
  { field: 'sender_domains', words: 'sender at', fits: (value, facts) => covers(value, facts.senderDomain) },
  { field: 'tags', words: 'tag', fits: isTagOf },
];

/** `*.example.com` covers every subdomain, but not the domain itself. */
export function covers(pattern: string, domain: string): boolean {
  return pattern.startsWith('*.') ? domain.endsWith(pattern.slice(1)) : domain === pattern;
}

function isTagOf(wanted: string, { tags, stream }: RoutedMailFacts): boolean {
  for (const filter of matchingTagFilters(tags, stream)) if (filter === wanted) return true;
  return false;
}

function fits<Facts>(match: Match, test: Test<Facts>, facts: Facts): boolean {
  return match[test.field]?.some((value) => test.fits(value, facts)) ?? true;
}

export function fitOfLane({ match }: Rule, lane: LaneFacts): 'none' | 'all' | 'some' {
  if (!OF_LANE.every((test) => fits(match, test, lane))) return 'none';
  return OF_MAIL.every(({ field }) => match[field] === undefined) ? 'all' : 'some';
}

export function isForMail({ match }: Rule, mail: RoutedMailFacts): boolean {
  return OF_LANE.every((test) => fits(match, test, mail)) && OF_MAIL.every((test) => fits(match, test, mail));
}

/** The facts that a rule matched, such as `provider gmail, tag receipt`, without its unset conditions. */
export function whyMatched({ match }: Rule, mail: RoutedMailFacts): string {
  const told = [...OF_LANE, ...OF_MAIL].flatMap(({ field, words, fits: fitsValue }) => {
    const value = match[field]?.find((one) => fitsValue(one, mail));
    return value === undefined ? [] : [`${words} ${value}`];
  });
  return told.length === 0 ? 'it is for all mail' : told.join(', ');
}

/** The conditions of a rule that the mail does not meet. Call only for a rule that does not match. */
export function whyNotMatched({ match }: Rule, mail: RoutedMailFacts): string {
  const missed = [...OF_LANE, ...OF_MAIL].find(
    ({ field, fits: fitsValue }) => match[field]?.some((one) => fitsValue(one, mail)) === false,
  );
  return missed === undefined ? '' : `${missed.words} ${match[missed.field]?.join(' or ')}`;
}
