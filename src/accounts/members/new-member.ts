/**
 * A user created by the operator: a member with a random password that is unknown to everyone until a mailed link
 * sets another.
 */
import type { Database } from '../../database/database.ts';
import { isUniqueViolation } from '../../database/errors.ts';
import { lockForBootstrap } from '../../organizations/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import { newId } from '../../runtime/ids.ts';
import type { Role } from '../../runtime/permissions.ts';
import { newToken } from '../../runtime/tokens.ts';
import type { Passwords } from '../users/password.ts';
import { insertUser, type UserRow } from '../users/store.ts';
import { insertMembership } from './store.ts';

export interface NewMember {
  /** In the form that `parseAccountEmail` returns. */
  readonly email: string;
  readonly organizationId: string;
  readonly role: Role;
}

const OPERATOR = 'operator';

/** Null when the user exists already. */
export async function createMember(
  db: Database,
  clock: Clock,
  passwords: Passwords,
  { email, organizationId, role }: NewMember,
): Promise<UserRow | null> {
  const password = await passwords.hash(newToken(), OPERATOR);
  const createdAt = new Date(clock.nowMs());
  const user = { id: newId('usr'), email, name: null, password, createdAt, proof: null };
  try {
    return await db.transaction(async (tx) => {
      // Serialized with a concurrent sign-up through the setup link: one of the two finds that a user exists.
      await lockForBootstrap(tx);
      const row = await insertUser(tx, user);
      await insertMembership(tx, { organizationId, userId: row.id, role, joinedAt: createdAt });
      return row;
    });
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}
