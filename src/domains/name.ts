/** Validates and normalizes the names of sending domains. */
import { parse } from 'tldts';
import { canonicalDomain, type DomainName } from '../protocols/message/domain-name.ts';
import { DKIM_NAME_OVERHEAD } from './dns-records.ts';

type ParsedName =
  | { readonly ok: true; readonly domain: DomainName }
  | { readonly ok: false; readonly message: string };

/** The name of the DKIM record is below the domain and must fit into DNS as well. */
export const DOMAIN_MAX = 253 - DKIM_NAME_OVERHEAD;

/** Lower case with xn-- labels. A trailing dot, as in zone files, is removed. */
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

/** Recognizes other texts that users paste: addresses, URLs and the like. */
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

/** Uses both sections of the public suffix list: co.uk belongs to its registry, github.io to its provider. */
function isPublicSuffix(domain: string): boolean {
  return parse(domain, { allowPrivateDomains: true, validateHostname: false }).domain === null;
}
