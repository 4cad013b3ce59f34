/** Requests approval: part of the transaction that accepts. */

import type { Sql } from '../../database/sql.ts';
import type { NewEmail } from '../../emails/email.ts';
import { appendRequeuedEvents } from '../../emails/requeue.ts';
import { parkForApproval } from '../../outbox/approval.ts';
import { insertApprovals } from './store.ts';

/** The emails are already stored. From here on they have no due time. */
export async function requestApprovals(tx: Sql, emails: readonly NewEmail[]): Promise<void> {
  if (emails.length === 0) return;
  await parkForApproval(tx, emails);
  await insertApprovals(
    tx,
    emails.map(({ organizationId, id, keyId, createdAtMs }) => ({
      ...{ organizationId, id, atMs: createdAtMs },
      keyId: keyId ?? '',
    })),
  );
  for (const { organizationId, id: emailId, recipients, createdAtMs } of emails) {
    const deliveries = recipients.map(({ address }, position) => ({
      ...{ organizationId, emailId, position },
      address: address.email,
    }));
    await appendRequeuedEvents(tx, deliveries, 'awaiting_approval', createdAtMs);
  }
}
