import { domainToASCII } from 'node:url';

const MAX_NAME = 253;
/**
 * Wider than host names: names of DKIM and DMARC records contain underscores, and some domains that receive
 * mail have misplaced hyphens.
 */
const LABEL = /^[a-z0-9_-]{1,63}$/;
const BEYOND_ASCII = /[^\x00-\x7f]/;
const FOREIGN_TO_NAMES = /[\x00-,/:-@[-^`{-\x7f]/;

/**
 * The canonical spelling of a name for queries and the cache: lower case, xn-- labels, no trailing dot. Null
 * for invalid names. Checked here because c-ares ends a name at a NUL and treats a backslash as an escape,
 * and domainToASCII drops everything after a slash: each would query another name.
 */
export function canonicalName(name: string): string | null {
  if (FOREIGN_TO_NAMES.test(name)) return null;
  // Only when needed: domainToASCII parses numbers as addresses (1.2 becomes 1.0.0.2).
  const ascii = BEYOND_ASCII.test(name) ? domainToASCII(name) : name.toLowerCase();
  const bare = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
  if (bare.length > MAX_NAME) return null;
  return bare.split('.').every((label) => LABEL.test(label)) ? bare : null;
}
