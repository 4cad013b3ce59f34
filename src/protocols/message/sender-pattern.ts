/**
 * The senders that a key may use: an address, a domain or all subdomains as in `recipient-pattern.ts`, each
 * with or without a required display name (`Acme Support <support@acme.example>`).
 *
 * Recipients read the display name first, so it is compared exactly, including case and spaces.
 */
import type { Address } from './address.ts';
import { isAmongPatterns, type ReadPattern, readRecipientPattern } from './recipient-pattern.ts';
import { isHeaderText } from './unsafe-text.ts';

const NAME_UNWRITABLE =
  'has a display name with < or >, or with control characters: leave them out of the name';
const NAMED = /^(.*?)\s*<([^<>]*)>$/s;
const QUOTED = /^"((?:[^"\\]|\\.)*)"$/s;

/** Returns the normalized form for comparison. */
export function readSenderPattern(text: string): ReadPattern {
  const { name, pattern } = splitSender(text.trim());
  const read = readRecipientPattern(pattern);
  if (!read.ok || name === null) return read;
  if (!isHeaderText(name) || /[<>]/.test(name)) return { ok: false, message: NAME_UNWRITABLE };
  return { ok: true, pattern: `${name} <${read.pattern}>` };
}

/**
 * Why a sender is not permitted by the list; null when it is. Without a required display name, any name is
 * permitted.
 */
export function missingOfSender(
  patterns: readonly string[],
  address: Address,
  name: string | null,
): 'address' | 'name' | null {
  const senders = patterns.map(splitSender).filter(({ pattern }) => isAmongPatterns([pattern], address));
  if (senders.length === 0) return 'address';
  return name === null || senders.some((sender) => sender.name === name) ? null : 'name';
}

function splitSender(text: string): { readonly name: string | null; readonly pattern: string } {
  const [, given = '', pattern = ''] = NAMED.exec(text) ?? [];
  if (pattern === '') return { name: null, pattern: text };
  const name = QUOTED.exec(given)?.[1]?.replace(/\\(.)/gs, '$1') ?? given;
  return { name: name === '' ? null : name, pattern: pattern.trim() };
}
