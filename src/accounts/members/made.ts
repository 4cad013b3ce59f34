/** What somebody made that goes on working when they leave: keys, and invites that nobody has followed yet. */
import type { Sql } from '../../kit/database/sql.ts';
import { type ApiKeyRow, revokeKeysOf, usableKeysOf } from '../api-keys/store.ts';
import { type InviteRow, invitesOf, removeInvitesOf } from './invite-store.ts';

export interface Made {
  readonly keys: readonly ApiKeyRow[];
  readonly invites: readonly InviteRow[];
}

export async function madeBy(db: Sql, organizationId: string, userId: string, now: Date): Promise<Made> {
  const [keys, invites] = await Promise.all([
    usableKeysOf(db, organizationId, userId, now),
    invitesOf(db, organizationId, userId, now),
  ]);
  return { keys, invites };
}

/** Ends all of it, and says what it was. */
export async function endMadeBy(tx: Sql, organizationId: string, userId: string, now: Date): Promise<Made> {
  const [keys, invites] = await Promise.all([
    revokeKeysOf(tx, organizationId, userId, now),
    removeInvitesOf(tx, organizationId, userId, now),
  ]);
  return { keys, invites };
}

export function madeView({ keys, invites }: Made) {
  return {
    api_keys: keys.map(({ id, name, prefix, scope, created_at, last_used_at }) => ({
      id,
      name,
      prefix,
      scope,
      created_at,
      last_used_at,
    })),
    invites: invites.map(({ id, email, role: of, expires_at }) => ({ id, email, role: of, expires_at })),
  };
}
