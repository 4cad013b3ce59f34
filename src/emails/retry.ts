/**
 * Retries on request. A deferred recipient becomes due now; a failed one goes back into the outbox with a fresh lifetime.
 * Bounced recipients stay, because the server has rejected them. So do recipients that were cancelled, withdrawn or suppressed,
 * and mail of another mode than the current one.
 */

import type { Database } from '../database/database.ts';
import { type Sql, sql } from '../database/sql.ts';
import { eventsOfEmail } from '../events/read.ts';
import type { LifetimeMs } from '../outbox/lifetime.ts';
import { makeDue } from '../outbox/make-due.ts';
import type { Mode } from '../runtime/config.ts';
import { ServiceError } from '../runtime/service-error.ts';
import type { MovedContents } from './moved/moved-contents.ts';
import { appendRequeuedEvents, contentSizesOf, requeue } from './requeue.ts';
import { type EmailRow, type RecipientRow, recipientsOf } from './store-read.ts';

interface RetryDeps {
  readonly db: Database;
  readonly mode: Mode;
  readonly lifetimeMs: LifetimeMs;
  readonly moved: MovedContents;
}

const lockEmail = sql(
  'emails.lock_one',
  'SELECT FROM emails WHERE organization_id = $1 AND id = $2 FOR UPDATE',
  { home: 'cell', organization: '$1' },
);

export async function retryEmail(
  { db, mode, lifetimeMs, moved }: RetryDeps,
  organizationId: string,
  email: EmailRow,
  nowMs: number,
): Promise<void> {
  if (email.mode !== mode)
    throw conflict(`The email was not accepted in ${mode} mode. Send a new email instead.`);
  const key = { organizationId, emailId: email.id };
  // A final recipient to retry has failed. Network access comes before the transaction.
  if (email.status === 'failed') await moved.bringBack(organizationId, [email.id]);
  await db.transaction(async (tx) => {
    // Locks the outbox before the email, in the order that workers use when they settle.
    const due = new Set(await makeDue(tx, organizationId, email.id));
    await tx.many(lockEmail, [organizationId, email.id]);
    const recipients = await recipientsOf(tx, organizationId, email.id);
    const failed = await failedOf(tx, organizationId, email.id, recipients);
    const retried = recipients.filter((one) => due.has(one.position) || failed.includes(one));
    if (retried.length === 0)
      throw conflict('No recipient of this email can be retried: only deferred and failed recipients can.');
    if (failed.length > 0) {
      const sizes = await contentSizesOf(tx, organizationId, [email.id]);
      if (sizes.size === 0)
        throw conflict('The content of this email is no longer stored. Send a new email instead.');
      const about = { ...key, mode, priority: email.priority, expiresIn: email.expires_in };
      const final = failed.map((one) => ({ ...about, ...one }));
      await requeue(tx, final, sizes, { lifetimeMs, nowMs });
    }
    await appendRequeuedEvents(
      tx,
      retried.map((one) => ({ ...key, ...one })),
      'retried',
      nowMs,
    );
  });
}

/** The failed recipients that were not taken back on purpose. */
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

function conflict(text: string): ServiceError {
  return new ServiceError('CONFLICT', text);
}
