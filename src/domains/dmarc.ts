/**
 * Evaluates DMARC as a receiver does (RFC 7489): finds the record, reads its policy, and decides whether the domains
 * of the signature and the return path are aligned.
 */
import type { Answer } from '../protocols/dns/answer.ts';
import { makeSafe } from '../protocols/smtp/reply-parser.ts';
import { placeOf } from '../validation/lists.ts';
import { parseTags } from './dkim-record.ts';

export const DMARC_POLICIES = ['none', 'quarantine', 'reject'] as const;
export type DmarcPolicy = (typeof DMARC_POLICIES)[number];

export type DmarcRecord =
  | {
      readonly kind: 'found';
      /** The name of the record's domain: the domain itself or its organizational domain. */
      readonly at: string;
      readonly text: string;
      /** The policy for mail of this domain that fails. */
      readonly policy: DmarcPolicy;
      readonly isDkimStrict: boolean;
      readonly isSpfStrict: boolean;
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'several'; readonly at: string; readonly count: number }
  | { readonly kind: 'malformed'; readonly at: string; readonly text: string; readonly problem: string }
  | { readonly kind: 'unavailable'; readonly at: string; readonly code: string };

/** The number of characters shown of an invalid policy. */
const MAX_SHOWN = 50;

/** The registered domain; names with the same one are aligned in relaxed mode. */
export function organizationalDomain(domain: string): string {
  return placeOf(domain).names.at(-1) ?? domain;
}

/** Looks at the domain itself, then at its organizational domain. */
export async function findDmarc(
  lookUp: (name: string) => Promise<Answer<string>>,
  domain: string,
): Promise<DmarcRecord> {
  const own = readDmarc(await lookUp(`_dmarc.${domain}`), domain, domain);
  const above = organizationalDomain(domain);
  if (own.kind !== 'missing' || above === domain) return own;
  return readDmarc(await lookUp(`_dmarc.${above}`), above, domain);
}

export function readDmarc(answer: Answer<string>, at: string, domain: string): DmarcRecord {
  const name = `_dmarc.${at}`;
  if (answer.kind === 'unavailable') return { kind: 'unavailable', at: name, code: answer.code };
  const texts =
    answer.kind === 'found' ? answer.records.filter((text) => /^v\s*=\s*DMARC1\s*(;|$)/.test(text)) : [];
  const [text] = texts;
  if (text === undefined) return { kind: 'missing' };
  if (texts.length > 1) return { kind: 'several', at: name, count: texts.length };
  const parsed = parseTags(text);
  if (!parsed.ok) return { kind: 'malformed', at: name, text, problem: parsed.problem };
  const { tags } = parsed;
  const wanted = (at === domain ? undefined : tags.get('sp')) ?? tags.get('p');
  const policy = DMARC_POLICIES.find((one) => one === wanted?.toLowerCase());
  if (policy === undefined) {
    const problem =
      wanted === undefined
        ? 'the tag p= is missing'
        : `its policy "${makeSafe(wanted.slice(0, MAX_SHOWN))}" is none of ${DMARC_POLICIES.join(', ')}`;
    return { kind: 'malformed', at: name, text, problem };
  }
  const isStrict = (tag: string) => tags.get(tag)?.toLowerCase() === 's';
  return {
    kind: 'found',
    at: name,
    text,
    policy,
    isDkimStrict: isStrict('adkim'),
    isSpfStrict: isStrict('aspf'),
  };
}

/** Whether the authenticated domain is aligned with the domain in From. */
export function isAligned(from: string, authenticated: string, isStrict: boolean): boolean {
  if (from === authenticated) return true;
  return !isStrict && organizationalDomain(from) === organizationalDomain(authenticated);
}
