/** Replaces a key. The old key keeps working for a while, so that programs can be switched to the new one. */
import type { Database } from '../../database/database.ts';
import type { Clock } from '../../runtime/clock.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import type { NewKey } from './request.ts';
import { type CreatedKey, storeNewKey } from './service.ts';
import { type ApiKeyRow, replaceKey } from './store.ts';

export interface Rotation {
  /** The key to replace. */
  readonly old: ApiKeyRow;
  /** When the old key stops working; never later than its own expiry. */
  readonly worksUntil: Date;
  readonly expiresAt: Date | null;
  /** The user or key that requested the rotation. */
  readonly maker: string | null;
}

export interface RotatedKey extends CreatedKey {
  readonly replaced: ApiKeyRow;
}

const NOT_REPLACEABLE = 'This key no longer works, or another has taken its place already.';

export function rotateApiKey(db: Database, clock: Clock, rotation: Rotation): Promise<RotatedKey> {
  const { old, worksUntil, expiresAt, maker } = rotation;
  const { name, scope, domain, policy, organization_id: organizationId } = old;
  const key: NewKey = { name, scope, domain, expiresAt, policy, budgetOf: old.budget_of };
  return db.transaction(async (tx) => {
    const created = await storeNewKey(tx, clock, organizationId, key, { maker });
    const now = new Date(clock.nowMs());
    const end = { id: old.id, organizationId, by: created.row.id, worksUntil, now };
    const replaced = await replaceKey(tx, end);
    if (replaced === undefined) throw new ServiceError('CONFLICT', NOT_REPLACEABLE);
    return { ...created, replaced };
  });
}
