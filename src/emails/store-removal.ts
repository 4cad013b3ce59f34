/** Removes emails past their retention, a few at a time. Undelivered mail stays with its content, whatever its age. */

import { removeFromCounts } from '../counters/email-counts.ts';
import { type Sql, sql } from '../database/sql.ts';
import { removeAttempts } from '../events/attempts.ts';
import { removeEvents } from '../events/remove.ts';
import { idsOf, type Span } from './lists/list-window.ts';
import { removeMoved } from './moved/store-moved.ts';
import type { EmailStatus } from './status.ts';

/** About the number that one transaction removes in a few milliseconds. */
const EMAILS_PER_STEP = 500;
/** Content may be large: every row takes its attachments along. */
const CONTENTS_PER_STEP = 100;

interface SettledRow {
  id: string;
  status: EmailStatus;
  created_at: Date;
}

const lockSettled = sql<SettledRow>(
  'emails.lock_settled',
  `SELECT id, status, created_at FROM emails
   WHERE organization_id = $1 AND id >= $2 AND id < $3 AND status <> 'queued'
   ORDER BY id LIMIT $4 FOR UPDATE`,
  { home: 'cell', organization: '$1' },
);

const deleteEach = (['email_attachments', 'email_contents', 'recipients'] as const).map((table) =>
  sql(
    `${table}.remove`,
    `DELETE FROM ${table} WHERE organization_id = $1 AND email_id = ANY ($2::uuid[]) AND email_id BETWEEN $3 AND $4`,
    { home: 'cell', organization: '$1' },
  ),
);

const deleteEmails = sql(
  'emails.remove',
  'DELETE FROM emails WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND id BETWEEN $3 AND $4',
  { home: 'cell', organization: '$1' },
);

const settledContents = sql<{ email_id: string }>(
  'email_contents.settled',
  `SELECT c.email_id FROM email_contents c
   WHERE c.organization_id = $1 AND c.email_id >= $2 AND c.email_id < $3
     AND NOT EXISTS (SELECT FROM emails e WHERE e.organization_id = c.organization_id AND e.id = c.email_id
                     AND e.status = 'queued' AND e.id >= $2 AND e.id < $3)
   ORDER BY c.email_id LIMIT $4`,
  { home: 'cell', organization: '$1' },
);

const anyQueued = sql<{ found: boolean }>(
  'emails.any_queued',
  `SELECT EXISTS (SELECT FROM emails WHERE id >= $1 AND id < $2 AND status = 'queued') AS found`,
  { home: 'cell' },
);

/** Removes the oldest settled emails of a span with all related rows. Returns how many. */
export async function removeEmailsStep(
  tx: Sql,
  organizationId: string,
  span: Span,
  nowMs: number,
): Promise<number> {
  const { from, before } = idsOf(span);
  const rows = await tx.many(lockSettled, [organizationId, from, before, EMAILS_PER_STEP]);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  const which = [organizationId, ids, ids[0], ids.at(-1)];
  await removeEvents(tx, organizationId, ids);
  await removeAttempts(tx, organizationId, ids);
  for (const statement of deleteEach) await tx.exec(statement, which);
  await removeMoved(tx, organizationId, ids, nowMs);
  await tx.exec(deleteEmails, which);
  await removeFromCounts(
    tx,
    rows.map(({ status, created_at }) => ({
      organizationId,
      status,
      createdAtMs: created_at.getTime(),
      by: 1,
    })),
  );
  return rows.length;
}

/** Removes the oldest contents of settled emails of a span. Returns how many. */
export async function removeContentsStep(tx: Sql, organizationId: string, span: Span): Promise<number> {
  const { from, before } = idsOf(span);
  const rows = await tx.many(settledContents, [organizationId, from, before, CONTENTS_PER_STEP]);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ email_id }) => email_id);
  for (const statement of deleteEach.slice(0, 2)) {
    await tx.exec(statement, [organizationId, ids, ids[0], ids.at(-1)]);
  }
  return rows.length;
}

/** Whether any organization still has undelivered mail that was accepted in a span. */
export async function holdsQueued(db: Sql, span: Span): Promise<boolean> {
  const { from, before } = idsOf(span);
  return (await db.one(anyQueued, [from, before])).found;
}
