/** Loads what is needed to put recipients back into the outbox. Reads only. */
import { type Sql, sql } from '../database/sql.ts';
import type { DeliveryKey } from '../outbox/states.ts';
import type { Mode } from '../runtime/config.ts';
import { span } from './outcomes.ts';
import type { FinalDelivery } from './requeue.ts';
import type { RecipientState } from './status.ts';

export interface RecipientStanding extends Omit<FinalDelivery, 'mode'> {
  /** Null for emails accepted before the mode was stored. */
  readonly mode: Mode | null;
  readonly state: RecipientState;
  readonly updatedAt: Date;
}

const select = sql<RecipientStanding>(
  'recipients.standing',
  `SELECT r.organization_id AS "organizationId", r.email_id AS "emailId", r.position, r.address, r.attempts, r.state,
          r.updated_at AS "updatedAt", e.priority, e.mode, e.expires_in AS "expiresIn"
   FROM (SELECT DISTINCT * FROM unnest($2::uuid[], $3::smallint[]) AS t(email_id, position)) AS asked
   JOIN recipients r ON r.organization_id = $1 AND r.email_id = asked.email_id AND r.position = asked.position
   JOIN emails e ON e.organization_id = $1 AND e.id = r.email_id
   WHERE r.email_id BETWEEN $4 AND $5 AND e.id BETWEEN $4 AND $5`,
  { home: 'cell', organization: '$1' },
);

/** Each recipient once; removed ones are left out. */
export async function finalDeliveriesOf(
  db: Sql,
  organizationId: string,
  keys: readonly DeliveryKey[],
): Promise<RecipientStanding[]> {
  if (keys.length === 0) return [];
  const ids = keys.map(({ emailId }) => emailId);
  return db.many(select, [organizationId, ids, keys.map(({ position }) => position), ...span(ids)]);
}
