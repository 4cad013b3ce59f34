/** The one writer of `audit_log`. Entries are never changed. */
import { type Sql, sql } from '../../database/sql.ts';
import type { AuditEntry, WriteAudit } from '../../http/audit.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createUuidv7 } from '../../runtime/ids.ts';

export interface AuditRow {
  readonly id: string;
  readonly at: Date;
  readonly action: string;
  readonly actor_type: 'user' | 'api_key';
  readonly actor_id: string;
  readonly actor_name: string;
  readonly target_id: string | null;
  readonly target_name: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly address: string;
}

/** The actor's name as it is now, because it may be gone when somebody reads this. */
const insert = sql(
  'audit_log.insert',
  `INSERT INTO audit_log (organization_id, id, at, action, actor_type, actor_id, actor_name, target_id, target_name,
                          details, address)
   VALUES ($1, $2, $3, $4, $5, $6::text,
           coalesce(CASE $5::text WHEN 'user' THEN (SELECT email FROM users WHERE id = $6::text)
                                  ELSE (SELECT name FROM api_keys WHERE id = $6::text) END, ''),
           $7, $8, $9, $10)`,
);

const page = sql<AuditRow>(
  'audit_log.page',
  `SELECT id, at, action, actor_type, actor_id, actor_name, target_id, target_name, details, address
   FROM audit_log
   WHERE organization_id = $1
     AND ($2::uuid IS NULL OR id < $2)
     AND ($3::text IS NULL OR action = $3)
     AND ($4::text IS NULL OR actor_id = $4)
   ORDER BY id DESC LIMIT $5`,
);

export function createAuditWriter(db: Sql, clock: Clock): WriteAudit {
  const newEntryId = createUuidv7();
  return async (entry: AuditEntry) => {
    const nowMs = clock.nowMs();
    await db.exec(insert, [
      entry.organizationId,
      newEntryId(nowMs),
      new Date(nowMs),
      entry.action,
      entry.actorType,
      entry.actorId,
      entry.targetId,
      entry.targetName,
      JSON.stringify(entry.details),
      entry.address,
    ]);
  };
}

export interface AuditFilter {
  readonly before: string | null;
  readonly action: string | null;
  readonly actorId: string | null;
}

export function pageOfAudit(
  db: Sql,
  organizationId: string,
  filter: AuditFilter,
  limit: number,
): Promise<AuditRow[]> {
  return db.many(page, [organizationId, filter.before, filter.action, filter.actorId, limit]);
}
