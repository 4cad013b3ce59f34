/**
 * Takes one recipient out of some emails, in one transaction: their content goes, what names the recipient is replaced, and
 * what was still to be sent to them is taken back. States, times and counters stay. An email that is on its way, to them
 * or to others, is left for later: what is sent must stay the same bytes.
 */
import { type Sql, sql } from '../../database/sql.ts';
import { withdrawEach } from '../../outbox/withdraw.ts';
import type { Addresses, NamedAddress } from '../emails/email.ts';
import { tokensOf } from '../emails/search-tokens.ts';
import { recordWithdrawal } from '../emails/withdrawal.ts';

export interface Erasing {
  readonly organizationId: string;
  /** In canonical form. */
  readonly email: string;
  /** What stands in its place from now on. */
  readonly shownAs: string;
}

interface EmailRow {
  readonly id: string;
  readonly from_email: string;
  readonly from_name: string | null;
  readonly addresses: Addresses;
}

const MINE = `organization_id = $1 AND email_id = ANY ($2::uuid[])`;
const NAMES_IT = (column: string) => `position(lower($3) IN lower(${column})) > 0`;

const selectPositions = sql<{ email_id: string; position: number }>(
  'recipients.positions_of',
  `SELECT email_id, position FROM recipients WHERE ${MINE} AND lower(address) = lower($3)`,
);
const selectBusy = sql<{ email_id: string }>(
  'outbox.busy',
  `SELECT DISTINCT email_id FROM outbox WHERE ${MINE}`,
);
const lockEmails = sql<EmailRow>(
  'emails.lock_to_erase',
  `SELECT id, from_email, from_name, addresses FROM emails
   WHERE organization_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE`,
);
const updateEmail = sql(
  'emails.erase',
  `UPDATE emails SET addresses = $3, from_email = $4, from_name = $5, search = $6, subject = '', tags = NULL,
     metadata = NULL
   WHERE organization_id = $1 AND id = $2`,
);

/** Each with the organization, the emails, the address and what stands in its place. */
const REPLACEMENTS = [
  sql(
    'events.erase',
    `UPDATE events ev SET recipient = CASE WHEN lower(ev.recipient) = lower($3) THEN $4 ELSE ev.recipient END,
       smtp_message = NULL, user_agent = NULL
     WHERE ${MINE} AND (lower(ev.recipient) = lower($3) OR ${NAMES_IT('smtp_message')})`,
  ),
  sql(
    'attempts.erase',
    `UPDATE attempts a SET conversation = NULL, detail = NULL
     WHERE ${MINE} AND ($4::text IS NOT NULL) AND (${NAMES_IT('conversation')} OR ${NAMES_IT('detail')}
       OR EXISTS (SELECT FROM recipients r WHERE r.organization_id = a.organization_id AND r.email_id = a.email_id
                  AND r.position = a.position AND lower(r.address) = lower($3)))`,
  ),
  sql('recipients.erase', `UPDATE recipients SET address = $4 WHERE ${MINE} AND lower(address) = lower($3)`),
];

const REMOVALS = [
  sql('email_contents.erase', `DELETE FROM email_contents WHERE ${MINE}`),
  sql('email_attachments.erase', `DELETE FROM email_attachments WHERE ${MINE}`),
  sql('sandbox_messages.erase', `DELETE FROM sandbox_messages WHERE ${MINE}`),
  sql('inbound_messages.erase', `DELETE FROM inbound_messages WHERE ${MINE}`),
  // What endpoints answered may repeat what they were told.
  sql(
    'webhook_deliveries.erase',
    `UPDATE webhook_deliveries d SET attempts = '[]'
     FROM events ev, webhook_endpoints w
     WHERE ev.organization_id = $1 AND ev.email_id = ANY ($2::uuid[]) AND w.organization_id = $1
       AND d.endpoint_id = w.id AND d.event_id = ev.id`,
  ),
];

/** Returns the ids of those that are done; the others are on their way. */
export async function eraseEmails(
  tx: Sql,
  erasing: Erasing,
  ids: readonly string[],
  atMs: number,
): Promise<string[]> {
  const { organizationId, email, shownAs } = erasing;
  const positions = await tx.many(selectPositions, [organizationId, ids, email]);
  const keys = positions.map(({ email_id: emailId, position }) => ({ organizationId, emailId, position }));
  await recordWithdrawal(tx, await withdrawEach(tx, keys), 'erased', atMs);
  const busy = new Set((await tx.many(selectBusy, [organizationId, ids])).map(({ email_id }) => email_id));
  const done = ids.filter((id) => !busy.has(id));
  if (done.length === 0) return [];
  const rows = await tx.many(lockEmails, [organizationId, done]);
  for (const row of rows) await tx.exec(updateEmail, updated(erasing, row));
  for (const statement of REPLACEMENTS) await tx.exec(statement, [organizationId, done, email, shownAs]);
  for (const statement of REMOVALS) await tx.exec(statement, [organizationId, done]);
  return done;
}

function updated({ organizationId, email, shownAs }: Erasing, row: EmailRow): unknown[] {
  const masked = <T extends NamedAddress | null>(one: T): T | NamedAddress =>
    one !== null && one.email.toLowerCase() === email.toLowerCase() ? { email: shownAs, name: null } : one;
  const { to, cc, bcc, reply_to } = row.addresses;
  const addresses = {
    to: to.map(masked),
    cc: cc.map(masked),
    bcc: bcc.map(masked),
    reply_to: masked(reply_to),
  };
  const from = masked({ email: row.from_email, name: row.from_name });
  const search = tokensOf({ organizationId, from, addresses, tags: null, subject: '' });
  return [organizationId, row.id, JSON.stringify(addresses), from.email, from.name, search];
}
