/**
 * Claiming assigns due waiting rows to this worker in one short transaction.
 *
 * A claim names lanes and a number of deliveries for each (`Want`). These shares are computed beforehand, from the capacity of
 * destinations and from fair scheduling. So a claim costs one index seek per lane, however many other rows wait: mail that is
 * not due, mail to paused destinations, a million rows of one flood. SKIP LOCKED keeps two workers from blocking each other.
 *
 * A worker gets only mail of its own mode, whatever lanes it names: this keeps sandbox mail from real delivery.
 */

import type { Database } from '../database/database.ts';
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
 * The statement finds and locks the rows first. A PostgreSQL function then updates them by their keys and forbids other plans:
 * the planner reads the whole table whenever it estimates the table to be small, which made a claim of 50 from 12,000 rows cost
 * 8 ms instead of 1 ms.
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

/** Claims up to `room` due deliveries of each lane for a worker, in the order in which to start them. */
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

interface EarlyClaim {
  readonly deliveries: readonly ClaimedDelivery[];
  /** Rejects if the claim may not be on disk. The deliveries may then belong to another worker. */
  readonly committed: Promise<void>;
}

/**
 * Claims as `claim` does, and returns while the commit is still being written to disk. The deliveries may be prepared meanwhile.
 * None may be handed over to a server before `committed` resolves.
 */
export function claimEarly(db: Database, claimant: Claimant, wants: readonly Want[]): Promise<EarlyClaim> {
  return new Promise((resolve, reject) => {
    const committed = db.transaction(async (tx) => {
      const deliveries = await claim(tx, claimant, wants);
      resolve({ deliveries, committed });
    });
    committed.catch(reject); // without effect once the deliveries were returned
  });
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

/** Claims expired mail of every destination, so that a destination without capacity does not keep mail forever. */
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
