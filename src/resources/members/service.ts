/** Who is in an organization. It always keeps an owner: nobody else could ever let one in. */
import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import { ApiError } from '../../http/errors.ts';
import type { Role } from '../../http/principal.ts';
import { findMember, lockOwnersOf, type MemberRow, removeMembership, setRole } from './store.ts';

export async function changeRole(
  db: Database,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<MemberRow> {
  return db.transaction(async (tx) => {
    if (role !== 'owner') await keepAnOwner(tx, organizationId, userId);
    await setRole(tx, organizationId, userId, role);
    return findOrThrow(tx, organizationId, userId);
  });
}

export async function removeMember(db: Database, organizationId: string, userId: string): Promise<MemberRow> {
  return db.transaction(async (tx) => {
    await keepAnOwner(tx, organizationId, userId);
    const member = await findOrThrow(tx, organizationId, userId);
    await removeMembership(tx, organizationId, userId);
    return member;
  });
}

async function keepAnOwner(tx: Sql, organizationId: string, userId: string): Promise<void> {
  const owners = await lockOwnersOf(tx, organizationId);
  if (owners.length !== 1 || owners[0] !== userId) return;
  throw new ApiError('CONFLICT', [], 'An organization needs an owner: make somebody else one first.');
}

async function findOrThrow(db: Sql, organizationId: string, userId: string): Promise<MemberRow> {
  const member = await findMember(db, organizationId, userId);
  if (!member) throw new ApiError('NOT_FOUND');
  return member;
}
