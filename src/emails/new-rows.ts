/**
 * Converts accepted emails to the rows that `store_new_emails` takes: a row for each email, content, recipient and attachment. A row of
 * a recipient also has its delivery and its `queued` event, which take shared values from its email.
 */
import { binaryRows, type RowOf } from '../database/binary-rows.ts';
import { optionalColumn } from '../database/call.ts';
import { deliveryWindow, type LifetimeMs } from '../outbox/lifetime.ts';
import { priorityRank } from '../outbox/states.ts';
import type { Mode } from '../runtime/config.ts';
import { uuidv7 } from '../runtime/ids.ts';
import { messageSize, type NewEmail } from './email.ts';
import { searchTokensOf } from './lists/search-tokens.ts';

export interface StoreOptions {
  /** The mode stored with each email. */
  readonly mode: Mode;
  readonly lifetimeMs: LifetimeMs;
}

/** The type `new_email`. */
export const NEW_EMAIL = {
  id: 'uuid',
  created_at: 'timestamptz',
  priority: 'smallint',
  size: 'integer',
  expires_at: 'timestamptz',
  due_at: 'timestamptz',
  track_opens: 'boolean',
  unsubscribe: 'boolean',
  unsubscribe_group: 'text',
  scheduled_at: 'timestamptz',
  expires_in: 'integer',
  from_email: 'text',
  from_name: 'text',
  subject: 'text',
  addresses: 'jsonb',
  options: 'jsonb',
  tags: 'jsonb',
  metadata: 'jsonb',
  batch_id: 'text',
  template_id: 'text',
  template_version: 'integer',
  search: 'integer[]',
  api_key_id: 'text',
  text_from_html: 'boolean',
} as const;

/** The type `new_content`. */
export const NEW_CONTENT = {
  html: 'text',
  text: 'text',
  headers: 'jsonb',
  template_data: 'jsonb',
  mime: 'bytea',
} as const;

/** The type `new_recipient`. */
export const NEW_RECIPIENT = {
  email_number: 'integer',
  position: 'smallint',
  kind: 'text',
  address: 'text',
  domain: 'text',
  event_id: 'uuid',
} as const;

/** The type `new_attachment`. */
export const NEW_ATTACHMENT = {
  email_number: 'integer',
  position: 'smallint',
  filename: 'text',
  content_type: 'text',
  content_id: 'text',
  content: 'bytea',
} as const;

/** The arguments of `store_new_emails`. */
export function rowsToStore(emails: readonly NewEmail[], { mode, lifetimeMs }: StoreOptions) {
  const attachments = emails.flatMap(attachmentRows);
  return {
    mode,
    organization_ids: emails.map((email) => email.organizationId),
    emails: binaryRows(
      NEW_EMAIL,
      emails.map((email) => emailRow(email, lifetimeMs)),
    ),
    email_streams: optionalColumn(emails, ({ stream }) => stream),
    contents: binaryRows(NEW_CONTENT, emails.map(contentRow)),
    recipients: binaryRows(NEW_RECIPIENT, emails.flatMap(recipientRows)),
    attachments: attachments.length === 0 ? null : binaryRows(NEW_ATTACHMENT, attachments),
  };
}

function emailRow(email: NewEmail, lifetimeMs: LifetimeMs): RowOf<typeof NEW_EMAIL> {
  const { createdAtMs, scheduledAtMs, expiresInSeconds } = email;
  return {
    id: email.id,
    created_at: createdAtMs,
    priority: priorityRank(email.priority),
    track_opens: email.trackOpens,
    unsubscribe: email.unsubscribe,
    unsubscribe_group: email.unsubscribeGroup,
    scheduled_at: scheduledAtMs,
    expires_in: expiresInSeconds,
    from_email: email.from.email,
    from_name: email.from.name,
    subject: email.subject,
    addresses: JSON.stringify(email.addresses),
    options: JSON.stringify(email.options),
    tags: jsonOrNull(email.tags),
    metadata: jsonOrNull(email.metadata),
    batch_id: email.batchId,
    template_id: email.template?.id ?? null,
    template_version: email.template?.version ?? null,
    search: searchTokensOf(email),
    api_key_id: email.keyId,
    text_from_html: email.textFromHtml ?? email.template !== null,
    due_at: scheduledAtMs === null ? null : Math.max(createdAtMs, scheduledAtMs),
    expires_at: deliveryWindow(createdAtMs, scheduledAtMs, lifetimeMs(expiresInSeconds)).expiresAtMs,
    size: messageSize(email),
  };
}

function contentRow({ html, text, headers, template, mime }: NewEmail): RowOf<typeof NEW_CONTENT> {
  return { html, text, headers: jsonOrNull(headers), template_data: template?.dataJson ?? null, mime };
}

function recipientRows({ recipients, createdAtMs }: NewEmail, index: number): RowOf<typeof NEW_RECIPIENT>[] {
  return recipients.map(({ kind, address }, position) => ({
    email_number: index + 1,
    position,
    kind,
    address: address.email,
    domain: address.domain,
    event_id: uuidv7(createdAtMs),
  }));
}

function attachmentRows({ attachments }: NewEmail, index: number): RowOf<typeof NEW_ATTACHMENT>[] {
  return attachments.map(({ filename, contentType, contentId, content }, position) => ({
    email_number: index + 1,
    position,
    filename,
    content_type: contentType,
    content_id: contentId,
    content,
  }));
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
