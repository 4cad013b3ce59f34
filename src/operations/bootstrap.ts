/**
 * The first start: if no organization exists, creates "Default" with a domain it may send from at once and a key to send with.
 * Any number of processes may run this at the same moment; one creates the organization, the others find it.
 *
 * A key from the environment gives the operator access, so a later start adds it to the first organization if it does not exist
 * yet. A revoked key stays revoked, whatever the environment still says. A user from the environment becomes the first user,
 * and is ignored once any user exists.
 */

import { createApiKey, keyState } from '../accounts/api-keys/service.ts';
import { findByHash } from '../accounts/api-keys/store.ts';
import type { NewKey } from '../accounts/api-keys/validate-key.ts';
import { type AdminConfig, adminOf, createFirstUser } from '../accounts/users/first-user.ts';
import { Passwords } from '../accounts/users/password.ts';
import type { Database } from '../database/database.ts';
import type { Sql } from '../database/sql.ts';
import { insertSandboxDomain } from '../domains/sandbox-domain.ts';
import { createOrganization } from '../organizations/service.ts';
import { firstOrganization, lockForBootstrap } from '../organizations/store.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { hashToken } from '../runtime/tokens.ts';

const DEFAULT_ORGANIZATION = 'Default';

export interface Bootstrapped {
  readonly created: boolean;
  readonly organizationId: string;
  /** The newly created key, which can be shown only now; null if it was given, or created earlier. */
  readonly apiKey: string | null;
  /** What happened to the key from the environment. */
  readonly givenKey: 'none' | 'added' | 'known' | 'revoked' | 'expired';
}

type Given = Pick<Config, 'bootstrapApiKey' | 'bootstrapApiKeyName' | 'dailyLimit'>;

export async function bootstrap(
  db: Database,
  config: Given & AdminConfig,
  clock: Clock,
): Promise<Bootstrapped> {
  const admin = adminOf(config);
  const first = await db.transaction(async (tx) => {
    await lockForBootstrap(tx);
    const existing = await firstOrganization(tx);
    if (existing === undefined) return createDefault(tx, config, clock);
    const givenKey = await addGivenKey(tx, config, existing.id, clock);
    return { created: false, organizationId: existing.id, apiKey: null, givenKey };
  });
  if (admin !== null) await createFirstUser(db, clock, new Passwords(), admin);
  return first;
}

async function createDefault(tx: Sql, config: Given, clock: Clock): Promise<Bootstrapped> {
  const given = { name: DEFAULT_ORGANIZATION, dailyLimit: config.dailyLimit };
  const { id: organizationId, created_at } = await createOrganization(tx, clock, given);
  await insertSandboxDomain(tx, organizationId, created_at);
  const key = fullKey(config.bootstrapApiKey === undefined ? 'First key' : config.bootstrapApiKeyName);
  const { secret } = await createApiKey(tx, clock, organizationId, key, { secret: config.bootstrapApiKey });
  return config.bootstrapApiKey === undefined
    ? { created: true, organizationId, apiKey: secret, givenKey: 'none' }
    : { created: true, organizationId, apiKey: null, givenKey: 'added' };
}

async function addGivenKey(
  tx: Sql,
  { bootstrapApiKey: secret, bootstrapApiKeyName: name }: Given,
  organizationId: string,
  clock: Clock,
): Promise<Bootstrapped['givenKey']> {
  if (secret === undefined) return 'none';
  const known = await findByHash(tx, hashToken(secret));
  if (known !== undefined) {
    const state = keyState(known, clock.nowMs());
    return state === 'active' ? 'known' : state;
  }
  await createApiKey(tx, clock, organizationId, fullKey(name), { secret });
  return 'added';
}

/** The names of keys from the configuration: the environment variables they came from. */
export const GIVEN_KEY_NAMES: readonly string[] = ['POSTRIDER_BOOTSTRAP_API_KEY', 'POSTRIDER_API_KEY'];

function fullKey(name: string): NewKey {
  return { name, scope: 'full', domain: null, expiresAt: null };
}
