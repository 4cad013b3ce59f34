import { domainToASCII } from 'node:url';

const MAX_NAME = 253;
/**
 * Wider than host names are: underscores belong to the names of DKIM and DMARC records, and hyphens stand in
 * places where they should not in domains that nevertheless take mail.
 */
const LABEL = /^[a-z0-9_-]{1,63}$/;
const BEYOND_ASCII = /[^\x00-\x7f]/;
const FOREIGN_TO_NAMES = /[\x00-,/:-@[-^`{-\x7f]/;

/**
 * The one spelling of a name that is asked for and cached: lower case, xn-- labels, no dot at the end. Null
 * for what no DNS name can be. Checked here because c-ares takes a NUL for the end of the name and a
 * backslash for an escape, and domainToASCII drops everything after a slash: each would ask for another name
 * than the one given.
 */
export function canonicalName(name: string): string | null {
  if (FOREIGN_TO_NAMES.test(name)) return null;
  // Only when needed: domainToASCII reads numbers as addresses (1.2 becomes 1.0.0.2).
  const ascii = BEYOND_ASCII.test(name) ? domainToASCII(name) : name.toLowerCase();
  const bare = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
  if (bare.length > MAX_NAME) return null;
  return bare.split('.').every((label) => LABEL.test(label)) ? bare : null;
}
