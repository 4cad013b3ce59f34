/**
 * What taking mail back does to its emails: the recipients end as failed, with a `rejected` event that says why. Part of
 * the transaction that takes the deliveries out of the queue.
 */
import { type Sql, sql } from '../../database/sql.ts';
import { appendEvents } from '../../events/append.ts';
import type { Withdrawn } from '../../outbox/withdraw.ts';
import { applyOutcomes, span } from './outcomes.ts';

const selectAddresses = sql<{ index: number; address: string }>(
  'recipients.addresses',
  `SELECT (asked.index - 1)::int AS index, r.address
   FROM unnest($1::text[], $2::uuid[], $3::smallint[])
        WITH ORDINALITY AS asked(organization_id, email_id, position, index)
   JOIN recipients r ON r.organization_id = asked.organization_id AND r.email_id = asked.email_id
                    AND r.position = asked.position
   WHERE r.email_id BETWEEN $4 AND $5`,
);

export async function recordWithdrawal(
  tx: Sql,
  withdrawn: readonly Withdrawn[],
  reason: string,
  atMs: number,
): Promise<void> {
  if (withdrawn.length === 0) return;
  await applyOutcomes(
    tx,
    withdrawn.map((one) => ({ ...one, state: 'failed', atMs })),
    atMs,
  );
  const ids = withdrawn.map((one) => one.emailId);
  const addresses = await tx.many(selectAddresses, [
    withdrawn.map((one) => one.organizationId),
    ids,
    withdrawn.map((one) => one.position),
    ...span(ids),
  ]);
  await appendEvents(
    tx,
    addresses.map(({ index, address }) => ({
      ...(withdrawn[index] as Withdrawn),
      ...{ recipient: address, atMs, type: 'rejected', reason },
    })),
  );
}
