/** How an erased address appears: as the key of its entry, in views, and in lists that are still to be imported. */

import type { EmailAddress } from '../protocols/message/address.ts';
import type { ErasedKey } from './suppression.ts';

/** Cannot collide with an address, because it contains no @. */
const PREFIX = 'erased:';
/** A domain that is reserved and never registered (RFC 2606). */
const DOMAIN = 'erased.invalid';
const SHOWN_CHARS = 24;
const LISTED = /^([0-9a-f]{64})@erased\.invalid$/;

export interface ErasedEntry {
  /** Replaces the address in the suppression list. */
  readonly key: ErasedKey;
  /** Shown instead of the address. */
  readonly email: EmailAddress;
}

/** `hash`: the keyed hash of the address, 64 hexadecimal digits. */
export function erasedEntry(hash: string): ErasedEntry {
  const email = `${hash.slice(0, SHOWN_CHARS)}@${DOMAIN}`;
  return { key: (PREFIX + hash) as ErasedKey, email: email as EmailAddress };
}

/** The CSV line that imports this entry. */
export function listedAs({ key }: ErasedEntry): string {
  return `${key.slice(PREFIX.length)}@${DOMAIN}`;
}

/** Null for every other line. */
export function entryListedAs(email: string): ErasedEntry | null {
  const hash = LISTED.exec(email)?.[1];
  return hash === undefined ? null : erasedEntry(hash);
}
