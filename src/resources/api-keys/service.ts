import type { Sql } from '../../database/sql.ts';
import { hashToken } from '../../http/authenticate.ts';
import type { FindPrincipal } from '../../http/key-cache.ts';
import type { Clock } from '../../runtime/clock.ts';
import { newId } from '../../runtime/ids.ts';
import type { NewKey } from './request.ts';
import { generateSecret, visiblePrefix } from './secret.ts';
import { type ApiKeyRow, findByHash, insertApiKey, revokeKey } from './store.ts';
import type { KeyUsage } from './usage.ts';

export interface CreatedKey {
  readonly row: ApiKeyRow;
  /** The key itself: this is the only time anyone sees it. */
  readonly secret: string;
}

/** `secret` only where the operator brought one; otherwise it is made here. `maker`: the user or key that asks. */
export async function createApiKey(
  db: Sql,
  clock: Clock,
  organizationId: string,
  key: NewKey,
  {
    secret = generateSecret(),
    maker = null,
  }: { readonly secret?: string | undefined; readonly maker?: string | null } = {},
): Promise<CreatedKey> {
  const row = await insertApiKey(db, {
    ...key,
    id: newId('key'),
    organizationId,
    prefix: visiblePrefix(secret),
    hash: hashToken(secret),
    createdAt: new Date(clock.nowMs()),
    maker,
  });
  return { row, secret };
}

export function revokeApiKey(
  db: Sql,
  clock: Clock,
  id: string,
  organizationId: string | null,
): Promise<ApiKeyRow | undefined> {
  return revokeKey(db, id, organizationId, new Date(clock.nowMs()));
}

/** Who calls with a key, for the HTTP kit. It asks at most about once a second per key, so asking is what counts as use. */
export function createKeyLookUp(db: Sql, clock: Clock, usage: Pick<KeyUsage, 'note'>): FindPrincipal {
  return async (hash) => {
    const row = await findUsableKey(db, clock, hash);
    if (row === undefined) return null;
    usage.note(row.id);
    return { organizationId: row.organization_id, keyId: row.id, scope: row.scope, domain: row.domain };
  };
}

/** The key behind a hash, if it may be used now. */
export async function findUsableKey(db: Sql, clock: Clock, hash: Buffer): Promise<ApiKeyRow | undefined> {
  const row = await findByHash(db, hash);
  return row !== undefined && keyState(row, clock.nowMs()) === 'active' ? row : undefined;
}

export type KeyState = 'active' | 'expired' | 'revoked';

export function keyState(row: Pick<ApiKeyRow, 'revoked_at' | 'expires_at'>, nowMs: number): KeyState {
  if (row.revoked_at !== null) return 'revoked';
  return row.expires_at !== null && row.expires_at.getTime() <= nowMs ? 'expired' : 'active';
}
