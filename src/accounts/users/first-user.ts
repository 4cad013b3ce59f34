/**
 * The first user of an installation, who owns its first organization. If several sign up at the same moment, one is
 * first; the others are told that there is a user.
 */
import type { Database } from '../../database/database.ts';
import { firstOrganization, lockForBootstrap } from '../../organizations/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Config } from '../../runtime/config.ts';
import { newId } from '../../runtime/ids.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { insertMembership } from '../members/store.ts';
import { parseAccountEmail } from './email.ts';
import type { Passwords } from './password.ts';
import { passwordProblem } from './password-rules.ts';
import { hasUsers, insertUser, type UserRow } from './store.ts';

export interface FirstUser {
  readonly email: string;
  readonly name: string | null;
  readonly password: string;
}

/** Whoever makes the first user has the setup token, or the environment. */
const FIRST_USER = 'set-up';

/** Null when there is a user already. The first organization must be there. */
export async function createFirstUser(
  db: Database,
  clock: Clock,
  passwords: Passwords,
  given: FirstUser,
): Promise<UserRow | null> {
  if (await hasUsers(db)) return null;
  const password = await passwords.hash(given.password, FIRST_USER);
  return db.transaction(async (tx) => {
    await lockForBootstrap(tx);
    if (await hasUsers(tx)) return null;
    const organization = await firstOrganization(tx);
    if (!organization) throw noOrganization();
    const createdAt = new Date(clock.nowMs());
    const user = await insertUser(tx, {
      ...given,
      id: newId('usr'),
      password,
      createdAt,
      proof: 'set up',
    });
    await insertMembership(tx, {
      organizationId: organization.id,
      userId: user.id,
      role: 'owner',
      joinedAt: createdAt,
    });
    return user;
  });
}

/** Only where the parts are started one by one, without the supervisor that makes the first organization. */
function noOrganization(): ServiceError {
  const message =
    'There is no organization yet. Create one on the server: npx postrider org create "Default"';
  return new ServiceError('CONFLICT', message);
}

export type AdminConfig = { readonly [K in 'adminEmail' | 'adminPassword']?: Config[K] };

/** From the environment. What is wrong with it stops the start: nobody could sign in otherwise. */
export function adminOf({ adminEmail, adminPassword }: AdminConfig): FirstUser | null {
  if (adminEmail === undefined && adminPassword === undefined) return null;
  if (adminEmail === undefined || adminPassword === undefined) {
    throw new Error(
      'POSTRIDER_ADMIN_EMAIL and POSTRIDER_ADMIN_PASSWORD must be set together; only one is set.',
    );
  }
  const parsed = parseAccountEmail(adminEmail);
  if (!parsed.ok) throw new Error(`POSTRIDER_ADMIN_EMAIL is not an address: ${parsed.message}`);
  const problem = passwordProblem(adminPassword, parsed.email);
  if (problem !== undefined) throw new Error(`POSTRIDER_ADMIN_PASSWORD ${problem}.`);
  return { email: parsed.email, name: null, password: adminPassword };
}
