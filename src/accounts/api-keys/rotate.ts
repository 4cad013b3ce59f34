/** A new key in place of another, which goes on working until the programs that have it were told. */
import type { Database } from '../../database/database.ts';
import type { Clock } from '../../runtime/clock.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import type { NewKey } from './request.ts';
import { type CreatedKey, storeNewKey } from './service.ts';
import { type ApiKeyRow, replaceKey } from './store.ts';

export interface Rotation {
  /** The key as it is. */
  readonly old: ApiKeyRow;
  /** Until when the old one works; never longer than it would have. */
  readonly worksUntil: Date;
  readonly expiresAt: Date | null;
  /** The user or the key that asks. */
  readonly maker: string | null;
}

export interface RotatedKey extends CreatedKey {
  readonly replaced: ApiKeyRow;
}

const OVER = 'This key no longer works, or another has taken its place already.';

export function rotateApiKey(db: Database, clock: Clock, rotation: Rotation): Promise<RotatedKey> {
  const { old, worksUntil, expiresAt, maker } = rotation;
  const { name, scope, domain, policy, organization_id: organizationId } = old;
  const key: NewKey = { name, scope, domain, expiresAt, policy, budgetOf: old.budget_of };
  return db.transaction(async (tx) => {
    const created = await storeNewKey(tx, clock, organizationId, key, { maker });
    const now = new Date(clock.nowMs());
    const end = { id: old.id, organizationId, by: created.row.id, worksUntil, now };
    const replaced = await replaceKey(tx, end);
    if (replaced === undefined) throw new ServiceError('CONFLICT', OVER);
    return { ...created, replaced };
  });
}
