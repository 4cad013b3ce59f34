/**
 * Creates the first user of an installation, the owner of its first organization. Of several concurrent sign-ups one
 * succeeds; the others get an error that a user exists.
 */

import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { firstOrganization, lockForBootstrap } from '../../organizations/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Config } from '../../runtime/config.ts';
import { newId } from '../../runtime/ids.ts';
import type { SecretKey } from '../../runtime/secret-key.ts';
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

/** The caller that hashes for every first user: only the holder of the setup token or the environment gets this far. */
const FIRST_USER = 'set-up';

/** Null when a user exists already. The first organization must exist. */
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

/**
 * Happens only when the processes are started individually, without the supervisor that creates the first
 * organization.
 */
function noOrganization(): ServiceError {
  const message =
    'There is no organization yet. Create one on the server: npx postrider org create "Default"';
  return new ServiceError('CONFLICT', message);
}

export type AdminConfig = { readonly [K in 'adminEmail' | 'adminPassword']?: Config[K] };

/** Reads the first user from the environment. An invalid value stops the start, because nobody could sign in. */
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

/** 128 bits cannot be guessed, and the link still fits on a line. */
const TOKEN_BYTES = 16;

/**
 * The setup token proves that the first user, the future owner of the installation, is the person who started the
 * installation. It is derived from the installation's secret key, so every process computes the same token and
 * nothing is stored. The token is useless once a user exists.
 *
 * The dashboard's link carries the token in its fragment, which browsers do not send to servers.
 */
export function setUpToken(secret: SecretKey): string {
  return secret.derive('set-up').subarray(0, TOKEN_BYTES).toString('base64url');
}

export function setUpLink(publicUrl: string, token: string): string {
  return `${publicUrl}/#setup=${token}`;
}

export function isSetUpToken(given: string | undefined, token: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export function setUpTokenNeeded(): ServiceError {
  return new ServiceError('SETUP_TOKEN_REQUIRED');
}
