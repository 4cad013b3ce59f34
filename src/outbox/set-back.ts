/** After the database's clock was set back: what was due stays due, and what waits for its next try waits no longer than it would have. */
import { type Sql, sql } from '../kit/database/sql.ts';

/** Scheduled mail waits for its time by whatever clock there is. More than one worker may do this: then tries come early. */
const moveDue = sql(
  'outbox.set_back',
  `UPDATE outbox o
   SET due_at = CASE WHEN o.attempt > 0 THEN greatest(now(), o.due_at - $1 * interval '1 millisecond') ELSE now() END
   WHERE o.worker IS NULL AND o.due_at > now() AND (o.attempt > 0 OR NOT EXISTS (
     SELECT FROM emails e
     WHERE e.organization_id = o.organization_id AND e.id = o.email_id AND e.scheduled_at IS NOT NULL))`,
);

export async function setMailBack(db: Sql, byMs: number): Promise<void> {
  await db.exec(moveDue, [byMs]);
}
