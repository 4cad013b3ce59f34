/**
 * Sessions: a random token in the browser, its SHA-256 here. One lasts while it is used, a fortnight beyond that, and
 * never longer than 90 days.
 */
import type { Sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../runtime/durations.ts';
import type { Role } from '../../runtime/permissions.ts';
import { hashToken, newToken } from '../../runtime/tokens.ts';
import { noteSeen } from '../members/store.ts';
import { findSession, insertSession, type SessionDevice, type SessionRow, touchSession } from './store.ts';

export const IDLE_MS = 14 * DAY_MS;
export const LONGEST_MS = 90 * DAY_MS;
/** How exact "last seen" is, and so how often a busy session is written. */
export const SEEN_RESOLUTION_MS = 5 * MINUTE_MS;

export interface OpenedSession {
  /** For the cookie: this is the only time anyone has it. */
  readonly token: string;
  readonly hash: Buffer;
  readonly organizationId: string;
}

/** Undefined when the user is in no organization, or disabled. */
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

/** Who is signed in with a session, and where they work. */
export interface SignedIn {
  readonly userId: string;
  readonly organizationId: string;
  readonly role: Role;
  /** Works in the first organization; not looked up for a request that only signs in. */
  readonly isOfFirst?: boolean;
  /** SHA-256 of the session's token. */
  readonly hash: Buffer;
}

/** Asked about once a second per session. */
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
