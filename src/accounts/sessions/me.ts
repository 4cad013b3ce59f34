/** Who is signed in, where, and where else they could be. */
import { type Static, Type } from 'typebox';
import type { Sql } from '../../kit/database/sql.ts';
import { ROLES } from '../../kit/http/principal.ts';
import { nullable, stringEnum } from '../../kit/http/schema.ts';
import { ServiceError } from '../../kit/service-error.ts';
import { membershipsOf } from '../members/store.ts';
import { findUser } from '../users/store.ts';

export const role = stringEnum(ROLES, {
  description:
    '`owner` may do everything, `member` all but members, organizations and the audit log, `read_only` reads.',
});

const organization = { id: Type.String(), name: Type.String() };

export const meSchema = Type.Object(
  {
    user: Type.Object({
      id: Type.String({ description: 'Starts with `usr_`.' }),
      email: Type.String(),
      name: nullable(Type.String()),
      totp_enabled: Type.Boolean({ description: 'Whether signing in takes a code, too.' }),
      recovery_codes_left: Type.Integer(),
      email_verified: Type.Boolean({
        description: 'Whether mail to the address is known to reach the user.',
      }),
    }),
    organization: Type.Object(organization, { description: 'The one that this session works in.' }),
    role,
    is_operator: Type.Boolean({
      description: 'Whether you run the installation: an owner who works in its first organization.',
    }),
    organizations: Type.Array(Type.Object({ ...organization, role }), {
      description: 'All that the user is in, the first joined first.',
    }),
  },
  { $id: 'Me' },
);

export type Me = Static<typeof meSchema>;

export async function meOf(db: Sql, userId: string, organizationId: string): Promise<Me> {
  const [user, organizations] = await Promise.all([findUser(db, userId), membershipsOf(db, userId)]);
  const current = organizations.find(({ id }) => id === organizationId);
  // Removed since the session was looked up.
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
