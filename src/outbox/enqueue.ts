import { type Sql, sql } from '../database/sql.ts';
import type { NewDelivery } from './states.ts';

const insert = sql(
  'outbox.enqueue',
  `SELECT enqueue_deliveries(
     organization_ids => $1, email_ids => $2, positions => $3, domains => $4, priorities => $5, due => $6,
     expiring => $7, sizes => $8, modes => $9, recipient_numbers => NULL)`,
  { home: 'cell', organization: '$1' },
);

/** Accepted mail does not use this: the function that stores the email enqueues it, see emails/store.ts. */
export async function enqueue(tx: Sql, deliveries: readonly NewDelivery[]): Promise<void> {
  await tx.exec(insert, [
    deliveries.map((one) => one.organizationId),
    deliveries.map((one) => one.emailId),
    deliveries.map((one) => one.position),
    deliveries.map((one) => one.domain),
    deliveries.map((one) => one.priority),
    deliveries.map((one) => one.dueAtMs),
    deliveries.map((one) => one.expiresAtMs),
    deliveries.map((one) => one.size),
    deliveries.map((one) => one.mode),
  ]);
}
