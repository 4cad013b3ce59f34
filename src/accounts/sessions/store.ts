/** The one writer of `sessions`. A foreign key deletes the sessions of a membership that ends. */
import { type Sql, sql } from '../../database/sql.ts';
import { IS_FIRST } from '../../organizations/installation.ts';
import type { Role } from '../../runtime/permissions.ts';

export interface SessionRow {
  readonly user_id: string;
  readonly organization_id: string;
  readonly role: Role;
  /** Whether the session is in the installation's first organization. */
  readonly of_first: boolean;
  readonly created_at: Date;
  readonly last_seen_at: Date;
}

/**
 * Prefers the requested organization, then the user's last one, then the one joined first. Inserts nothing for a
 * disabled user.
 */
const insert = sql<{ organization_id: string }>(
  'sessions.insert',
  `INSERT INTO sessions (hash, user_id, organization_id, created_at, last_seen_at, expires_at, address, user_agent)
   SELECT $1, m.user_id, m.organization_id, $3, $3, $4, $6, $7
   FROM memberships m JOIN users u ON u.id = m.user_id
   WHERE m.user_id = $2 AND NOT u.disabled
   ORDER BY (m.organization_id = coalesce($5::text, u.last_organization_id)) DESC NULLS LAST,
            m.joined_at, m.organization_id
   LIMIT 1
   RETURNING organization_id`,
  { home: 'control' },
);

const find = sql<SessionRow>(
  'sessions.find',
  `SELECT s.user_id, s.organization_id, m.role, s.created_at, s.last_seen_at,
          ${IS_FIRST} AS of_first
   FROM sessions s
   JOIN memberships m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
   JOIN organizations o ON o.id = s.organization_id
   JOIN users u ON u.id = s.user_id AND NOT u.disabled
   WHERE s.hash = $1 AND s.expires_at > $2`,
  { home: 'control' },
);

/** Part of the hash: enough to tell sessions apart, and useless for signing in. */
const ID = `'ses_' || encode(substring(hash FROM 1 FOR 10), 'hex')`;
const MAX_LISTED = 100;

const listOf = sql<ListedSession>(
  'sessions.list_of_user',
  `SELECT ${ID} AS id, hash, created_at, last_seen_at, expires_at, address, user_agent FROM sessions
   WHERE user_id = $1 AND expires_at > $2 ORDER BY last_seen_at DESC, hash LIMIT ${MAX_LISTED}`,
  { home: 'control' },
);

const removeById = sql('sessions.remove_by_id', `DELETE FROM sessions WHERE user_id = $1 AND ${ID} = $2`, {
  home: 'control',
});

const touch = sql(
  'sessions.touch',
  'UPDATE sessions SET last_seen_at = $2, expires_at = $3 WHERE hash = $1',
  { home: 'control' },
);

const move = sql(
  'sessions.move',
  `UPDATE sessions s SET organization_id = m.organization_id
   FROM memberships m
   WHERE s.hash = $1 AND m.user_id = s.user_id AND m.organization_id = $2`,
  { home: 'control' },
);

const remove = sql('sessions.remove', 'DELETE FROM sessions WHERE hash = $1', { home: 'control' });

/** Deletes all sessions of a user, except the given one. */
const removeOfUser = sql(
  'sessions.remove_of_user',
  'DELETE FROM sessions WHERE user_id = $1 AND ($2::bytea IS NULL OR hash <> $2)',
  { home: 'control' },
);

const removeExpired = sql('sessions.remove_expired', 'DELETE FROM sessions WHERE expires_at <= $1', {
  home: 'control',
});

export interface ListedSession {
  readonly id: string;
  readonly hash: Buffer;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly expires_at: Date;
  readonly address: string | null;
  readonly user_agent: string | null;
}

interface NewSession {
  readonly hash: Buffer;
  readonly userId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly organizationId: string | null;
  readonly device: SessionDevice;
}

/** The device and network address at sign-in. */
export interface SessionDevice {
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** The session's organization, or undefined when the user is in none. */
export async function insertSession(db: Sql, session: NewSession): Promise<string | undefined> {
  const { hash, userId, createdAt, expiresAt, organizationId, device } = session;
  const values = [hash, userId, createdAt, expiresAt, organizationId, device.address, device.userAgent];
  return (await db.maybeOne(insert, values))?.organization_id;
}

export function findSession(db: Sql, hash: Buffer, now: Date): Promise<SessionRow | undefined> {
  return db.maybeOne(find, [hash, now]);
}

export async function touchSession(db: Sql, hash: Buffer, seenAt: Date, expiresAt: Date): Promise<void> {
  await db.exec(touch, [hash, seenAt, expiresAt]);
}

/** False when the user is not a member of that organization. */
export async function moveSession(db: Sql, hash: Buffer, organizationId: string): Promise<boolean> {
  return (await db.exec(move, [hash, organizationId])) === 1;
}

export function sessionsOf(db: Sql, userId: string, now: Date): Promise<ListedSession[]> {
  return db.many(listOf, [userId, now]);
}

/** False when the user has no session with this id. */
export async function endSession(db: Sql, userId: string, id: string): Promise<boolean> {
  return (await db.exec(removeById, [userId, id])) > 0;
}

export async function removeSession(db: Sql, hash: Buffer): Promise<void> {
  await db.exec(remove, [hash]);
}

export async function removeSessionsOf(db: Sql, userId: string, but: Buffer | null = null): Promise<void> {
  await db.exec(removeOfUser, [userId, but]);
}

export async function removeExpiredSessions(db: Sql, nowMs: number): Promise<void> {
  await db.exec(removeExpired, [new Date(nowMs)]);
}
