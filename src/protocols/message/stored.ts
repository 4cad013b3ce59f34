/**
 * Converts stored text to validated types without parsing: a stricter parser could refuse what was accepted
 * earlier. For modules that read a table, or a token that we signed. A row's type may also state this: a
 * column's single writer guarantees its content.
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
