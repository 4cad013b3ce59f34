/**
 * The one writer of `lifted_suppressions`. Also finds the mail rejected because of them: it was accepted before an address was
 * suppressed, and rejected when it was due.
 */
import { type Sql, sql } from '../../database/sql.ts';
import type { UndoRow } from './store.ts';
import type { UndoneEvent } from './undo.ts';

interface LiftedSuppression {
  readonly recipient: string;
  readonly since: Date;
}

const insert = sql(
  'lifted_suppressions.insert',
  `INSERT INTO lifted_suppressions (organization_id, undo_id, address, since)
   SELECT $1, $2, lower(recipient), min(since) FROM unnest($3::text[], $4::timestamptz[]) AS l(recipient, since) GROUP BY 3
   ON CONFLICT DO NOTHING`,
  { home: 'cell', organization: '$1' },
);

const remove = sql(
  'lifted_suppressions.delete',
  'DELETE FROM lifted_suppressions WHERE organization_id = $1 AND undo_id = $2',
  { home: 'cell', organization: '$1' },
);

/**
 * SQL: for the organization `$1`, from the time `$2` on: `ev` is the last event of a recipient, and was caused by the
 * suppression `l`.
 */
export const REJECTED = `ev.organization_id = $1 AND ev.type = 'rejected' AND ev.reason = 'suppressed'
  AND ev.id >= uuid_v7_floor($2) AND lower(ev.recipient) = l.address AND ev.created_at >= l.since
  AND NOT EXISTS (SELECT FROM events later WHERE later.organization_id = ev.organization_id
    AND later.email_id = ev.email_id AND later.position = ev.position AND later.id > ev.id)`;

const selectNext = sql<UndoneEvent>(
  'lifted_suppressions.next_rejections',
  `SELECT ev.id, ev.email_id, ev.position, ev.recipient
   FROM events ev JOIN lifted_suppressions l ON l.organization_id = $1 AND l.undo_id = $3
   WHERE ${REJECTED} AND ($4::uuid IS NULL OR ev.id > $4) ORDER BY ev.id LIMIT $5`,
  { home: 'cell', organization: '$1' },
);

type UndoKey = Pick<UndoRow, 'organization_id' | 'id'>;

export async function recordLiftedSuppressions(
  tx: Sql,
  { organization_id, id }: UndoKey,
  lifted: readonly LiftedSuppression[],
): Promise<void> {
  if (lifted.length === 0) return;
  const columns = [lifted.map((one) => one.recipient), lifted.map((one) => one.since)];
  await tx.exec(insert, [organization_id, id, ...columns]);
}

export async function deleteLiftedSuppressions(tx: Sql, { organization_id, id }: UndoKey): Promise<void> {
  await tx.exec(remove, [organization_id, id]);
}

/** The next rejections after the undo's progress. */
export function nextRejections(db: Sql, { id, organization_id, from_at, at_event }: UndoRow, limit: number) {
  return db.many(selectNext, [organization_id, from_at, id, at_event, limit]);
}
