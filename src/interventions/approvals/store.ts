/** The one writer of `approvals`. */

import { columns } from '../../database/call.ts';
import { notMigrating } from '../../database/organization-freezes.ts';
import { type Sql, sql } from '../../database/sql.ts';
import {
  type Addresses,
  type Metadata,
  STORED_OPTIONS,
  type StoredOptions,
  type Tag,
} from '../../emails/email.ts';
import { GROUP } from '../../emails/store-read.ts';
import { OWN_TAGS, STREAM } from '../../emails/stream.ts';
import { APPROVAL_HOLD } from '../../outbox/approval.ts';
import { APPROVAL_DAYS, type ApprovalDecision, type ApprovalState } from './approval.ts';

export interface ApprovalRow {
  readonly id: string;
  readonly state: ApprovalState;
  readonly api_key_id: string;
  readonly requested_at: Date;
  readonly expires_at: Date;
  readonly decided_at: Date | null;
  /** The user who decided. */
  readonly decided_by: string | null;
  readonly reason: string | null;
  readonly subject: string;
  readonly from_email: string;
  readonly from_name: string | null;
  readonly addresses: Addresses;
  readonly options: StoredOptions;
  readonly scheduled_at: Date | null;
  readonly template_id: string | null;
  readonly template_version: number | null;
  readonly tags: readonly Tag[] | null;
  readonly stream: string | null;
  readonly metadata: Metadata | null;
  /** By its rank. */
  readonly priority: number;
  readonly expires_in: number | null;
  readonly track_opens: boolean;
  readonly unsubscribe: boolean;
  readonly unsubscribe_group: string | null;
}

/** The outbox decides whether the mail still waits, because it may have left the queue some other way. */
const IS_QUEUED = `EXISTS (SELECT FROM outbox o WHERE o.organization_id = a.organization_id AND o.email_id = a.email_id
     AND o.hold_id = '${APPROVAL_HOLD}')`;

const SELECT = `SELECT a.email_id AS id,
     coalesce(a.decision, CASE WHEN ${IS_QUEUED} THEN 'waiting' ELSE 'withdrawn' END) AS state,
     a.api_key_id, a.requested_at, a.expires_at, a.decided_at, a.decided_by, a.reason,
     e.subject, e.from_email, e.from_name, e.addresses, ${STORED_OPTIONS} AS options, e.scheduled_at, e.template_id, e.template_version,
     ${OWN_TAGS} AS tags, ${STREAM} AS stream, e.metadata, e.priority, e.expires_in, e.track_opens, e.unsubscribe, ${GROUP} AS unsubscribe_group
   FROM approvals a JOIN emails e ON e.organization_id = a.organization_id AND e.id = a.email_id`;

const insert = sql(
  'approvals.insert',
  `INSERT INTO approvals (organization_id, email_id, api_key_id, requested_at, expires_at)
   SELECT organization_id, email_id, key_id, to_timestamp(at / 1000.0),
          to_timestamp(at / 1000.0) + ${APPROVAL_DAYS} * interval '1 day'
   FROM unnest($1::text[], $2::uuid[], $3::text[], $4::float8[]) AS new(organization_id, email_id, key_id, at)`,
  { home: 'cell', organization: '$1' },
);

/** The oldest first, because they expire first. */
const pageWaiting = sql<ApprovalRow>(
  'approvals.waiting',
  `${SELECT} WHERE a.organization_id = $1 AND a.decision IS NULL AND ${IS_QUEUED}
   ORDER BY a.email_id LIMIT $2 OFFSET $3`,
  { home: 'cell', organization: '$1' },
);

const pageDecided = sql<ApprovalRow>(
  'approvals.decided',
  `${SELECT} WHERE a.organization_id = $1 AND a.decision IS NOT NULL
   ORDER BY a.email_id DESC LIMIT $2 OFFSET $3`,
  { home: 'cell', organization: '$1' },
);

const one = sql<ApprovalRow>('approvals.one', `${SELECT} WHERE a.organization_id = $1 AND a.email_id = $2`, {
  home: 'cell',
  organization: '$1',
});

const countWaiting = sql<{ count: number }>(
  'approvals.count_waiting',
  `SELECT count(*) AS count FROM approvals a
   WHERE a.organization_id = $1 AND a.decision IS NULL AND ${IS_QUEUED}`,
  { home: 'cell', organization: '$1' },
);

const countDecided = sql<{ count: number }>(
  'approvals.count_decided',
  'SELECT count(*) AS count FROM approvals WHERE organization_id = $1 AND decision IS NOT NULL',
  { home: 'cell', organization: '$1' },
);

const decide = sql(
  'approvals.decide',
  `UPDATE approvals SET decision = $3, decided_at = $4, decided_by = $5, reason = $6
   WHERE organization_id = $1 AND email_id = $2 AND decision IS NULL`,
  { home: 'cell', organization: '$1' },
);

const selectOver = sql<{ organization_id: string; email_id: string }>(
  'approvals.over',
  `SELECT organization_id, email_id FROM approvals WHERE decision IS NULL AND expires_at <= $1 AND ${notMigrating()}
   ORDER BY expires_at LIMIT $2`,
  { home: 'cell' },
);

/** Removes approvals together with their mail. */
const removeGone = sql(
  'approvals.remove_orphaned',
  `DELETE FROM approvals a WHERE decision IS NOT NULL AND NOT EXISTS (
     SELECT FROM emails e WHERE e.organization_id = a.organization_id AND e.id = a.email_id)`,
  { home: 'cell' },
);

interface NewApproval {
  readonly organizationId: string;
  readonly id: string;
  readonly keyId: string;
  readonly atMs: number;
}

export async function insertApprovals(tx: Sql, approvals: readonly NewApproval[]): Promise<void> {
  await tx.exec(insert, [...columns(approvals, 'organizationId', 'id', 'keyId', 'atMs')]);
}

export function findApproval(db: Sql, organizationId: string, emailId: string) {
  return db.maybeOne(one, [organizationId, emailId]);
}

export async function pageOfApprovals(
  db: Sql,
  organizationId: string,
  which: 'waiting' | 'decided',
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly ApprovalRow[]; readonly total: number }> {
  const [page, count] = which === 'waiting' ? [pageWaiting, countWaiting] : [pageDecided, countDecided];
  const [rows, { count: total }] = await Promise.all([
    db.many(page, [organizationId, limit, offset]),
    db.one(count, [organizationId]),
  ]);
  return { rows, total };
}

interface Decided {
  readonly organizationId: string;
  readonly emailId: string;
  readonly decision: ApprovalDecision;
  readonly at: Date;
  readonly by: string | null;
  readonly reason: string | null;
}

/** False if a decision was made before. */
export async function decideApproval(tx: Sql, decided: Decided): Promise<boolean> {
  const { organizationId, emailId, decision, at, by, reason } = decided;
  return (await tx.exec(decide, [organizationId, emailId, decision, at, by, reason])) > 0;
}

/** Approvals that timed out. */
export async function approvalsOver(
  db: Sql,
  now: Date,
  limit: number,
): Promise<{ readonly organizationId: string; readonly emailId: string }[]> {
  const rows = await db.many(selectOver, [now, limit]);
  return rows.map((row) => ({ organizationId: row.organization_id, emailId: row.email_id }));
}

export async function removeApprovalsOfDeletedMail(db: Sql): Promise<void> {
  await db.exec(removeGone);
}
