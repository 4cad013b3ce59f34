/** Events are removed only with their emails; personal data of a recipient may be erased earlier. */
import type { RenamedAddress } from '../database/renamed-address.ts';
import { type Sql, sql } from '../database/sql.ts';

const remove = sql(
  'events.remove',
  `DELETE FROM events WHERE organization_id = $1 AND email_id = ANY ($2::uuid[]) AND email_id BETWEEN $3 AND $4`,
  { home: 'cell', organization: '$1' },
);

/** `emailIds` in ascending order. */
export async function removeEvents(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
): Promise<void> {
  await tx.exec(remove, [organizationId, emailIds, emailIds[0], emailIds.at(-1)]);
}

const erase = sql(
  'events.erase',
  `UPDATE events ev SET recipient = CASE WHEN lower(ev.recipient) = lower($3) THEN $4 ELSE ev.recipient END,
     smtp_message = NULL, user_agent = NULL, url = NULL
   WHERE organization_id = $1 AND email_id = ANY ($2::uuid[])
     AND (lower(ev.recipient) = lower($3) OR position(lower($3) IN lower(smtp_message)) > 0)`,
  { home: 'cell', organization: '$1' },
);

/** The events stay, without the texts of servers and user agents about the recipient. */
export async function eraseFromEvents(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
  { email, shownAs }: RenamedAddress,
): Promise<void> {
  await tx.exec(erase, [organizationId, emailIds, email, shownAs]);
}
