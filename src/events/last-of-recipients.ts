/** What last happened to one recipient of each of some emails. Reads only. */
import { type Sql, sql } from '../database/sql.ts';
import { TYPES_WITHOUT_STATE } from './append.ts';
import type { LastEvent } from './read.ts';

const selectLast = sql<LastEvent & { email_id: string }>(
  'events.last_of_recipients',
  `SELECT asked.email_id, last.type, last.reason
   FROM unnest($2::uuid[], $3::text[]) AS asked(email_id, recipient)
   CROSS JOIN LATERAL (
     SELECT type, reason FROM events
     WHERE organization_id = $1 AND email_id = asked.email_id AND recipient = asked.recipient
       AND type NOT IN (${TYPES_WITHOUT_STATE.map((type) => `'${type}'`).join(', ')})
     ORDER BY id DESC LIMIT 1
   ) AS last`,
  { home: 'cell', organization: '$1' },
);

/** By the id of the email. */
export async function lastEventsOfRecipients(
  db: Sql,
  organizationId: string,
  recipients: readonly { readonly emailId: string; readonly address: string }[],
): Promise<ReadonlyMap<string, LastEvent>> {
  const rows = await db.many(selectLast, [
    organizationId,
    recipients.map(({ emailId }) => emailId),
    recipients.map(({ address }) => address),
  ]);
  return new Map(rows.map((row) => [row.email_id, row]));
}
