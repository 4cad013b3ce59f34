/**
 * The one writer of `audit_log`. Entries are immutable, except for the count of refused sign-ins within the hour and
 * the name of an erased address.
 */

import { renameIn } from '../../database/renamed-address.ts';
import { type Sql, sql } from '../../database/sql.ts';
import type { ActorType, AuditEntry, WriteAudit } from '../../runtime/audit-entry.ts';
import type { Clock } from '../../runtime/clock.ts';
import { HOUR_MS } from '../../runtime/durations.ts';
import { createUuidv7 } from '../../runtime/ids.ts';

export interface AuditRow {
  readonly id: string;
  readonly at: Date;
  readonly action: string;
  readonly actor_type: ActorType;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly target_id: string | null;
  readonly target_name: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly address: string;
}

/** Stores the actor's current name, because the actor may be deleted later. */
const insert = sql(
  'audit_log.insert',
  `INSERT INTO audit_log (organization_id, id, at, action, actor_type, actor_id, actor_name, target_id, target_name,
                          details, address)
   VALUES ($1, $2, $3, $4, $5, $6::text,
           coalesce(CASE $5::text WHEN 'user' THEN (SELECT email FROM users WHERE id = $6::text)
                                  WHEN 'api_key' THEN (SELECT name FROM api_keys WHERE id = $6::text)
                                  ELSE $6::text END, ''),
           $7, $8, $9, $10)`,
  { home: 'control' },
);

const page = sql<AuditRow>(
  'audit_log.page',
  `SELECT id, at, action, actor_type, actor_id, actor_name, target_id, target_name, details, address
   FROM audit_log
   WHERE organization_id = $1
     AND ($2::uuid IS NULL OR id < $2)
     AND ($3::text IS NULL OR action = $3 OR starts_with(action, $3 || '.'))
     AND ($4::text IS NULL OR actor_id = $4)
   ORDER BY id DESC LIMIT $5`,
  { home: 'control' },
);

/**
 * The webhooks that a user, directly or with an API key, created or gave the current URL. The person who set the URL
 * receives the events.
 */
const webhooksSetBy = sql<{ target_id: string }>(
  'audit_log.webhooks_set_by',
  `SELECT target_id
   FROM (SELECT target_id, id, action,
                actor_type = 'user' AND actor_id = $2
                  OR actor_type = 'api_key'
                     AND actor_id IN (SELECT k.id FROM api_keys k WHERE k.organization_id = $1 AND k.created_by = $2)
                  AS is_theirs
         FROM audit_log
         WHERE organization_id = $1 AND action IN ('webhook.created', 'webhook.updated') AND target_id IS NOT NULL
           AND (action = 'webhook.created' OR details ? 'url')) AS settings
   GROUP BY target_id
   HAVING bool_or(action = 'webhook.created' AND is_theirs) OR (array_agg(is_theirs ORDER BY id DESC))[1]`,
  { home: 'control' },
);

/** The maximum number of addresses in one entry; further ones only increase the count. */
const MAX_ADDRESSES = 20;

/** Adds one to this hour's entries in every organization of the user. */
const countRefusedSignIn = sql(
  'audit_log.count_refusal',
  `UPDATE audit_log SET details = details || jsonb_build_object(
     'count', (details->>'count')::int + 1,
     'last_at', $4::text,
     'addresses', CASE
       WHEN details->'addresses' ? $5 OR jsonb_array_length(details->'addresses') >= $6::int THEN details->'addresses'
       ELSE details->'addresses' || to_jsonb($5::text) END)
   WHERE organization_id IN (SELECT organization_id FROM memberships WHERE user_id = $1)
     AND id >= uuid_v7_floor($2::timestamptz) AND action = 'session.refused' AND actor_id = $1
     AND details->>'reason' = $3`,
  { home: 'control' },
);

const insertRefusedSignIn = sql(
  'audit_log.insert_refusal',
  `INSERT INTO audit_log (organization_id, id, at, action, actor_type, actor_id, actor_name, details, address)
   SELECT m.organization_id, $2, $3, 'session.refused', 'user', u.id, u.email, $4, $5
   FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.user_id = $1`,
  { home: 'control' },
);

interface RefusedSignIn {
  readonly userId: string;
  readonly reason: string;
  readonly address: string;
}

const newEntryId = createUuidv7();

/** One entry per hour covers all failures of the same kind, so that guessing does not fill the log. */
export async function noteRefusedSignIn(
  db: Sql,
  nowMs: number,
  { userId, reason, address }: RefusedSignIn,
): Promise<void> {
  const hour = new Date(nowMs - (nowMs % HOUR_MS));
  const at = new Date(nowMs);
  const counted = [userId, hour, reason, at.toISOString(), address, MAX_ADDRESSES];
  if ((await db.exec(countRefusedSignIn, counted)) > 0) return;
  const details = { reason, count: 1, last_at: at.toISOString(), addresses: [address] };
  await db.exec(insertRefusedSignIn, [userId, newEntryId(nowMs), at, JSON.stringify(details), address]);
}

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

interface AuditFilter {
  readonly before: string | null;
  readonly action: string | null;
  readonly actorId: string | null;
}

export function pageOfAudit(db: Sql, organizationId: string, filter: AuditFilter, limit: number) {
  return db.many(page, [organizationId, filter.before, filter.action, filter.actorId, limit]);
}

/** Webhook ids; some webhooks may be deleted by now. */
export async function webhooksOfUser(db: Sql, organizationId: string, userId: string): Promise<Set<string>> {
  const rows = await db.many(webhooksSetBy, [organizationId, userId]);
  return new Set(rows.map(({ target_id }) => target_id));
}

/** Keeps who did what, and removes to whom. */
export const eraseFromAuditLog = renameIn('control', 'audit_log', 'target_name', 'details');
