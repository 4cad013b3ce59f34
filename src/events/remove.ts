/** Events leave with their emails, and only with them. */
import { type Sql, sql } from '../database/sql.ts';

const remove = sql(
  'events.remove',
  `DELETE FROM events WHERE organization_id = $1 AND email_id = ANY ($2::uuid[]) AND email_id BETWEEN $3 AND $4`,
);

/** `emailIds` in ascending order. */
export async function removeEvents(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
): Promise<void> {
  await tx.exec(remove, [organizationId, emailIds, emailIds[0], emailIds.at(-1)]);
}
