/**
 * The states that an email's status leaves out: as conditions for lists, and looked up for the emails of a page. Reads only.
 */
import { type Sql, sql } from '../database/sql.ts';
import { APPROVAL_HOLD } from '../outbox/approval.ts';
import { RECIPIENTS } from './email.ts';
import { span } from './outcomes.ts';
import type { EmailState, EmailStatus, SpecialState } from './status.ts';

/** The reasons for which users take mail out of the queue, see withdrawal.ts. */
export const WITHDRAWN_BECAUSE: readonly string[] = [
  'cancelled',
  'discarded',
  'hold_discarded',
  'approval_rejected',
  'approval_expired',
  'sandbox_ended',
  'erased',
  'key_revoked',
];

const event = (condition: string) =>
  `EXISTS (SELECT FROM events v WHERE v.organization_id = e.organization_id AND v.email_id = e.id AND ${condition})`;

/** A newer email replaced this one: one with the same collapse key, or a repeat that the guard delayed. */
const NEWER = `'superseded', 'flood_collapsed'`;

const BECAUSE = WITHDRAWN_BECAUSE.map((reason) => `'${reason}'`).join(', ');

/**
 * SQL: the id of the hold that the delivery `o` waits for. Under a hold of all mail no delivery is claimed, so none is parked,
 * but every due delivery still waits for the hold.
 */
const HOLD_OF = `CASE WHEN o.hold_id IS NOT NULL THEN nullif(o.hold_id, '${APPROVAL_HOLD}')
  WHEN o.worker IS NULL AND o.due_at <= now()
    THEN (SELECT h.id FROM holds h WHERE h.scope = 'all' AND h.organization_id IS NULL AND h.lifted_at IS NULL LIMIT 1) END`;

/** SQL: the recipient `r` has got the email. */
const IS_DELIVERED = `r.state IN ('delivered', 'opened')`;

/** Of the email `e`. The database's clock decides what is still scheduled. */
export const STATE_CONDITIONS: Readonly<Record<SpecialState, string>> = {
  scheduled: `e.status = 'queued' AND e.scheduled_at > now()`,
  awaiting_approval: `e.status = 'queued' AND EXISTS (SELECT FROM outbox o WHERE o.organization_id = e.organization_id
             AND o.email_id = e.id AND o.hold_id = '${APPROVAL_HOLD}')`,
  held: `e.status = 'queued' AND EXISTS (SELECT FROM outbox o WHERE o.organization_id = e.organization_id
             AND o.email_id = e.id AND ${HOLD_OF} IS NOT NULL)`,
  retrying: `e.status = 'queued' AND EXISTS (SELECT FROM recipients r WHERE r.organization_id = e.organization_id
             AND r.email_id = e.id AND r.state = 'deferred')`,
  // Most emails have one recipient. With EXISTS, PostgreSQL may read all recipients of all organizations for a join.
  partly_delivered: `e.status IN ('bounced', 'failed') AND jsonb_array_length(${RECIPIENTS}) > 1
             AND (SELECT bool_or(${IS_DELIVERED}) FROM recipients r
                  WHERE r.organization_id = e.organization_id AND r.email_id = e.id)`,
  withdrawn: `e.status = 'failed' AND ${event(`v.type = 'rejected' AND v.reason IN (${BECAUSE})`)}
              AND NOT ${event(`v.type = 'failed'`)}`,
  superseded: `e.status = 'failed' AND ${event(`v.type = 'rejected' AND v.reason IN (${NEWER})`)}`,
  complained: event(`v.type = 'complained'`),
};

interface StateRow extends Readonly<Record<SpecialState, boolean>> {
  readonly id: string;
  readonly status: EmailStatus;
  readonly recipient_count: number;
  readonly delivered_count: number;
  readonly next_attempt_at: Date | null;
  readonly hold_id: string | null;
  readonly hold_reason: string;
  readonly hold_placed_by: string;
  readonly hold_placed_at: Date;
}

const IN_PAGE = (id: string) =>
  `organization_id = $1 AND ${id} = ANY ($2::uuid[]) AND ${id} BETWEEN $3 AND $4`;

/**
 * The same rules as the conditions, but for all emails of a page together. With the conditions, PostgreSQL plans every
 * partition of events and recipients for every partition of emails, and planning took ten times as long as execution.
 */
const select = sql<StateRow>(
  'emails.states',
  `WITH told AS (
     SELECT email_id, bool_or(type = 'complained') AS complained, bool_or(type = 'failed') AS failed,
            bool_or(type = 'rejected' AND reason IN (${BECAUSE})) AS taken_out,
            bool_or(type = 'rejected' AND reason IN (${NEWER})) AS superseded
     FROM events WHERE ${IN_PAGE('email_id')} AND type IN ('complained', 'failed', 'rejected') GROUP BY email_id
   ), people AS (
     SELECT email_id, position, state FROM recipients WHERE ${IN_PAGE('email_id')}
   ), reached AS (
     SELECT email_id, count(*)::int AS recipient_count, count(*) FILTER (WHERE ${IS_DELIVERED})::int AS delivered_count
     FROM people r GROUP BY email_id
   ), unapproved AS (
     SELECT DISTINCT email_id FROM outbox WHERE ${IN_PAGE('email_id')} AND hold_id = '${APPROVAL_HOLD}'
   ), stopped AS (
     SELECT email_id, min(hold_id) AS hold_id
     FROM (SELECT o.email_id, ${HOLD_OF} AS hold_id FROM outbox o WHERE ${IN_PAGE('email_id')}) AS o GROUP BY email_id
   ), retried AS (
     SELECT w.email_id, min(o.due_at) AS due_at
     FROM people w LEFT JOIN outbox o ON o.organization_id = $1 AND o.email_id = w.email_id AND o.position = w.position
     WHERE w.state = 'deferred' GROUP BY w.email_id
   )
   SELECT e.id, e.status, coalesce(p.recipient_count, 0) AS recipient_count,
          coalesce(p.delivered_count, 0) AS delivered_count,
          e.status = 'queued' AND e.scheduled_at IS NOT NULL AND e.scheduled_at > now() AS scheduled,
          e.status = 'queued' AND u.email_id IS NOT NULL AS awaiting_approval,
          e.status = 'queued' AND h.id IS NOT NULL AS held,
          e.status = 'queued' AND r.email_id IS NOT NULL AS retrying,
          e.status IN ('bounced', 'failed') AND coalesce(p.delivered_count, 0) > 0 AS partly_delivered,
          e.status = 'failed' AND coalesce(t.taken_out AND NOT t.failed, false) AS withdrawn,
          e.status = 'failed' AND coalesce(t.superseded, false) AS superseded,
          coalesce(t.complained, false) AS complained,
          CASE WHEN e.status = 'queued' AND r.due_at < 'infinity' THEN r.due_at END AS next_attempt_at,
          CASE WHEN e.status = 'queued' THEN h.id END AS hold_id, h.reason AS hold_reason,
          h.placed_by AS hold_placed_by, h.placed_at AS hold_placed_at
   FROM (SELECT id, status, scheduled_at FROM emails WHERE ${IN_PAGE('id')}) AS e
   LEFT JOIN told t ON t.email_id = e.id LEFT JOIN retried r ON r.email_id = e.id
   LEFT JOIN reached p ON p.email_id = e.id LEFT JOIN unapproved u ON u.email_id = e.id
   LEFT JOIN stopped s ON s.email_id = e.id LEFT JOIN holds h ON h.id = s.hold_id`,
  { home: 'cell', organization: '$1' },
);

export interface EmailSituation {
  readonly state: EmailState;
  /** Addresses that the email is for. */
  readonly recipient_count: number;
  readonly delivered_count: number;
  /** Of mail that is retried; null while unknown. */
  readonly next_attempt_at: Date | null;
  /** The hold that keeps it, or some of its recipients, from being sent. */
  readonly hold: EmailHold | null;
}

interface EmailHold {
  readonly id: string;
  readonly reason: string;
  readonly placed_by: string;
  readonly placed_at: Date;
}

export async function situationsOf(
  db: Sql,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EmailSituation>> {
  if (ids.length === 0) return new Map();
  const rows = await db.many(select, [organizationId, ids, ...span(ids)]);
  return new Map(rows.map((row) => [row.id, situationOf(row)]));
}

function situationOf(row: StateRow): EmailSituation {
  const { recipient_count, delivered_count, next_attempt_at } = row;
  const { hold_id: id, hold_reason: reason, hold_placed_by, hold_placed_at } = row;
  const hold = id === null ? null : { id, reason, placed_by: hold_placed_by, placed_at: hold_placed_at };
  return { state: stateOf(row), recipient_count, delivered_count, next_attempt_at, hold };
}

/** States that need attention come first. */
const BY_WEIGHT: readonly SpecialState[] = [
  'complained',
  'held',
  'retrying',
  'awaiting_approval',
  'scheduled',
  'partly_delivered',
  'withdrawn',
  'superseded',
];

function stateOf(row: StateRow): EmailState {
  return BY_WEIGHT.find((state) => row[state]) ?? row.status;
}
