import { type Sql, sql } from '../kit/database/sql.ts';
import type { NewDelivery } from './states.ts';

const insert = sql(
  'outbox.enqueue',
  `INSERT INTO outbox (organization_id, email_id, position, domain, priority, due_at, expires_at, size, mode)
   SELECT o, e, p, d, r, coalesce(to_timestamp(due / 1000.0), now()), to_timestamp(expires / 1000.0), s, mode
   FROM unnest($1::text[], $2::uuid[], $3::smallint[], $4::text[], $5::smallint[],
               $6::float8[], $7::float8[], $8::int[], $9::text[])
        AS new(o, e, p, d, r, due, expires, s, mode)`,
);

/** Part of the accept transaction: either the email and its deliveries exist, or neither. */
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
