/**
 * Memberships of an organization. The last owner cannot be removed or demoted, because nobody else could add another.
 */
import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import type { Role } from '../../runtime/permissions.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import {
  accessCreatedBy,
  type CreatedByMember,
  disableWebhooksCreatedBy,
  revokeAccessCreatedBy,
  webhooksCreatedBy,
} from './created-by-member.ts';
import { findMember, lockOwnersOf, type MemberRow, removeMembership, setRole } from './store.ts';

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

export interface Removal {
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
