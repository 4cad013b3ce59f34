/** Deliveries that the simulator's greylist has refused once. The only writer of `sandbox_greylist`. */
import { type Sql, sql } from '../database/sql.ts';
import type { DeliveryKey } from '../outbox/states.ts';

/** A greylisted delivery not retried within this time is never retried. */
const GREYLIST_KEPT = '14 days';

const rememberGreylisted = sql(
  'sandbox.greylist',
  'INSERT INTO sandbox_greylist (organization_id, email_id, position) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
  { home: 'cell', organization: '$1' },
);

const forgetGreylisted = sql(
  'sandbox.delete_greylisted',
  `DELETE FROM sandbox_greylist AS g
   USING unnest($1::text[], $2::uuid[], $3::smallint[]) AS d (organization_id, email_id, position)
   WHERE g.organization_id = d.organization_id AND g.email_id = d.email_id AND g.position = d.position`,
  { home: 'cell', organization: '$1' },
);

const forgetStaleGreylisted = sql(
  'sandbox.delete_stale_greylisted',
  `DELETE FROM sandbox_greylist WHERE seen_at < now() - interval '${GREYLIST_KEPT}'`,
  { home: 'cell' },
);

/** True on the first attempt of this delivery. */
export async function isFirstSight(
  db: Sql,
  { organizationId, emailId, position }: DeliveryKey,
): Promise<boolean> {
  return (await db.exec(rememberGreylisted, [organizationId, emailId, position])) === 1;
}

export async function deleteGreylistEntries(db: Sql, deliveries: readonly DeliveryKey[]): Promise<void> {
  await db.exec(forgetGreylisted, [
    deliveries.map((delivery) => delivery.organizationId),
    deliveries.map((delivery) => delivery.emailId),
    deliveries.map((delivery) => delivery.position),
  ]);
}

export async function deleteStaleGreylistEntries(db: Sql): Promise<void> {
  await db.exec(forgetStaleGreylisted);
}
