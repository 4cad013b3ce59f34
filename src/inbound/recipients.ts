/** Loads the recipients that reports concern. Reads, and takes one lock. */

import { type Sql, sql, unprepared } from '../database/sql.ts';
import type { RecipientState } from '../emails/status.ts';
import type { EmailAddress } from '../protocols/message/address.ts';
import type { DeliveryRef } from '../protocols/message/return-path.ts';
import { storedEmail } from '../protocols/message/stored.ts';

export interface ReportedRecipient extends DeliveryRef {
  readonly address: EmailAddress;
  readonly attempts: number;
  /** These fields change in memory while the reports of a batch are processed. */
  state: RecipientState;
  complained: boolean;
  /** An earlier report announced a delay. */
  delayed: boolean;
}

interface RecipientRow {
  organization_id: string;
  email_id: string;
  position: number;
  address: string;
  state: RecipientState;
  attempts: number;
  complained: boolean;
  delayed: boolean;
}

/**
 * Two processes may hold two reports about one recipient. The lock is not on the email's row: deliveries and opens take that
 * row lock after other locks that are needed here, too, so it could deadlock.
 */
const lock = sql(
  'inbound.lock_emails',
  `SELECT pg_advisory_xact_lock(hashtextextended(id::text, 0))
   FROM (SELECT DISTINCT id FROM unnest($1::uuid[]) AS t(id) ORDER BY id) AS ordered`,
  { home: 'either' },
);

/** Registered so that it is checked against the schema. */
const select = sql<RecipientRow>(
  'inbound.recipients',
  `SELECT r.organization_id, r.email_id, r.position, r.address, r.state, r.attempts, told.complained, told.delayed
   FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::uuid[], $3::smallint[]) AS t(o, e, p)) AS asked
   CROSS JOIN LATERAL (
     SELECT * FROM recipients r
     WHERE r.organization_id = asked.o AND r.email_id = asked.e AND r.position = asked.p
       AND r.email_id BETWEEN $4 AND $5
   ) AS r
   CROSS JOIN LATERAL (
     SELECT coalesce(bool_or(type = 'complained'), false) AS complained,
            coalesce(bool_or(type = 'deferred' AND attempt IS NULL), false) AS delayed
     FROM events
     WHERE organization_id = asked.o AND email_id = asked.e AND position = asked.p
       AND email_id BETWEEN $4 AND $5
   ) AS told`,
  { home: 'cell', organization: '$1' },
);

/** Unprepared: a plan from the time when a week's tables were empty scans all of them for every recipient. */
const selectNow = unprepared(select);

/** The recipients that still exist, by `keyOf`. No other transaction processes reports about them until this one ends. */
export async function lockRecipients(
  tx: Sql,
  deliveries: readonly DeliveryRef[],
): Promise<ReadonlyMap<string, ReportedRecipient>> {
  if (deliveries.length === 0) return new Map();
  const ids = deliveries.map((one) => one.emailId);
  const sorted = ids.toSorted();
  const locked = tx.exec(lock, [ids]);
  const found = tx.many(selectNow, [
    deliveries.map((one) => one.organizationId),
    ids,
    deliveries.map((one) => one.position),
    sorted[0],
    sorted.at(-1),
  ]);
  // Pipelined on one connection, so the read sees the state after the lock.
  const [, rows] = await Promise.all([locked, found]);
  const recipients = rows.map(({ organization_id, email_id, address, ...row }) => ({
    organizationId: organization_id,
    emailId: email_id,
    address: storedEmail(address),
    ...row,
  }));
  return new Map(recipients.map((one) => [keyOf(one), one]));
}

export function keyOf({ organizationId, emailId, position }: DeliveryRef): string {
  return `${organizationId} ${emailId} ${position}`;
}
