/** Splits a host name at its registrable domain, by the public suffix list including its private section. */
import { parse } from 'tldts';

const OPTIONS = { allowPrivateDomains: true, validateHostname: false, extractHostname: false } as const;

export interface DomainPlace {
  readonly domain: string;
  /** The domain and its parents down to the registrable domain. Names above that belong to others. */
  readonly names: readonly string[];
  /** `mail.example` in `mail.example.co.uk`. */
  readonly name: string;
  /** `co.uk`. */
  readonly suffix: string;
  /** Whether the last label is a top-level domain that exists. */
  readonly tldExists: boolean;
}

export function placeOf(domain: string): DomainPlace {
  const { publicSuffix, isIcann, isPrivate, domain: registrable } = parse(domain, OPTIONS);
  const suffix = publicSuffix ?? domain.slice(domain.lastIndexOf('.') + 1);
  return {
    domain,
    names: downTo(registrable ?? domain, domain),
    name: domain.length > suffix.length ? domain.slice(0, -suffix.length - 1) : '',
    suffix,
    tldExists: isIcann === true || isPrivate === true,
  };
}

function downTo(registrable: string, domain: string): string[] {
  const names = [domain];
  for (let name = domain; name.length > registrable.length; ) {
    name = name.slice(name.indexOf('.') + 1);
    names.push(name);
  }
  return names;
}
