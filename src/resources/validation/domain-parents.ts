/** Where a host stands below its registrable domain, by the public suffix list with its private section. */
import { parse } from 'tldts';

const OPTIONS = { allowPrivateDomains: true, validateHostname: false, extractHostname: false } as const;

/** The host and its parents down to the registrable domain, never above it: the parent of that belongs to others. */
export function hostAndParents(host: string): string[] {
  const registrable = registrableDomain(host);
  const names = [host];
  let name = host;
  while (registrable !== null && name.length > registrable.length) {
    name = name.slice(name.indexOf('.') + 1);
    names.push(name);
  }
  return names;
}

/** Null for a public suffix. */
export function registrableDomain(host: string): string | null {
  return parse(host, OPTIONS).domain;
}

export interface SplitDomain {
  /** `mail.example` of `mail.example.co.uk`. */
  readonly name: string;
  /** `co.uk`. */
  readonly suffix: string;
  /** Whether the last label is a top-level domain that exists. */
  readonly tldExists: boolean;
}

export function splitDomain(host: string): SplitDomain {
  const { publicSuffix, isIcann, isPrivate } = parse(host, OPTIONS);
  const suffix = publicSuffix ?? host.slice(host.lastIndexOf('.') + 1);
  const name = host.length > suffix.length ? host.slice(0, -suffix.length - 1) : '';
  return { name, suffix, tldExists: isIcann === true || isPrivate === true };
}
