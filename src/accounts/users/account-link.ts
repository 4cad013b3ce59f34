/** A single-use link for one user, valid for an hour. */
import type { Database } from '../../database/database.ts';
import type { Clock } from '../../runtime/clock.ts';
import { HOUR_MS } from '../../runtime/durations.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { hashToken, newToken } from '../../runtime/tokens.ts';
import { insertLink, type LinkPurpose } from './link-store.ts';
import { lockUser } from './store.ts';

const LINK_MS = HOUR_MS;
/** The maximum number of links of one kind that a user is sent within LINK_MS. */
const MAX_MAILS = 3;

const PATHS: Record<LinkPurpose, string> = { password: '/reset-password', address: '/confirm-address' };

interface LinkDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/** Undefined when the user has reached the limit of links within the hour. */
export async function createLink(
  { db, clock, publicUrl }: LinkDeps,
  link: { readonly userId: string; readonly purpose: LinkPurpose; readonly mailed: boolean },
): Promise<string | undefined> {
  const token = newToken();
  const nowMs = clock.nowMs();
  const row = {
    ...link,
    hash: hashToken(token),
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + LINK_MS),
  };
  const limit = { most: MAX_MAILS, since: new Date(nowMs - LINK_MS) };
  const isInserted = await db.transaction(async (tx) => {
    // The row lock serializes concurrent requests, so that each sees the links counted by the others.
    await lockUser(tx, link.userId);
    return insertLink(tx, row, limit);
  });
  if (!isInserted) return undefined;
  return `${publicUrl}${PATHS[link.purpose]}?token=${token}`;
}

export function unknownLink(): ServiceError {
  return new ServiceError('NOT_FOUND', 'This link was already used or has expired. Ask for a new one.');
}
