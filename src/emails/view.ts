/** The public representation of an email. */
import { type EventRow, eventView } from '../events/read.ts';
import { PRIORITIES } from '../outbox/states.ts';
import { uuidv7Ms } from '../runtime/ids.ts';
import { repliesOf } from './email.ts';
import type { EmailItemRow } from './lists/store-list.ts';
import { optionsView } from './options-schema.ts';
import type { EmailSituation } from './states.ts';
import { type EmailStatus, STATUSES } from './status.ts';
import type { AttachmentRow, BatchCountRow, EmailRow, RecipientRow } from './store-read.ts';

export function itemView(row: EmailItemRow & EmailSituation) {
  return {
    id: row.id,
    message_id: row.id,
    subject: row.subject,
    status: row.status,
    state: row.state,
    recipient_count: row.recipient_count,
    delivered_count: row.delivered_count,
    next_attempt_at: row.next_attempt_at,
    hold: row.hold,
    priority: PRIORITIES[row.priority] as (typeof PRIORITIES)[number],
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** An item with its sender and recipients, for lists in user interfaces. */
export function addressedItemView(row: EmailItemRow & EmailSituation) {
  return { ...itemView(row), from: fromView(row), to: [...row.addresses.to] };
}

export interface EmailContent {
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly headers: Record<string, string>;
  readonly attachments: AttachmentRow[];
  readonly template_data: Record<string, unknown> | null;
  /** Whether it was submitted as a whole message, which can be downloaded unchanged. */
  readonly has_raw: boolean;
}

export function batchView(batchId: string, rows: readonly BatchCountRow[]) {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<EmailStatus, number>;
  for (const row of rows) counts[row.status] = row.count;
  return { batch_id: batchId, total: rows.reduce((sum, row) => sum + row.count, 0), counts };
}

interface EmailHistory {
  readonly recipients: readonly RecipientRow[];
  readonly events: readonly EventRow[];
  /** The ids of the emails as which it was sent again. */
  readonly resends: readonly string[];
}

export function emailView(row: EmailRow & EmailSituation, { recipients, events, resends }: EmailHistory) {
  return {
    ...itemView(row),
    scheduled_at: row.scheduled_at,
    from: fromView(row),
    to: [...row.addresses.to],
    cc: [...row.addresses.cc],
    bcc: [...row.addresses.bcc],
    reply_to: row.addresses.reply_to,
    reply_to_list: [...repliesOf(row.addresses)],
    template_id: row.template_id,
    locale: row.options.locale ?? null,
    batch_id: row.batch_id,
    resent_from: row.options.resent_from ?? null,
    resends: resends.map((id) => ({ id, created_at: new Date(uuidv7Ms(id)) })),
    api_key_id: row.api_key_id,
    request_id: row.options.origin?.requestId ?? null,
    mode: row.mode,
    ...optionsView(row),
    recipients: recipients.map(recipientView),
    events: events.map(eventView),
  };
}

export type EmailView = ReturnType<typeof emailView>;

function fromView(row: EmailItemRow) {
  return { email: row.from_email, name: row.from_name };
}

function recipientView(row: RecipientRow) {
  return {
    email: row.address,
    kind: row.kind,
    status: row.state,
    attempts: row.attempts,
    updated_at: row.updated_at,
  };
}
