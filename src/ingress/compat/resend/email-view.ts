/** An email in Resend's format. */
import { repliesOf } from '../../../emails/email.ts';
import type { EmailItemRow } from '../../../emails/lists/store-list.ts';
import type { EmailContent, EmailView } from '../../../emails/view.ts';
import type { EventType } from '../../../events/append.ts';
import type { LastEvent } from '../../../events/read.ts';
import { halvesOf } from '../../../protocols/message/address.ts';
import { messageId } from '../../../protocols/message/compose.ts';
import { mailboxText } from '../../../protocols/message/mailbox-text.ts';

type Named = Parameters<typeof mailboxText>[0];

export function resendEmailItem(row: EmailItemRow & { readonly last: LastEvent | undefined }) {
  const { addresses, from_email: email, from_name: name } = row;
  return itemView(
    { ...row, ...addresses, from: { email, name }, reply_to_list: repliesOf(addresses) },
    row.last,
  );
}

/** `content` is null after its removal. */
export function resendEmail(email: EmailView, content: EmailContent | null) {
  return {
    object: 'email',
    ...itemView(email, lastOf(email)),
    html: content?.html ?? null,
    text: content?.text ?? null,
    tags: email.tags,
  };
}

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly subject: string;
  readonly from: Named;
  readonly to: readonly Named[];
  readonly cc: readonly Named[];
  readonly bcc: readonly Named[];
  readonly reply_to_list: readonly Named[];
  readonly created_at: Date;
  readonly scheduled_at: Date | null;
}

function itemView(email: Shown, last: LastEvent | undefined) {
  return {
    id: email.id,
    message_id: messageId({ id: email.id, messageIdDomain: halvesOf(email.from.email).domain }),
    from: mailboxText(email.from),
    to: email.to.map(mailboxText),
    cc: textsOf(email.cc),
    bcc: textsOf(email.bcc),
    reply_to: textsOf(email.reply_to_list),
    subject: email.subject,
    created_at: email.created_at,
    scheduled_at: email.scheduled_at,
    last_event: lastEvent(email, last),
  };
}

function textsOf(mailboxes: readonly Named[]): string[] | null {
  return mailboxes.length === 0 ? null : mailboxes.map(mailboxText);
}

function lastOf({ events }: EmailView): LastEvent | undefined {
  return events.findLast(
    ({ type, machine }) => type !== 'unsubscribed' && type !== 'held' && machine !== true,
  );
}

/** Event types with another name in Resend. */
const WORDS: Partial<Record<EventType, string>> = { processing: 'sent', deferred: 'delivery_delayed' };

/** Falls back to the status when the events have been removed. */
function lastEvent({ status, scheduled_at }: Shown, last: LastEvent | undefined): string {
  if (last === undefined) return status;
  if (last.type === 'queued') return scheduled_at === null ? 'queued' : 'scheduled';
  if (last.type === 'rejected') return rejection(last.reason);
  return WORDS[last.type] ?? last.type;
}

function rejection(reason: string | null): string {
  if (reason === 'cancelled') return 'canceled';
  return reason === 'suppressed' ? 'suppressed' : 'failed';
}
