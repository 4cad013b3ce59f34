/** The types of suppressions inside the server. */

import { columns } from '../database/call.ts';
import { type Sql, sql, unprepared } from '../database/sql.ts';
import type { AddressKey, EmailAddress } from '../protocols/message/address.ts';
import { storedKey } from '../protocols/message/stored.ts';
import type { Branded } from '../runtime/branded.ts';
import { uuidv7, uuidv7Ms } from '../runtime/ids.ts';

export const REASONS = ['hard_bounce', 'soft_bounce', 'complaint', 'unsubscribe', 'manual'] as const;
export type Reason = (typeof REASONS)[number];

export const SOURCES = ['automatic', 'manual'] as const;
export type Source = (typeof SOURCES)[number];

/** Allowed group names: safe in headers, links, CSV and HTML. */
export const GROUP_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** An address key and its organization. */
export interface AddressOf {
  readonly organizationId: string;
  readonly key: AddressKey;
}

/** A keyed hash in place of an erased address. */
export type ErasedKey = Branded<'ErasedKey'>;
/** The lookup key of an entry: the address key, with the group if there is one. */
export type EntryKey = Branded<'EntryKey'>;

export interface EntryOf {
  readonly organizationId: string;
  readonly key: EntryKey;
}

export interface NewSuppression extends EntryOf {
  /** A UUIDv7; the list is sorted by it. */
  readonly id: string;
  readonly email: EmailAddress;
  readonly reason: Reason;
  readonly source: Source;
  /** The email that an automatic entry came from. */
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
  /** The group whose mail the entry stops; null stops all mail. */
  readonly unsubscribe_group: string | null;
  readonly created_at: Date;
}

/** The separator is a space, which no address key can contain in its domain. */
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

/** The time inside the id, so that the sort order matches the displayed times. */
export function createdAtMs({ id }: { readonly id: string }): number {
  return uuidv7Ms(id);
}

/** The id as the API shows it. */
export function publicId(id: string): string {
  return `sup_${id.replaceAll('-', '')}`;
}

const PUBLIC_ID = /^sup_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Null when the text is not a suppression id. */
export function parsePublicId(text: string): string | null {
  const parts = PUBLIC_ID.exec(text);
  return parts === null ? null : parts.slice(1).join('-');
}

/** Registered, so that it is checked against the schema. */
const select = sql<{ key: string; reason: Reason }>(
  'suppressions.reasons',
  `SELECT asked.key, s.reason FROM unnest($2::text[]) AS asked(key)
   CROSS JOIN LATERAL (
     SELECT reason FROM suppressions s WHERE s.organization_id = $1 AND s.key = asked.key LIMIT 1
   ) AS s`,
  { home: 'cell', organization: '$1' },
);
const selectNow = unprepared(select);

/** By address key; addresses that are not suppressed are left out. */
export async function suppressionReasons(
  db: Sql,
  organizationId: string,
  keys: readonly AddressKey[],
): Promise<ReadonlyMap<AddressKey, Reason>> {
  if (keys.length === 0) return new Map();
  const rows = await db.many(selectNow, [organizationId, keys]);
  return new Map(rows.map((row) => [storedKey(row.key), row.reason]));
}

const selectOfMany = sql<{ index: number }>(
  'suppressions.of_many',
  `SELECT (asked.index - 1)::int AS index
   FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked(organization_id, key, index)
   CROSS JOIN LATERAL (
     SELECT FROM suppressions s WHERE s.organization_id = asked.organization_id AND s.key = asked.key LIMIT 1
   ) AS s`,
  { home: 'cell', organization: '$1' },
);
const selectOfManyNow = unprepared(selectOfMany);

/** The indexes of suppressed addresses, in any organizations. */
export async function suppressedOf(db: Sql, addresses: readonly AddressOf[]): Promise<ReadonlySet<number>> {
  if (addresses.length === 0) return new Set();
  const rows = await db.many(selectOfManyNow, [...columns(addresses, 'organizationId', 'key')]);
  return new Set(rows.map(({ index }) => index));
}
