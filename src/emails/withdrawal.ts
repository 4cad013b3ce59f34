/**
 * Withdraws mail: its recipients end as failed, with a `rejected` event that states the reason. Part of the transaction that
 * takes the deliveries out of the queue.
 */

import type { Database } from '../database/database.ts';
import { type Sql, sql } from '../database/sql.ts';
import { appendEvents } from '../events/append.ts';
import { type Withdrawn, withdrawOfMode } from '../outbox/withdraw.ts';
import type { Mode } from '../runtime/config.ts';
import { applyOutcomes, span } from './outcomes.ts';

const selectAddresses = sql<{ index: number; address: string }>(
  'recipients.addresses',
  `SELECT (asked.index - 1)::int AS index, r.address
   FROM unnest($1::text[], $2::uuid[], $3::smallint[])
        WITH ORDINALITY AS asked(organization_id, email_id, position, index)
   JOIN recipients r ON r.organization_id = asked.organization_id AND r.email_id = asked.email_id
                    AND r.position = asked.position
   WHERE r.email_id BETWEEN $4 AND $5`,
  { home: 'cell', organization: '$1' },
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

const STEP = 500;

/**
 * Withdraws all mail of a mode in small independent transactions. It may be interrupted, and several may run at once. Mail that
 * a worker has claimed stays. Returns how many deliveries it withdrew.
 */
export async function withdrawMail(
  { db, nowMs }: { readonly db: Database; readonly nowMs: () => number },
  { mode, reason }: { readonly mode: Mode; readonly reason: string },
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  let last: Withdrawn | null = null;
  while (!signal.aborted) {
    const step: readonly Withdrawn[] = await db.transaction(async (tx) => {
      const withdrawn = await withdrawOfMode(tx, mode, last, STEP);
      await recordWithdrawal(tx, withdrawn, reason, nowMs());
      return withdrawn;
    });
    count += step.length;
    last = step.at(-1) ?? null;
    if (step.length < STEP) break;
  }
  return count;
}
