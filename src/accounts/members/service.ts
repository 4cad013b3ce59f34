/**
 * Memberships of an organization. The last owner cannot be removed or demoted, because nobody else could add another.
 */
import type { Database } from '../../database/database.ts';
import { isUniqueViolation } from '../../database/errors.ts';
import type { Sql } from '../../database/sql.ts';
import { lockForBootstrap } from '../../organizations/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import { newId } from '../../runtime/ids.ts';
import type { Role } from '../../runtime/permissions.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { newToken } from '../../runtime/tokens.ts';
import { removeSessionsOf } from '../sessions/store.ts';
import { removeLinksOf } from '../users/link-store.ts';
import type { Passwords } from '../users/password.ts';
import { insertUser, setDisabled, type UserRow } from '../users/store.ts';
import {
  accessCreatedBy,
  type CreatedByMember,
  disableWebhooksCreatedBy,
  revokeAccessCreatedBy,
  webhooksCreatedBy,
} from './created-by-member.ts';
import {
  findMember,
  insertMembership,
  lockOwnersOf,
  type MemberRow,
  membershipsOf,
  removeMembership,
  setRole,
} from './store.ts';

export async function changeRole(
  db: Database,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<MemberRow> {
  return db.transaction(async (tx) => {
    if (role !== 'owner') await assertOtherOwner(tx, organizationId, userId);
    await setRole(tx, organizationId, userId, role);
    return findOrThrow(tx, organizationId, userId);
  });
}

interface Removal {
  readonly organizationId: string;
  readonly userId: string;
  /** Also revokes the member's keys and invites, in the same transaction. */
  readonly revoke: boolean;
  readonly now: Date;
}

/** The removed member, and the access that the member had created. */
export async function removeMember(
  db: Database,
  { organizationId, userId, revoke, now }: Removal,
): Promise<{ readonly member: MemberRow; readonly made: CreatedByMember }> {
  await assertOtherOwner(db, organizationId, userId);
  await findOrThrow(db, organizationId, userId);
  // Webhooks may be in another database than members. They are disabled first, so that a removal that fails
  // afterwards can be repeated.
  const webhooks = await (revoke ? disableWebhooksCreatedBy : webhooksCreatedBy)(
    db,
    organizationId,
    userId,
    now,
  );
  return db.transaction(async (tx) => {
    await assertOtherOwner(tx, organizationId, userId);
    const member = await findOrThrow(tx, organizationId, userId);
    await removeMembership(tx, organizationId, userId);
    const access = await (revoke ? revokeAccessCreatedBy : accessCreatedBy)(tx, organizationId, userId, now);
    return { member, made: { ...access, webhooks } };
  });
}

/** For current and former members. */
export async function listCreated(
  db: Database,
  organizationId: string,
  userId: string,
  now: Date,
): Promise<CreatedByMember> {
  const [member, access, webhooks] = await Promise.all([
    findMember(db, organizationId, userId),
    accessCreatedBy(db, organizationId, userId, now),
    webhooksCreatedBy(db, organizationId, userId),
  ]);
  const count = access.keys.length + access.invites.length + webhooks.length;
  if (!member && count === 0) throw new ServiceError('NOT_FOUND');
  return { ...access, webhooks };
}

async function assertOtherOwner(tx: Sql, organizationId: string, userId: string): Promise<void> {
  const owners = await lockOwnersOf(tx, organizationId);
  if (owners.length !== 1 || owners[0] !== userId) return;
  throw new ServiceError('CONFLICT', 'An organization needs an owner. Make somebody else an owner first.');
}

async function findOrThrow(db: Sql, organizationId: string, userId: string): Promise<MemberRow> {
  const member = await findMember(db, organizationId, userId);
  if (!member) throw new ServiceError('NOT_FOUND');
  return member;
}

/**
 * A user created by the operator: a member with a random password that is unknown to everyone until a mailed link
 * sets another.
 */
interface NewMember {
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

/** Ends every session, and with `revoke` the keys, invites and webhooks that the user made in any organization. */
export async function disableUser(
  db: Database,
  userId: string,
  { revoke, now }: { readonly revoke: boolean; readonly now: Date },
): Promise<CreatedByMember> {
  await db.transaction(async (tx) => {
    await setDisabled(tx, userId, true);
    await removeSessionsOf(tx, userId);
    await removeLinksOf(tx, userId);
  });
  const made: CreatedByMember[] = [];
  for (const { id } of await membershipsOf(db, userId)) {
    const webhooks = await (revoke ? disableWebhooksCreatedBy : webhooksCreatedBy)(db, id, userId, now);
    const access = await db.transaction((tx) =>
      (revoke ? revokeAccessCreatedBy : accessCreatedBy)(tx, id, userId, now),
    );
    made.push({ ...access, webhooks });
  }
  return {
    keys: made.flatMap(({ keys }) => keys),
    invites: made.flatMap(({ invites }) => invites),
    webhooks: made.flatMap(({ webhooks }) => webhooks),
  };
}
