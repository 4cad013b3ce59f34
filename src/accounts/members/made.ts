/** What somebody made that goes on working when they leave: keys, and invites that nobody has followed yet. */
import { Type } from 'typebox';
import type { Sql } from '../../kit/database/sql.ts';
import { nullable, timestamp } from '../../kit/http/schema.ts';
import { apiKeySchema } from '../api-keys/schema.ts';
import { type ApiKeyRow, revokeKeysOf, usableKeysOf } from '../api-keys/store.ts';
import { role } from '../sessions/me.ts';
import { type InviteRow, invitesOf, removeInvitesOf } from './invite-store.ts';

const madeFields = {
  api_keys: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      prefix: Type.String(),
      scope: apiKeySchema.properties.scope,
      created_at: timestamp(),
      last_used_at: nullable(timestamp({ description: 'To the minute.' })),
    }),
    { description: 'Keys that work, made by the member or with a key of theirs.' },
  ),
  invites: Type.Array(
    Type.Object({ id: Type.String(), email: Type.String(), role, expires_at: timestamp() }),
    {
      description: 'Open invites of the member.',
    },
  ),
};

export const madeSchema = Type.Object(madeFields, { $id: 'MadeByMember' });

export const removedSchema = Type.Object(
  {
    id: Type.String(),
    deleted: Type.Boolean({ description: 'Always true.' }),
    revoked: Type.Boolean({ description: 'Whether what is listed here has ended, too.' }),
    ...madeFields,
  },
  { $id: 'RemovedMember' },
);

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
