/** Parses addresses in tests like the addresses of a request. */
import { type Address, parseAddress } from '../../src/protocols/message/address.ts';
import { canonicalDomain, type DomainName } from '../../src/protocols/message/domain-name.ts';
import type { HeaderText } from '../../src/protocols/message/unsafe-text.ts';

export function address(text: string): Address {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.message}`);
  return parsed;
}

export function mailbox(email: string, name: string | null = null) {
  return { email: address(email).email, name: name === null ? null : (name as HeaderText) };
}

export function domainName(text: string): DomainName {
  const parsed = canonicalDomain(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.message}`);
  return parsed.domain;
}
