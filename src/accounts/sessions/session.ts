/**
 * Sessions: a random token in the browser's cookie, its SHA-256 in the database. A session ends two weeks after its
 * last use and after at most 90 days.
 */
import type { Sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../runtime/durations.ts';
import type { Role } from '../../runtime/permissions.ts';
import { hashToken, newToken } from '../../runtime/tokens.ts';
import { noteSeen } from '../members/store.ts';
import { findSession, insertSession, type SessionDevice, type SessionRow, touchSession } from './store.ts';

const IDLE_MS = 14 * DAY_MS;
const LONGEST_MS = 90 * DAY_MS;
/** The resolution of "last seen", and so the interval at which an active session is written. */
const SEEN_RESOLUTION_MS = 5 * MINUTE_MS;

interface OpenedSession {
  /** The value of the cookie; only its hash is stored. */
  readonly token: string;
  readonly hash: Buffer;
  readonly organizationId: string;
}

/** Undefined when the user is in no organization or is disabled. */
export async function openSession(
  db: Sql,
  clock: Clock,
  userId: string,
  organizationId: string | null = null,
  device: SessionDevice = { address: null, userAgent: null },
): Promise<OpenedSession | undefined> {
  const token = newToken();
  const hash = hashToken(token);
  const nowMs = clock.nowMs();
  const where = await insertSession(db, {
    hash,
    userId,
    organizationId,
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + IDLE_MS),
    device,
  });
  return where === undefined ? undefined : { token, hash, organizationId: where };
}

/** The user of a session and the current organization. */
export interface SignedIn {
  readonly userId: string;
  readonly organizationId: string;
  readonly role: Role;
  /** Whether the current organization is the installation's first one. Not looked up for requests that only sign in. */
  readonly isOfFirst?: boolean;
  /** SHA-256 of the session's token. */
  readonly hash: Buffer;
}

/** Called about once a second per session; results are cached. */
export async function findSignedIn(db: Sql, clock: Clock, hash: Buffer): Promise<SignedIn | null> {
  const nowMs = clock.nowMs();
  const row = await findSession(db, hash, new Date(nowMs));
  if (row === undefined) return null;
  if (nowMs - row.last_seen_at.getTime() >= SEEN_RESOLUTION_MS) await noteUse(db, hash, row, nowMs);
  const { user_id, organization_id, role, of_first } = row;
  return { userId: user_id, organizationId: organization_id, role, isOfFirst: of_first, hash };
}

async function noteUse(db: Sql, hash: Buffer, row: SessionRow, nowMs: number): Promise<void> {
  const seenAt = new Date(nowMs);
  const expiresAt = new Date(Math.min(nowMs + IDLE_MS, row.created_at.getTime() + LONGEST_MS));
  await Promise.all([
    touchSession(db, hash, seenAt, expiresAt),
    noteSeen(db, row.organization_id, row.user_id, seenAt),
  ]);
}
