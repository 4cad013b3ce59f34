/** What a suppression is inside the server. */

import type { AddressKey, EmailAddress } from '../protocols/message/address.ts';
import type { Branded } from '../runtime/branded.ts';
import { uuidv7, uuidv7Ms } from '../runtime/ids.ts';

export const REASONS = ['hard_bounce', 'soft_bounce', 'complaint', 'unsubscribe', 'manual'] as const;
export type Reason = (typeof REASONS)[number];

export const SOURCES = ['automatic', 'manual'] as const;
export type Source = (typeof SOURCES)[number];

/** What a group of mail may be called where it stands in headers, links, lists and on the page. */
export const GROUP_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** An address of an organization, in the form addresses are compared in. */
export interface AddressOf {
  readonly organizationId: string;
  readonly key: AddressKey;
}

/** What stands for an address that was erased: a keyed hash of it. */
export type ErasedKey = Branded<'ErasedKey'>;
/** What an entry is found by: whose it is, and its group where it has one. */
export type EntryKey = Branded<'EntryKey'>;

export interface EntryOf {
  readonly organizationId: string;
  readonly key: EntryKey;
}

export interface NewSuppression extends EntryOf {
  /** A UUIDv7: the list is in its order. */
  readonly id: string;
  readonly email: EmailAddress;
  readonly reason: Reason;
  readonly source: Source;
  /** What an automatic entry came from. */
  readonly emailId: string | null;
  readonly cause: string | null;
  readonly group: string | null;
}

export interface SuppressionRow {
  readonly id: string;
  readonly email: string;
  readonly reason: Reason;
  readonly source: Source;
  readonly email_id: string | null;
  readonly cause: string | null;
  /** The mail that it stops: all of it where null. */
  readonly unsubscribe_group: string | null;
  readonly created_at: Date;
}

/** A domain holds no space, so no address's key looks like that of a group. */
export function entryKey(of: AddressKey | ErasedKey, group: string | null): EntryKey {
  return (group === null ? of : `${of} ${group}`) as string as EntryKey;
}

export function newSuppression(
  address: { organizationId: string; key: AddressKey | ErasedKey; email: EmailAddress },
  why: {
    readonly reason: Reason;
    readonly source: Source;
    readonly emailId?: string;
    readonly cause?: string | null;
    readonly group?: string | null;
  },
  nowMs: number,
): NewSuppression {
  const { organizationId, email } = address;
  const { reason, source, emailId = null, cause = null, group = null } = why;
  const key = entryKey(address.key, group);
  return { id: uuidv7(nowMs), organizationId, key, email, reason, source, emailId, cause, group };
}

/** The time inside the id, so that the order of the list is the order of the times it shows. */
export function createdAtMs({ id }: { readonly id: string }): number {
  return uuidv7Ms(id);
}

/** How the id reads outside the database. */
export function publicId(id: string): string {
  return `sup_${id.replaceAll('-', '')}`;
}

const PUBLIC_ID = /^sup_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Null where it cannot be an id of ours. */
export function parsePublicId(text: string): string | null {
  const parts = PUBLIC_ID.exec(text);
  return parts === null ? null : parts.slice(1).join('-');
}
