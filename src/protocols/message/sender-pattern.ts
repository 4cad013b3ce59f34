/**
 * The senders that a key may use, in a list: an address, a domain or all domains below one, as `recipient-pattern.ts` has
 * them, each with the display name that goes with it or without one (`Acme Support <support@acme.example>`).
 *
 * A display name is text that recipients read first, so it is compared as it is: neither case nor spaces are forgiven.
 */
import type { Address } from './address.ts';
import { isAmongPatterns, type ReadPattern, readRecipientPattern } from './recipient-pattern.ts';
import { isHeaderText } from './unsafe-text.ts';

const NAME_UNWRITABLE =
  'has a display name with < or >, or with control characters: leave them out of the name';
const NAMED = /^(.*?)\s*<([^<>]*)>$/s;
const QUOTED = /^"((?:[^"\\]|\\.)*)"$/s;

/** In the form that is compared. */
export function readSenderPattern(text: string): ReadPattern {
  const { name, pattern } = splitSender(text.trim());
  const read = readRecipientPattern(pattern);
  if (!read.ok || name === null) return read;
  if (!isHeaderText(name) || /[<>]/.test(name)) return { ok: false, message: NAME_UNWRITABLE };
  return { ok: true, pattern: `${name} <${read.pattern}>` };
}

/** What a sender lacks to be one of the list; null where it is one. Without a display name every sender of the list is. */
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
