/** Which names may be registered as a sending domain, and the one form in which they are kept. */
import { parse } from 'tldts';
import { canonicalDomain, type DomainName } from '../protocols/message/domain-name.ts';
import { DKIM_NAME_OVERHEAD } from './dns-records.ts';

export type ParsedName =
  | { readonly ok: true; readonly domain: DomainName }
  | { readonly ok: false; readonly message: string };

/** The DKIM record stands below the domain, and its name must fit into DNS as well. */
export const DOMAIN_MAX = 253 - DKIM_NAME_OVERHEAD;

/** Lower case and xn-- labels. The dot that zone files end names with is left out: it names the same domain. */
export function parseDomainName(text: string): ParsedName {
  const problem = notADomain(text);
  if (problem !== undefined) return { ok: false, message: problem };
  const canonical = canonicalDomain(text.endsWith('.') ? text.slice(0, -1) : text);
  if (!canonical.ok) {
    return { ok: false, message: canonical.code === 'domain_too_long' ? tooLong() : canonical.message };
  }
  const { domain } = canonical;
  if (domain.length > DOMAIN_MAX) return { ok: false, message: tooLong() };
  if (isPublicSuffix(domain)) {
    return {
      ok: false,
      message: `${domain} is a public suffix, under which others register their domains; give your own domain.`,
    };
  }
  return { ok: true, domain };
}

/** What people paste instead of a domain. */
function notADomain(text: string): string | undefined {
  if (text.length > 2 * 253) return tooLong();
  if (/^\[.*\]$|^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text)) {
    return 'This is an IP address; give a domain name.';
  }
  if (text.includes('/')) return 'This is a URL; give only the domain name.';
  if (text.includes('@')) return 'This is an email address; give only the part after the @.';
  return undefined;
}

function tooLong(): string {
  return `The domain is longer than ${DOMAIN_MAX} characters, so the name of its DKIM record would not fit into DNS.`;
}

/** Of both sections of the list: nobody but the registry owns co.uk, and nobody but its provider github.io. */
function isPublicSuffix(domain: string): boolean {
  return parse(domain, { allowPrivateDomains: true, validateHostname: false }).domain === null;
}
