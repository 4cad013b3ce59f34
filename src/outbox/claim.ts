/**
 * Claiming: waiting rows that are due become this worker's, in one short transaction.
 *
 * A claim names the lanes it wants mail from and how much (`Want`): who may have how much is decided before, from
 * what destinations can take and whose turn it is. So a claim costs one index seek per lane, whatever else waits:
 * mail that is not due, mail to destinations that take nothing, a million rows of somebody's flood. SKIP LOCKED
 * keeps two workers from waiting for each other.
 *
 * A worker gets mail of its own mode only, whatever lanes it asks for: this is where the sandbox ends.
 */

import { notMigrating } from '../database/organization-freezes.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { Lane } from './lanes.ts';
import type { Claimant, ClaimedDelivery } from './states.ts';

export interface Want extends Lane {
  readonly room: number;
}

interface ClaimedRow {
  organization_id: string;
  email_id: string;
  position: number;
  domain: string;
  priority: number;
  attempt: number;
  first_attempt_at: Date;
  expires_at: Date;
  size: number;
  due_ms: number;
  waited_ms: number;
}

const CLAIMED_COLUMNS = `organization_id, email_id, position, domain, priority, attempt, first_attempt_at, expires_at, size,
   extract(epoch FROM due_at)::float8 * 1000 AS due_ms,
   extract(epoch FROM now() - due_at)::float8 * 1000 AS waited_ms`;

/**
 * The rows are found and locked first, and then updated by their keys in a function of PostgreSQL that forbids other ways: the
 * planner would read the whole table whenever it takes it for small, which made a claim of 50 from 12,000 rows cost 8 ms
 * instead of 1.
 */
const claimed = (due: string) =>
  `(SELECT array_agg(organization_id) AS organization_ids, array_agg(email_id) AS email_ids,
           array_agg(position) AS positions FROM ${due} AS due) AS found,
   LATERAL claim_deliveries($1, organization_ids, email_ids, positions)`;

const claimWanted = sql<ClaimedRow>(
  'outbox.claim',
  `SELECT ${CLAIMED_COLUMNS}
   FROM ${claimed(`(
     SELECT due.organization_id, due.email_id, due.position
     FROM unnest($2::text[], $3::text[], $4::smallint[], $5::int[])
          AS want(domain, organization_id, priority, room)
     CROSS JOIN LATERAL (
       SELECT organization_id, email_id, position FROM outbox
       WHERE worker IS NULL AND domain = want.domain AND organization_id = want.organization_id
         AND priority = want.priority AND due_at <= now() AND mode = $6
       ORDER BY due_at
       LIMIT want.room
       FOR UPDATE SKIP LOCKED
     ) AS due
     WHERE ${notMigrating('want.organization_id')})`)}
   ORDER BY priority, due_at, email_id, position`,
  { home: 'cell', organization: '$3' },
);

/** Takes up to `room` due deliveries of each lane for a worker, in the order in which to begin. */
export async function claim(
  db: Sql,
  { epoch, mode }: Claimant,
  wants: readonly Want[],
): Promise<ClaimedDelivery[]> {
  if (wants.length === 0) return [];
  const rows = await db.many(claimWanted, [
    epoch,
    wants.map((want) => want.domain),
    wants.map((want) => want.organizationId),
    wants.map((want) => want.priority),
    wants.map((want) => want.room),
    mode,
  ]);
  return rows.map(toClaimed);
}

const claimOverdue = sql<ClaimedRow>(
  'outbox.claim_expired',
  `SELECT ${CLAIMED_COLUMNS}
   FROM ${claimed(`(
     SELECT organization_id, email_id, position FROM outbox
     WHERE worker IS NULL AND expires_at <= now() AND mode = $3 AND ${notMigrating()}
     ORDER BY expires_at
     LIMIT $2
     FOR UPDATE SKIP LOCKED)`)}
   ORDER BY expires_at`,
  { home: 'cell' },
);

/** What is to be given up, wherever it goes: a destination that takes nothing must not keep mail forever. */
export async function claimExpired(
  db: Sql,
  { epoch, mode }: Claimant,
  limit: number,
): Promise<ClaimedDelivery[]> {
  return (await db.many(claimOverdue, [epoch, limit, mode])).map(toClaimed);
}

function toClaimed(row: ClaimedRow): ClaimedDelivery {
  return {
    organizationId: row.organization_id,
    emailId: row.email_id,
    position: row.position,
    domain: row.domain,
    priority: row.priority,
    attempt: row.attempt,
    firstAttemptAtMs: row.first_attempt_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
    size: row.size,
    dueAtMs: row.due_ms,
    waitedMs: row.waited_ms,
  };
}
