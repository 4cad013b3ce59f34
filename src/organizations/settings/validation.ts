/** What an organization says about disposable domains. The one writer of `validation_settings`. */
import { type Sql, sql } from '../../kit/database/sql.ts';
import type { OwnLists } from '../../validation/checks/disposable.ts';

export interface ValidationSettings {
  readonly disposable_allow: string[];
  readonly disposable_deny: string[];
}

export const MAX_OWN_DOMAINS = 1000;

const select = sql<ValidationSettings>(
  'validation_settings.of',
  'SELECT disposable_allow, disposable_deny FROM validation_settings WHERE organization_id = $1',
);

/** A list that is not given stays as it is. */
const upsert = sql<ValidationSettings>(
  'validation_settings.put',
  `INSERT INTO validation_settings AS s (organization_id, disposable_allow, disposable_deny, updated_at)
   VALUES ($1, coalesce($2::text[], '{}'), coalesce($3::text[], '{}'), $4)
   ON CONFLICT (organization_id) DO UPDATE SET
     disposable_allow = coalesce($2::text[], s.disposable_allow),
     disposable_deny = coalesce($3::text[], s.disposable_deny),
     updated_at = $4
   RETURNING disposable_allow, disposable_deny`,
);

export async function readSettings(db: Sql, organizationId: string): Promise<ValidationSettings> {
  return (await db.maybeOne(select, [organizationId])) ?? { disposable_allow: [], disposable_deny: [] };
}

export function writeSettings(
  db: Sql,
  organizationId: string,
  changes: Partial<ValidationSettings>,
  now: Date,
): Promise<ValidationSettings> {
  const { disposable_allow = null, disposable_deny = null } = changes;
  return db.one(upsert, [organizationId, disposable_allow, disposable_deny, now]);
}

export async function readOwnLists(db: Sql, organizationId: string): Promise<OwnLists> {
  const { disposable_allow, disposable_deny } = await readSettings(db, organizationId);
  return { allow: new Set(disposable_allow), deny: new Set(disposable_deny) };
}
