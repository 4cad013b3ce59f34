/** Writes an email as it is accepted. With outcomes.ts, the one writer of emails, recipients and their content. */
import { call, inOrder } from '../database/call.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { NewEmail } from './email.ts';
import { rowsToStore, type StoreOptions } from './new-rows.ts';

/** The parameters of `store_new_emails`. */
export const STORED = [
  'mode',
  'organization_ids',
  'emails',
  'email_streams',
  'contents',
  'recipients',
  'attachments',
] as const;

const store = sql('emails.store', call('SELECT store_new_emails', STORED), {
  home: 'cell',
  organization: '$2',
});

const updateSchedule = sql(
  'emails.reschedule',
  `UPDATE emails SET scheduled_at = to_timestamp($3 / 1000.0), updated_at = to_timestamp($4 / 1000.0)
   WHERE organization_id = $1 AND id = $2`,
  { home: 'cell', organization: '$1' },
);

/** Stores emails with their recipients, contents, deliveries and `queued` events. */
export async function storeEmails(
  tx: Sql,
  emails: readonly NewEmail[],
  options: StoreOptions,
): Promise<void> {
  await tx.exec(store, inOrder(STORED, rowsToStore(emails, options)));
}

export async function setSchedule(
  tx: Sql,
  key: { readonly organizationId: string; readonly emailId: string },
  scheduledAtMs: number,
  nowMs: number,
): Promise<void> {
  await tx.exec(updateSchedule, [key.organizationId, key.emailId, scheduledAtMs, nowMs]);
}
