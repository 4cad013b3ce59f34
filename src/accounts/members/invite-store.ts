/**
 * The one writer of `invites`. A row is deleted when the invite is accepted or withdrawn, or by a chore after it
 * expired.
 */
import { type Sql, sql } from '../../database/sql.ts';
import { INSTALLATION } from '../../organizations/installation.ts';
import { uuidv7Floor } from '../../runtime/ids.ts';
import type { Role } from '../../runtime/permissions.ts';

export interface InviteRow {
  readonly id: string;
  readonly organization_id: string;
  readonly email: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  /** The link was sent only by mail to the invited address and shown to nobody. */
  readonly mailed: boolean;
}

interface NewInvite {
  readonly id: string;
  readonly organizationId: string;
  readonly email: string;
  readonly role: Role;
  readonly hash: Buffer;
  /** The address and name of the inviter. */
  readonly invitedBy: string;
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const COLUMNS = 'id, organization_id, email, role, invited_by, created_at, expires_at, mailed';

/** A second invite replaces the first, whose link stops working. */
const insert = sql<InviteRow>(
  'invites.insert',
  `INSERT INTO invites (id, organization_id, email, role, hash, invited_by, created_at, expires_at, created_by)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   ON CONFLICT (organization_id, email) DO UPDATE SET id = excluded.id, role = excluded.role, hash = excluded.hash,
     invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at,
     created_by = excluded.created_by, mailed = false
   RETURNING ${COLUMNS}`,
  { home: 'control' },
);

const list = sql<InviteRow>(
  'invites.list',
  `SELECT ${COLUMNS} FROM invites WHERE organization_id = $1 AND expires_at > $2 ORDER BY created_at DESC, id`,
  { home: 'control' },
);

const find = sql<InviteRow & { organization_name: string }>(
  'invites.find',
  `SELECT ${COLUMNS}, (SELECT name FROM organizations o WHERE o.id = organization_id) AS organization_name
   FROM invites WHERE hash = $1 AND expires_at > $2`,
  { home: 'control' },
);

const take = sql<InviteRow>(
  'invites.take',
  `DELETE FROM invites WHERE hash = $1 AND expires_at > $2 RETURNING ${COLUMNS}`,
  { home: 'control' },
);

const remove = sql<{ email: string }>(
  'invites.remove',
  'DELETE FROM invites WHERE organization_id = $1 AND id = $2 RETURNING email',
  { home: 'control' },
);

const listOf = sql<InviteRow>(
  'invites.of_maker',
  `SELECT ${COLUMNS} FROM invites WHERE organization_id = $1 AND created_by = $2 AND expires_at > $3
   ORDER BY created_at, id`,
  { home: 'control' },
);

const removeOf = sql<InviteRow>(
  'invites.remove_of_maker',
  `WITH ended AS (
     DELETE FROM invites WHERE organization_id = $1 AND created_by = $2 AND expires_at > $3 RETURNING ${COLUMNS}
   )
   SELECT ${COLUMNS} FROM ended ORDER BY created_at, id`,
  { home: 'control' },
);

const setMailed = sql(
  'invites.set_mailed',
  'UPDATE invites SET mailed = true WHERE organization_id = $1 AND id = $2',
  { home: 'control' },
);

const removeAllOf = sql('invites.remove_all_of_maker', 'DELETE FROM invites WHERE created_by = $1', {
  home: 'control',
});

/** Counts mails rather than invites: a withdrawn or replaced invite was mailed all the same. */
const countSince = sql<{ count: number }>(
  'invites.count_since',
  `SELECT count(*) AS count FROM emails
   WHERE organization_id = $3 AND id >= $2::uuid
     AND metadata->>'kind' = 'invite' AND metadata->>'organization_id' = $1::text`,
  { home: 'cell', organization: '$3' },
);

const removeExpired = sql('invites.remove_expired', 'DELETE FROM invites WHERE expires_at <= $1', {
  home: 'control',
});

export function insertInvite(db: Sql, given: NewInvite): Promise<InviteRow> {
  const { id, organizationId, email, role, hash, invitedBy, createdAt, expiresAt, createdBy } = given;
  return db.one(insert, [id, organizationId, email, role, hash, invitedBy, createdAt, expiresAt, createdBy]);
}

export function listInvites(db: Sql, organizationId: string, now: Date): Promise<InviteRow[]> {
  return db.many(list, [organizationId, now]);
}

export function findInvite(
  db: Sql,
  hash: Buffer,
  now: Date,
): Promise<(InviteRow & { organization_name: string }) | undefined> {
  return db.maybeOne(find, [hash, now]);
}

/** Returns the invite and deletes it, so that it cannot be accepted twice. */
export function consumeInvite(db: Sql, hash: Buffer, now: Date): Promise<InviteRow | undefined> {
  return db.maybeOne(take, [hash, now]);
}

/** The invited address, or undefined when the invite does not exist. */
export async function removeInvite(db: Sql, organizationId: string, id: string): Promise<string | undefined> {
  return (await db.maybeOne(remove, [organizationId, id]))?.email;
}

export function invitesOf(db: Sql, organizationId: string, userId: string, now: Date): Promise<InviteRow[]> {
  return db.many(listOf, [organizationId, userId, now]);
}

export function removeInvitesOf(db: Sql, organizationId: string, userId: string, now: Date) {
  return db.many(removeOf, [organizationId, userId, now]);
}

export async function markMailed(
  db: Sql,
  { organization_id, id }: Pick<InviteRow, 'organization_id' | 'id'>,
): Promise<void> {
  await db.exec(setMailed, [organization_id, id]);
}

export async function countMailedSince(db: Sql, organizationId: string, sinceMs: number): Promise<number> {
  return (await db.one(countSince, [organizationId, uuidv7Floor(sinceMs), INSTALLATION])).count;
}

/** In every organization of the user. */
export async function removeInvitesCreatedBy(db: Sql, userId: string): Promise<void> {
  await db.exec(removeAllOf, [userId]);
}

export async function removeExpiredInvites(db: Sql, nowMs: number): Promise<void> {
  await db.exec(removeExpired, [new Date(nowMs)]);
}
