/** Describes the signed-in user, the current organization and the others that the user can switch to. */
import type { Sql } from '../../database/sql.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { membershipsOf } from '../members/store.ts';
import { findUser } from '../users/store.ts';
import type { Me } from './schema.ts';

export async function meOf(db: Sql, userId: string, organizationId: string): Promise<Me> {
  const [user, organizations] = await Promise.all([findUser(db, userId), membershipsOf(db, userId)]);
  const current = organizations.find(({ id }) => id === organizationId);
  // The user was removed after the session lookup.
  if (!user || !current) throw new ServiceError('UNAUTHORIZED');
  const { id, email, name, totp_enabled, recovery_codes_left, email_verified } = user;
  return {
    user: { id, email, name, totp_enabled, recovery_codes_left, email_verified },
    organization: { id: current.id, name: current.name },
    role: current.role,
    is_operator: current.is_first && current.role === 'owner',
    organizations: organizations.map(({ id, name, role }) => ({ id, name, role })),
  };
}
