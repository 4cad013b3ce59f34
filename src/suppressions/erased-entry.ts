/** How an address that was erased is written: as the key of its entry, to people, and in lists that wait to be imported. */

import type { EmailAddress } from '../protocols/message/address.ts';
import type { ErasedKey } from './suppression.ts';

/** No address begins like this: it has no @. */
const PREFIX = 'erased:';
/** Nobody's, forever (RFC 2606). */
const DOMAIN = 'erased.invalid';
const SHOWN_CHARS = 24;
const LISTED = /^([0-9a-f]{64})@erased\.invalid$/;

export interface ErasedEntry {
  /** Stands for the address in the suppression list. */
  readonly key: ErasedKey;
  /** What is shown in its place. */
  readonly email: EmailAddress;
}

/** From the keyed hash of the address, 64 hexadecimal digits. */
export function erasedEntry(hash: string): ErasedEntry {
  const email = `${hash.slice(0, SHOWN_CHARS)}@${DOMAIN}`;
  return { key: (PREFIX + hash) as ErasedKey, email: email as EmailAddress };
}

/** A line that is imported as this entry. */
export function listedAs({ key }: ErasedEntry): string {
  return `${key.slice(PREFIX.length)}@${DOMAIN}`;
}

/** Null for every other line. */
export function entryListedAs(email: string): ErasedEntry | null {
  const hash = LISTED.exec(email)?.[1];
  return hash === undefined ? null : erasedEntry(hash);
}
