/**
 * Whom a key may write to, in a list: an address (`ops@acme.example`), a domain (`acme.example`), or all domains below one
 * (`*.acme.example`).
 *
 * An address is compared as it is sent, but for the case of ASCII letters. Nothing else counts as another spelling of it:
 * `"ops"@`, `ops+x@` and letters that only look alike may be somebody else's.
 */
import { type Address, parseAddress } from './address.ts';
import { canonicalDomain } from './domain-name.ts';

const ANYBODY =
  'has a * in an address: name the domain alone for everybody there, or *. and a domain for those below it';

export type ReadPattern =
  | { readonly ok: true; readonly pattern: string }
  | { readonly ok: false; readonly message: string };

/** In the form that is compared. */
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

/** The patterns are as `readRecipientPattern` gives them. */
export function isAmongPatterns(patterns: readonly string[], address: Address): boolean {
  const email = spelled(address);
  const { domain } = address;
  return patterns.some((pattern) => {
    if (pattern.startsWith('*.')) return domain.endsWith(pattern.slice(1));
    return pattern === email || pattern === domain;
  });
}

function spelled({ email }: Address): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
