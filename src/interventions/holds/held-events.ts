/** The `held` events of deliveries that a worker has parked: one for each hold and recipient. Reads only. */

import { columns } from '../../database/call.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { span } from '../../emails/outcomes.ts';
import type { NewEvent } from '../../events/append.ts';
import type { ParkedDelivery } from '../../outbox/park.ts';

interface HeldRow {
  readonly index: number;
  readonly recipient: string;
  readonly id: string;
  readonly reason: string;
  readonly placed_by: string;
  readonly placed_at: Date;
}

/** After a change of `scheduled_at`, mail is parked under the same hold again. Only the first parking gets an event. */
const selectRecipients = sql<HeldRow>(
  'holds.held_recipients',
  `SELECT (parked.index - 1)::int AS index, r.address AS recipient, h.id, h.reason, h.placed_by, h.placed_at
   FROM unnest($1::text[], $2::uuid[], $3::smallint[], $4::text[])
        WITH ORDINALITY AS parked(organization_id, email_id, position, hold_id, index)
   JOIN holds h ON h.id = parked.hold_id
   JOIN recipients r ON r.organization_id = parked.organization_id AND r.email_id = parked.email_id
                    AND r.position = parked.position
   WHERE r.email_id BETWEEN $5 AND $6 AND NOT EXISTS (
     SELECT FROM events v
     WHERE v.organization_id = parked.organization_id AND v.email_id = parked.email_id AND v.email_id BETWEEN $5 AND $6
       AND v.position = parked.position AND v.type = 'held' AND v.hold->>'id' = h.id)
   ORDER BY parked.index`,
  { home: 'cell', organization: '$1' },
);

export async function heldEventsOf(
  tx: Sql,
  parked: readonly ParkedDelivery[],
  atMs: number,
): Promise<NewEvent[]> {
  if (parked.length === 0) return [];
  const ids = parked.map((one) => one.emailId);
  const rows = await tx.many(selectRecipients, [
    parked.map((one) => one.organizationId),
    ids,
    ...columns(parked, 'position', 'holdId'),
    ...span(ids),
  ]);
  return rows.map(({ index, recipient, ...hold }) => {
    const { organizationId, emailId, position } = parked[index] as ParkedDelivery;
    return { organizationId, emailId, position, recipient, atMs, type: 'held', hold };
  });
}
