/**
 * Records the outcomes of recipients and derives the email's status: `queued` while any recipient is undecided, then the worst
 * outcome. Failed outranks bounced, and bounced outranks delivered; `opened` replaces delivered.
 *
 * Two workers may settle two recipients of one email at the same moment. Each would see the other's recipient as undecided, and
 * the email would stay queued forever, so the email's row is locked before its recipients change.
 */

import { moveEmailCounts } from '../counters/email-counts.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { EmailStatus, RecipientState } from './status.ts';
import { STREAM } from './stream.ts';

export interface RecipientOutcome {
  readonly organizationId: string;
  readonly emailId: string;
  readonly position: number;
  readonly state: RecipientState;
  readonly attempts: number;
  readonly atMs: number;
}

interface EmailStatusRow {
  organization_id: string;
  id: string;
  status: EmailStatus;
  created_at: Date;
  /** Null means `transactional`. */
  stream: string | null;
}

const lockEmails = sql<EmailStatusRow>(
  'emails.lock',
  `SELECT e.organization_id, e.id, e.status, e.created_at, ${STREAM} AS stream
   FROM emails e
   JOIN (SELECT DISTINCT * FROM unnest($1::text[], $2::uuid[]) AS t(organization_id, id)) AS touched
     ON e.organization_id = touched.organization_id AND e.id = touched.id
   WHERE e.id BETWEEN $3 AND $4
   ORDER BY e.organization_id, e.id
   FOR UPDATE OF e`,
  { home: 'cell', organization: '$1' },
);

/** A mail can be opened before its delivery is recorded. Recording the delivery then makes the recipient `opened`. */
const updateRecipients = sql(
  'recipients.settle',
  `UPDATE recipients r
   SET state = CASE WHEN o.state = 'delivered' AND r.opened_at IS NOT NULL THEN 'opened' ELSE o.state END,
       attempts = o.attempts, updated_at = to_timestamp(o.at / 1000.0)
   FROM unnest($1::text[], $2::uuid[], $3::smallint[], $4::text[], $5::smallint[], $6::float8[])
        AS o(organization_id, email_id, position, state, attempts, at)
   WHERE r.organization_id = o.organization_id AND r.email_id = o.email_id AND r.position = o.position
     AND r.email_id BETWEEN $7 AND $8`,
  { home: 'cell', organization: '$1' },
);

type ChangedRow = Pick<EmailStatusRow, 'organization_id' | 'id' | 'status'>;

const deriveStatuses = sql<ChangedRow>(
  'emails.derive_status',
  `WITH derived AS (
     SELECT r.organization_id, r.email_id,
            CASE WHEN bool_or(r.state IN ('queued', 'deferred')) THEN 'queued'
                 WHEN bool_or(r.state = 'failed') THEN 'failed'
                 WHEN bool_or(r.state = 'bounced') THEN 'bounced'
                 WHEN bool_or(r.state = 'opened') THEN 'opened'
                 ELSE 'delivered' END AS status
     FROM recipients r
     JOIN unnest($1::text[], $2::uuid[]) AS t(organization_id, email_id)
       ON r.organization_id = t.organization_id AND r.email_id = t.email_id
     WHERE r.email_id BETWEEN $4 AND $5
     GROUP BY r.organization_id, r.email_id
   )
   UPDATE emails e SET status = derived.status, updated_at = to_timestamp($3::float8 / 1000.0)
   FROM derived
   WHERE e.organization_id = derived.organization_id AND e.id = derived.email_id AND e.status <> derived.status
     AND e.id BETWEEN $4 AND $5
   RETURNING e.organization_id, e.id, e.status`,
  { home: 'cell', organization: '$1' },
);

interface EmailKey {
  readonly organizationId: string;
  readonly emailId: string;
}

/**
 * Part of the transaction that settles. Updates recipients, then the status of their emails, and last the counters, because
 * other transactions wait for these. Statements that need no earlier answer are pipelined and still run in this order.
 * `andCount` updates further counters after those of emails.
 */
export async function applyOutcomes(
  tx: Sql,
  outcomes: readonly RecipientOutcome[],
  nowMs: number,
  andCount?: () => Promise<void>,
): Promise<void> {
  if (outcomes.length === 0) return;
  const decided = outcomes.filter((one) => one.state !== 'deferred');
  const [before, , changed] = await Promise.all([
    lockEmailsOf(tx, decided),
    writeRecipients(tx, outcomes),
    deriveStatusesOf(tx, decided, nowMs),
  ]);
  await Promise.all([countChanges(tx, before, changed), andCount?.()]);
}

/** Call before the recipients of these emails change. */
export async function lockEmailsOf(tx: Sql, emails: readonly EmailKey[]): Promise<EmailStatusRow[]> {
  if (emails.length === 0) return [];
  const ids = emails.map((one) => one.emailId);
  return tx.many(lockEmails, [emails.map((one) => one.organizationId), ids, ...span(ids)]);
}

async function writeRecipients(tx: Sql, outcomes: readonly RecipientOutcome[]): Promise<void> {
  const ids = outcomes.map((one) => one.emailId);
  await tx.exec(updateRecipients, [
    outcomes.map((one) => one.organizationId),
    ids,
    outcomes.map((one) => one.position),
    outcomes.map((one) => one.state),
    outcomes.map((one) => one.attempts),
    outcomes.map((one) => one.atMs),
    ...span(ids),
  ]);
}

/** Call after the recipients of these emails have changed. Returns the emails whose status changed. */
export async function deriveStatusesOf(
  tx: Sql,
  emails: readonly EmailKey[],
  nowMs: number,
): Promise<ChangedRow[]> {
  if (emails.length === 0) return [];
  const ids = emails.map((one) => one.emailId);
  return tx.many(deriveStatuses, [emails.map((one) => one.organizationId), ids, nowMs, ...span(ids)]);
}

/** `before` is the result of locking the emails. */
export async function countChanges(
  tx: Sql,
  before: readonly EmailStatusRow[],
  changed: readonly ChangedRow[],
): Promise<void> {
  const old = new Map(before.map((row) => [row.id, row]));
  await moveEmailCounts(
    tx,
    changed.flatMap((row) => {
      const was = old.get(row.id);
      if (!was) return [];
      const { stream, created_at } = was;
      const common = { organizationId: row.organization_id, createdAtMs: created_at.getTime(), stream };
      return [
        { status: was.status, by: -1, ...common },
        { status: row.status, by: 1, ...common },
      ];
    }),
  );
}

/** The lowest and the highest id. With these bounds PostgreSQL prunes every partition outside. */
export function span(ids: readonly string[]): [string, string] {
  let low = ids[0] as string;
  let high = low;
  for (const id of ids) {
    if (id < low) low = id;
    if (id > high) high = id;
  }
  return [low, high];
}
