import type { Sql } from '../../database/sql.ts';
import { findByName } from '../../domains/store.ts';
import type { DomainName } from '../../protocols/message/domain-name.ts';
import type { Clock } from '../../runtime/clock.ts';
import { newId } from '../../runtime/ids.ts';
import type { DomainReach, PolicyInForce, Scope } from '../../runtime/permissions.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { hashToken } from '../../runtime/tokens.ts';
import { storedPolicy } from './policy.ts';
import { generateSecret, visiblePrefix } from './secret.ts';
import { type ApiKeyRow, findByHash, insertApiKey, revokeKey } from './store.ts';
import type { KeyUsage } from './usage.ts';
import type { NewKey } from './validate-key.ts';

/** The maximum number of usable keys. Each active key costs one lookup per second. */
const MAX_KEYS = 1_000;

const TOO_MANY = `This organization has ${MAX_KEYS.toLocaleString('en')} active API keys, which is the maximum. Revoke the keys that are not used.`;

export interface CreatedKey {
  readonly row: ApiKeyRow;
  /** The plaintext key, which is shown only once. */
  readonly secret: string;
}

/**
 * `secret` is given only when the operator chose one; otherwise a new one is generated. `maker`: the user or key that
 * requests the new key.
 */
export async function createApiKey(
  db: Sql,
  clock: Clock,
  organizationId: string,
  key: NewKey,
  options: NewKeyOptions = {},
): Promise<CreatedKey> {
  await checkDomain(db, organizationId, key.domain);
  return storeNewKey(db, clock, organizationId, key, options);
}

interface NewKeyOptions {
  readonly secret?: string | undefined;
  readonly maker?: string | null;
}

/** Does not check the domain, and so queries no cell. */
export async function storeNewKey(
  db: Sql,
  clock: Clock,
  organizationId: string,
  key: NewKey,
  { secret = generateSecret(), maker = null }: NewKeyOptions = {},
): Promise<CreatedKey> {
  const given = {
    ...key,
    id: newId('key'),
    organizationId,
    prefix: visiblePrefix(secret),
    hash: hashToken(secret),
    createdAt: new Date(clock.nowMs()),
    maker,
  };
  const row = await insertApiKey(db, given, MAX_KEYS);
  if (row === undefined) throw new ServiceError('CONFLICT', TOO_MANY);
  return { row, secret };
}

async function checkDomain(db: Sql, organizationId: string, domain: DomainName | null): Promise<void> {
  if (domain === null || (await findByName(db, organizationId, domain)) !== undefined) return;
  const message = `${domain} is not a domain of this organization; register it first`;
  throw new ServiceError('VALIDATION_ERROR', undefined, { problems: [{ field: 'domain', message }] });
}

export function revokeApiKey(
  db: Sql,
  clock: Clock,
  id: string,
  reach: DomainReach | null,
): Promise<ApiKeyRow | undefined> {
  return revokeKey(db, id, reach, new Date(clock.nowMs()));
}

/** The organization, scope and restrictions of a usable key. */
interface ActiveKey {
  readonly organizationId: string;
  readonly keyId: string;
  readonly firstKeyId: string;
  readonly scope: Scope;
  readonly domain: DomainName | null;
  readonly expiresAt: Date | null;
  readonly policy: PolicyInForce | null;
}

/** Results are cached for about a second per key, so each lookup counts as a use. */
export function createKeyLookUp(db: Sql, clock: Clock, usage: Pick<KeyUsage, 'note'>) {
  return async (hash: Buffer): Promise<ActiveKey | null> => {
    const row = await findUsableKey(db, clock, hash);
    if (row === undefined) return null;
    usage.note(row);
    const { id, organization_id, scope, domain, expires_at, policy, budget_of } = row;
    const inForce = policy && { ...storedPolicy(policy), budgetOf: budget_of };
    return {
      organizationId: organization_id,
      keyId: id,
      firstKeyId: budget_of,
      scope,
      domain,
      expiresAt: expires_at,
      policy: inForce,
    };
  };
}

/** The key with this hash, if it may be used now. */
export async function findUsableKey(db: Sql, clock: Clock, hash: Buffer): Promise<ApiKeyRow | undefined> {
  const row = await findByHash(db, hash);
  return row !== undefined && keyState(row, clock.nowMs()) === 'active' ? row : undefined;
}

type KeyState = 'active' | 'expired' | 'revoked';

export function keyState(row: Pick<ApiKeyRow, 'revoked_at' | 'expires_at'>, nowMs: number): KeyState {
  if (row.revoked_at !== null) return 'revoked';
  return row.expires_at !== null && row.expires_at.getTime() <= nowMs ? 'expired' : 'active';
}
