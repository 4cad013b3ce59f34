/** The one writer of `memberships`. A foreign key ends the sessions of a membership. */
import { type Sql, sql } from '../../database/sql.ts';
import { IS_FIRST } from '../../organizations/installation.ts';
import type { Role } from '../../runtime/permissions.ts';

export interface MemberRow {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly totp_enabled: boolean;
  readonly email_verified: boolean;
  readonly disabled: boolean;
  readonly joined_at: Date;
  readonly last_seen_at: Date | null;
}

interface MembershipRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Whether this is the installation's first organization. */
  readonly is_first: boolean;
}

const MEMBERS = `SELECT u.id, u.email, u.name, m.role, u.totp_enabled, u.email_proven_at IS NOT NULL AS email_verified,
  u.disabled, m.joined_at, m.last_seen_at
  FROM memberships m JOIN users u ON u.id = m.user_id`;

/** An existing membership stays unchanged. */
const insert = sql(
  'memberships.insert',
  `INSERT INTO memberships (organization_id, user_id, role, joined_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (organization_id, user_id) DO NOTHING`,
  { home: 'control' },
);

const list = sql<MemberRow>(
  'memberships.list',
  `${MEMBERS} WHERE m.organization_id = $1 ORDER BY m.joined_at, u.id`,
  { home: 'control' },
);

const find = sql<MemberRow>(
  'memberships.find',
  `${MEMBERS} WHERE m.organization_id = $1 AND m.user_id = $2`,
  { home: 'control' },
);

const byEmail = sql<MemberRow>(
  'memberships.by_email',
  `${MEMBERS} WHERE m.organization_id = $1 AND u.email = $2`,
  { home: 'control' },
);

const ofUser = sql<MembershipRow>(
  'memberships.of_user',
  `SELECT o.id, o.name, m.role, ${IS_FIRST} AS is_first
   FROM memberships m JOIN organizations o ON o.id = m.organization_id
   WHERE m.user_id = $1 ORDER BY m.joined_at, o.id`,
  { home: 'control' },
);

/**
 * Owners who can sign in. The rows are locked until the transaction ends: of two owners who demote each other
 * concurrently, the second one is refused.
 */
const lockOwners = sql<{ user_id: string }>(
  'memberships.lock_owners',
  `SELECT m.user_id FROM memberships m JOIN users u ON u.id = m.user_id
   WHERE m.organization_id = $1 AND m.role = 'owner' AND NOT u.disabled ORDER BY m.user_id FOR UPDATE OF m`,
  { home: 'control' },
);

const updateRole = sql(
  'memberships.set_role',
  'UPDATE memberships SET role = $3 WHERE organization_id = $1 AND user_id = $2',
  { home: 'control' },
);

const remove = sql(
  'memberships.remove',
  'DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2',
  { home: 'control' },
);

const touch = sql(
  'memberships.touch',
  'UPDATE memberships SET last_seen_at = $3 WHERE organization_id = $1 AND user_id = $2',
  { home: 'control' },
);

export async function insertMembership(
  db: Sql,
  given: {
    readonly organizationId: string;
    readonly userId: string;
    readonly role: Role;
    readonly joinedAt: Date;
  },
): Promise<void> {
  await db.exec(insert, [given.organizationId, given.userId, given.role, given.joinedAt]);
}

export function listMembers(db: Sql, organizationId: string): Promise<MemberRow[]> {
  return db.many(list, [organizationId]);
}

export function findMember(db: Sql, organizationId: string, userId: string): Promise<MemberRow | undefined> {
  return db.maybeOne(find, [organizationId, userId]);
}

export function findMemberByEmail(db: Sql, organizationId: string, email: string) {
  return db.maybeOne(byEmail, [organizationId, email]);
}

/** The user's organizations, in the order of joining. */
export function membershipsOf(db: Sql, userId: string): Promise<MembershipRow[]> {
  return db.many(ofUser, [userId]);
}

export async function lockOwnersOf(tx: Sql, organizationId: string): Promise<string[]> {
  return (await tx.many(lockOwners, [organizationId])).map((row) => row.user_id);
}

export async function setRole(db: Sql, organizationId: string, userId: string, role: Role): Promise<boolean> {
  return (await db.exec(updateRole, [organizationId, userId, role])) === 1;
}

export async function removeMembership(db: Sql, organizationId: string, userId: string): Promise<boolean> {
  return (await db.exec(remove, [organizationId, userId])) === 1;
}

export async function noteSeen(db: Sql, organizationId: string, userId: string, at: Date): Promise<void> {
  await db.exec(touch, [organizationId, userId, at]);
}
