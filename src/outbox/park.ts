/**
 * Parking suspends held mail: it has no due time and does not expire. The lifetime that was left when its hold began, or when
 * it became due later, is kept until the mail is unparked.
 */
import { type Sql, sql } from '../database/sql.ts';
import { APPROVAL_HOLD } from './approval.ts';
import { triedColumns, type UntriedDelivery } from './settle.ts';
import { type DeliveryKey, isDelivery } from './states.ts';

export interface HeldDelivery extends UntriedDelivery {
  readonly holdId: string;
}

/** `o` is the delivery, `h` its hold. No lifetime is left if the delivery had already expired. */
const PARKED = `hold_id = h.id, due_at = 'infinity', expires_at = 'infinity',
       time_left = greatest(o.expires_at - greatest(h.placed_at, o.due_at), interval '0')`;

interface ParkedRow {
  readonly organization_id: string;
  readonly email_id: string;
  readonly position: number;
  readonly hold_id: string;
}

const parkClaimed = sql<ParkedRow>(
  'outbox.park',
  `UPDATE outbox o SET worker = NULL, attempt = o.attempt - CASE WHEN held.begun THEN 0 ELSE 1 END, ${PARKED}
   FROM unnest($2::text[], $3::uuid[], $4::smallint[], $5::smallint[], $6::bool[], $7::text[])
        AS held(organization_id, email_id, position, attempt, begun, hold_id)
   JOIN holds h ON h.id = held.hold_id
   WHERE ${isDelivery('o', 'held')} AND o.worker = $1 AND o.attempt = held.attempt
   RETURNING o.organization_id, o.email_id, o.position, o.hold_id`,
  { home: 'cell', organization: '$2' },
);

export interface ParkedDelivery extends DeliveryKey {
  readonly holdId: string;
}

/**
 * Parks deliveries that a worker has claimed and not sent. The holds are locked. Returns the deliveries that this worker still
 * owned.
 */
export async function park(
  tx: Sql,
  epoch: number,
  held: readonly HeldDelivery[],
): Promise<readonly ParkedDelivery[]> {
  if (held.length === 0) return [];
  const rows = await tx.many(parkClaimed, [
    epoch,
    ...triedColumns(held),
    held.map(({ isBegun = false }) => isBegun),
    held.map((one) => one.holdId),
  ]);
  return rows.map((row) => ({
    organizationId: row.organization_id,
    emailId: row.email_id,
    position: row.position,
    holdId: row.hold_id,
  }));
}

/**
 * Under a hold of all mail, no delivery is claimed and so none is parked: due deliveries are parked before the hold is lifted.
 */
const parkDueOnes = sql(
  'outbox.park_due',
  `WITH due AS (
     SELECT organization_id, email_id, position FROM outbox
     WHERE worker IS NULL AND hold_id IS NULL AND due_at <= now()
     ORDER BY due_at LIMIT $2 FOR UPDATE
   )
   UPDATE outbox o SET ${PARKED}
   FROM holds h, due
   WHERE h.id = $1 AND ${isDelivery('o', 'due')}`,
  { home: 'cell' },
);

export function parkDue(tx: Sql, holdId: string, limit: number): Promise<number> {
  return tx.exec(parkDueOnes, [holdId, limit]);
}

/** The deliveries become due at once, in the order of their acceptance, with the lifetime they had left. */
const unparkNext = sql(
  'outbox.unpark',
  `WITH held AS (
     SELECT organization_id, email_id, position FROM outbox WHERE hold_id = $1
     ORDER BY email_id, position LIMIT $2 FOR UPDATE
   )
   UPDATE outbox o SET hold_id = NULL, time_left = NULL,
     expires_at = (now() AT TIME ZONE 'UTC' + o.time_left) AT TIME ZONE 'UTC',
     due_at = (now() AT TIME ZONE 'UTC' - ($2 - next.nth) * interval '1 microsecond') AT TIME ZONE 'UTC'
   FROM (SELECT *, row_number() OVER (ORDER BY email_id, position) AS nth FROM held) AS next
   WHERE ${isDelivery('o', 'next')}`,
  { home: 'cell' },
);

/** Unparks up to `limit` deliveries of a hold. Returns how many. */
export function unpark(tx: Sql, holdId: string, limit: number): Promise<number> {
  return tx.exec(unparkNext, [holdId, limit]);
}

/**
 * Unparks mail whose hold this cell does not have: it was a hold of the cell that the mail moved from. Mail that waits for
 * approval has no hold in any cell, and stays parked.
 */
const unparkForgotten = sql(
  'outbox.unpark_forgotten',
  `UPDATE outbox o SET hold_id = NULL, time_left = NULL, due_at = now(),
     expires_at = (now() AT TIME ZONE 'UTC' + o.time_left) AT TIME ZONE 'UTC'
   WHERE o.organization_id = $1 AND o.hold_id <> '${APPROVAL_HOLD}'
     AND NOT EXISTS (SELECT FROM holds h WHERE h.id = o.hold_id AND h.ended_at IS NULL)`,
  { home: 'cell', organization: '$1' },
);

/** A worker that claims this mail parks it again if the same hold is in force here, too. */
export async function unparkArrived(db: Sql, organizationId: string): Promise<void> {
  await db.exec(unparkForgotten, [organizationId]);
}
