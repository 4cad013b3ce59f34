/**
 * The recipients that a key may write to: an address (`ops@acme.example`), a domain (`acme.example`), or all
 * subdomains (`*.acme.example`).
 *
 * Addresses are compared as sent, except for the case of ASCII letters. Other spellings are different
 * addresses: `"ops"@`, `ops+x@` and look-alike letters may belong to others.
 */
import { type Address, parseAddress } from './address.ts';
import { canonicalDomain } from './domain-name.ts';

const ANYBODY =
  'has a * in an address: name the domain alone for everybody there, or *. and a domain for those below it';

export type ReadPattern =
  | { readonly ok: true; readonly pattern: string }
  | { readonly ok: false; readonly message: string };

/** Returns the normalized form for comparison. */
export function readRecipientPattern(text: string): ReadPattern {
  if (text.includes('@')) return readAddress(text);
  const isBelow = text.startsWith('*.');
  const domain = canonicalDomain(isBelow ? text.slice(2) : text);
  if (!domain.ok) return { ok: false, message: `is no domain: ${domain.message}` };
  return { ok: true, pattern: isBelow ? `*.${domain.domain}` : domain.domain };
}

function readAddress(text: string): ReadPattern {
  if (text.includes('*')) return { ok: false, message: ANYBODY };
  const address = parseAddress(text);
  return address.ok
    ? { ok: true, pattern: spelled(address) }
    : { ok: false, message: `is no address: ${address.message}` };
}

/**
 * Patterns must come from `readRecipientPattern`. Fast enough for a thousand patterns with a thousand
 * addresses.
 */
export function isAmongPatterns(patterns: readonly string[], address: Address): boolean {
  const known = setOf(patterns);
  const { domain } = address;
  if (known.has(spelled(address)) || known.has(domain)) return true;
  for (let dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1))
    if (known.has(`*${domain.slice(dot)}`)) return true;
  return false;
}

const SETS = new WeakMap<readonly string[], ReadonlySet<string>>();

function setOf(patterns: readonly string[]): ReadonlySet<string> {
  const known = SETS.get(patterns) ?? new Set(patterns);
  SETS.set(patterns, known);
  return known;
}

function spelled({ email }: Address): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
