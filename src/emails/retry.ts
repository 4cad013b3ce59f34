/**
 * Trying again on request. A deferred recipient becomes due now; a failed one goes back into the outbox with a fresh
 * lifetime. Those that bounced stay: the server has said no. So do those that were cancelled, withdrawn
 * or suppressed, and mail of another mode than the one that runs.
 */

import { appendEvents } from '../events/append.ts';
import { eventsOfEmail } from '../events/read.ts';
import type { Database } from '../kit/database/database.ts';
import { type Sql, sql } from '../kit/database/sql.ts';
import { domainOf } from '../kit/message/address.ts';
import { storedEmail } from '../kit/message/stored.ts';
import type { Mode } from '../kit/runtime/config.ts';
import { ServiceError } from '../kit/service-error.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { LifetimeMs } from '../outbox/lifetime.ts';
import { makeDue } from '../outbox/make-due.ts';
import { applyOutcomes } from './outcomes.ts';
import { type EmailRow, type RecipientRow, recipientsOf } from './store-read.ts';

export interface RetryDeps {
  readonly db: Database;
  readonly mode: Mode;
  readonly lifetimeMs: LifetimeMs;
}

const lockEmail = sql(
  'emails.lock_one',
  'SELECT FROM emails WHERE organization_id = $1 AND id = $2 FOR UPDATE',
);

const contentSize = sql<{ size: number }>(
  'email_contents.size',
  `SELECT (coalesce(octet_length(html), 0) + coalesce(octet_length(text), 0)
           + coalesce(octet_length(template_data::text), 0) + coalesce(octet_length(mime), 0)
           + (SELECT coalesce(sum(octet_length(a.content)), 0) FROM attached_files a
              WHERE a.organization_id = c.organization_id AND a.email_id = c.email_id))::int AS size
   FROM email_contents c WHERE c.organization_id = $1 AND c.email_id = $2`,
);

export async function retryEmail(
  { db, mode, lifetimeMs }: RetryDeps,
  organizationId: string,
  email: EmailRow,
  nowMs: number,
): Promise<void> {
  if (email.mode !== mode) throw conflict(`It was not accepted in ${mode} mode: send it as a new email.`);
  await db.transaction(async (tx) => {
    // The outbox before the email, as workers take them when they settle.
    const due = new Set(await makeDue(tx, organizationId, email.id));
    await tx.many(lockEmail, [organizationId, email.id]);
    const recipients = await recipientsOf(tx, organizationId, email.id);
    const failed = await failedOf(tx, organizationId, email.id, recipients);
    const retried = recipients.filter((one) => due.has(one.position) || failed.includes(one));
    if (retried.length === 0)
      throw conflict('There is nothing to retry: only deferred and failed mail can be retried.');
    if (failed.length > 0) {
      const expiresAtMs = nowMs + lifetimeMs(email.expires_in);
      await putBack(tx, organizationId, { ...email, mode }, failed, nowMs, expiresAtMs);
    }
    await appendEvents(
      tx,
      retried.map(({ position, address }) => ({
        ...{ organizationId, emailId: email.id, position, recipient: address, atMs: nowMs },
        ...{ type: 'queued', reason: 'retried' },
      })),
    );
  });
}

/** The failed ones that were not taken back on purpose. */
async function failedOf(
  tx: Sql,
  organizationId: string,
  emailId: string,
  recipients: readonly RecipientRow[],
): Promise<RecipientRow[]> {
  const failed = recipients.filter(({ state }) => state === 'failed');
  if (failed.length === 0) return [];
  const events = await eventsOfEmail(tx, organizationId, emailId);
  return failed.filter(
    ({ position }) => events.findLast((event) => event.position === position)?.type !== 'rejected',
  );
}

async function putBack(
  tx: Sql,
  organizationId: string,
  { id: emailId, priority, mode }: EmailRow & { mode: Mode },
  failed: readonly RecipientRow[],
  dueAtMs: number,
  expiresAtMs: number,
): Promise<void> {
  const content = await tx.maybeOne(contentSize, [organizationId, emailId]);
  if (content === undefined) throw conflict('Its content is no longer kept: send it as a new email.');
  await enqueue(
    tx,
    failed.map(({ position, address }) => ({
      ...{ organizationId, emailId, position, mode, priority, dueAtMs, expiresAtMs },
      ...{ domain: domainOf(storedEmail(address)), size: content.size },
    })),
  );
  const states = failed.map(({ position, attempts }) => ({
    ...{ organizationId, emailId, position, attempts, atMs: dueAtMs },
    state: 'queued' as const,
  }));
  await applyOutcomes(tx, states, dueAtMs);
}

function conflict(text: string): ServiceError {
  return new ServiceError('CONFLICT', text);
}
