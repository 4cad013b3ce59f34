/**
 * Converts accepted emails to the columns that `store_emails` takes: rows, contents, recipients and attachments, and one
 * delivery and one `queued` event for each recipient. Each value is sent once: a recipient's rows take shared values from its
 * email.
 */
import { byteaArray, textArray } from '../database/binary-array.ts';
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

/** The parameters of `store_emails`. */
export type EmailColumns = ReturnType<typeof columnsOf>;

export function columnsOf(emails: readonly NewEmail[], { mode, lifetimeMs }: StoreOptions) {
  return {
    mode,
    ...rowColumns(emails),
    ...contentColumns(emails),
    ...recipientColumns(emails),
    ...attachmentColumns(emails),
    ...queueColumns(emails, lifetimeMs),
  };
}

function rowColumns(emails: readonly NewEmail[]) {
  return {
    organization_ids: emails.map((email) => email.organizationId),
    email_ids: emails.map((email) => email.id),
    created: emails.map((email) => email.createdAtMs),
    priorities: emails.map((email) => priorityRank(email.priority)),
    track_opens: emails.map((email) => email.trackOpens),
    unsubscribable: emails.map((email) => email.unsubscribe),
    scheduled: optionalColumn(emails, (email) => email.scheduledAtMs),
    expires_in: optionalColumn(emails, (email) => email.expiresInSeconds),
    from_emails: emails.map((email) => email.from.email),
    from_names: optionalColumn(emails, (email) => email.from.name),
    subjects: emails.map((email) => email.subject),
    addresses: emails.map((email) => JSON.stringify(email.addresses)),
    tags: optionalColumn(emails, (email) => jsonOrNull(email.tags)),
    metadata: optionalColumn(emails, (email) => jsonOrNull(email.metadata)),
    batch_ids: optionalColumn(emails, (email) => email.batchId),
    template_ids: optionalColumn(emails, (email) => email.template?.id ?? null),
    template_versions: optionalColumn(emails, (email) => email.template?.version ?? null),
    // PostgreSQL would read arrays of arrays as one flat list.
    searches: emails.map((email) => `{${searchTokensOf(email).join(',')}}`),
    key_ids: optionalColumn(emails, (email) => email.keyId),
    unsubscribe_groups: optionalColumn(emails, (email) => email.unsubscribeGroup),
    texts_from_html: emails.map((email) => email.textFromHtml ?? email.template !== null),
  };
}

function contentColumns(emails: readonly NewEmail[]) {
  return {
    htmls: textArray(emails.map((email) => email.html)),
    texts: textArray(emails.map((email) => email.text)),
    headers: optionalColumn(emails, (email) => jsonOrNull(email.headers)),
    template_data: optionalColumn(emails, (email) => email.template?.dataJson ?? null),
    mimes: byteaArray(emails.map((email) => email.mime)),
  };
}

function recipientColumns(emails: readonly NewEmail[]) {
  const all = emails.flatMap(({ recipients }) => recipients);
  return {
    recipient_numbers: emails.flatMap(({ recipients }, index) => recipients.map(() => index + 1)),
    positions: emails.flatMap(({ recipients }) => recipients.map((_, position) => position)),
    kinds: all.map(({ kind }) => kind),
    recipients: all.map(({ address }) => address.email),
    domains: all.map(({ address }) => address.domain),
    event_ids: emails.flatMap(({ recipients, createdAtMs }) => recipients.map(() => uuidv7(createdAtMs))),
  };
}

function attachmentColumns(emails: readonly NewEmail[]) {
  const rows = emails.flatMap(({ attachments }, index) =>
    attachments.map((attachment, position) => ({ ...attachment, number: index + 1, position })),
  );
  return {
    attachment_numbers: rows.map((row) => row.number),
    attachment_positions: rows.map((row) => row.position),
    filenames: rows.map((row) => row.filename),
    content_types: rows.map((row) => row.contentType),
    content_ids: optionalColumn(rows, (row) => row.contentId),
    attachments: byteaArray(rows.map((row) => row.content)),
  };
}

function queueColumns(emails: readonly NewEmail[], lifetimeMs: LifetimeMs) {
  const windows = emails.map(({ createdAtMs, scheduledAtMs, expiresInSeconds }) =>
    deliveryWindow(createdAtMs, scheduledAtMs, lifetimeMs(expiresInSeconds)),
  );
  return {
    due: optionalColumn(emails, ({ createdAtMs, scheduledAtMs }) =>
      scheduledAtMs === null ? null : Math.max(createdAtMs, scheduledAtMs),
    ),
    expiring: windows.map((window) => window.expiresAtMs),
    sizes: emails.map(messageSize),
  };
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
