/**
 * Trust in what was checked before it was written, by an older self perhaps: parsing it again could only refuse what was
 * accepted once. For modules that read it from a table, or from a token that we signed. The type of a
 * row may say it as well: what the column's one writer takes is what is in it.
 */
import type { AddressKey, EmailAddress } from './address.ts';
import type { DomainName } from './domain-name.ts';
import type { HeaderText } from './unsafe-text.ts';

export function storedEmail(text: string): EmailAddress {
  return text as EmailAddress;
}

export function storedKey(text: string): AddressKey {
  return text as AddressKey;
}

export function storedDomain(text: string): DomainName {
  return text as DomainName;
}

export function storedText(text: string | null): HeaderText | null {
  return text as HeaderText | null;
}
