/** Writes an email as it is accepted. With outcomes.ts, the one writer of emails, recipients and their content. */
import { packBytes, packTexts } from '../kit/database/packed.ts';
import { type Sql, sql } from '../kit/database/sql.ts';
import type { Mode } from '../kit/runtime/config.ts';
import { priorityRank } from '../outbox/states.ts';
import type { NewEmail } from './email.ts';
import { searchTokensOf } from './lists/search-tokens.ts';

const insertEmailRows = sql(
  'emails.insert',
  `INSERT INTO emails (organization_id, id, status, priority, track_opens, unsubscribe, created_at, updated_at,
                       scheduled_at, expires_in, from_email, from_name, subject, addresses, tags, metadata, batch_id,
                       template_id, template_version, search, api_key_id,
                       unsubscribe_group, text_from_html, mode)
   SELECT o, i, 'queued', p, track, unsubscribe, to_timestamp(created / 1000.0), to_timestamp(created / 1000.0),
          to_timestamp(scheduled / 1000.0), expires, from_email, from_name, subject, addresses, tags, metadata, batch,
          template, version, search::int4[], key, unsubscribe_group, made_text, $22
   FROM unnest($1::text[], $2::uuid[], $3::smallint[], $4::boolean[], $5::float8[], $6::float8[], $7::int[],
               $8::text[], $9::text[], $10::text[], $11::jsonb[], $12::jsonb[], $13::jsonb[], $14::text[],
               $15::text[], $16::int[], $17::text[], $18::boolean[], $19::text[], $20::text[],
               $21::boolean[])
        AS new(o, i, p, track, created, scheduled, expires, from_email, from_name, subject, addresses, tags, metadata,
               batch, template, version, search, unsubscribe, key, unsubscribe_group,
               made_text)`,
);

const insertContentRows = sql(
  'email_contents.insert',
  `INSERT INTO email_contents (organization_id, email_id, html, text, headers, template_data)
   SELECT o, e, convert_from(substring($1::bytea FROM html FOR html_size), 'UTF8'),
          convert_from(substring($2::bytea FROM txt FOR txt_size), 'UTF8'), h, d
   FROM unnest($3::text[], $4::uuid[], $5::int[], $6::int[], $7::int[], $8::int[], $9::jsonb[], $10::jsonb[])
        AS new(o, e, html, html_size, txt, txt_size, h, d)`,
);

const insertAttachmentRows = sql(
  'email_attachments.insert',
  `INSERT INTO email_attachments (organization_id, email_id, position, filename, content_type, content_id, content)
   SELECT o, e, p, f, t, c, substring($1::bytea FROM start FOR size)
   FROM unnest($2::text[], $3::uuid[], $4::smallint[], $5::text[], $6::text[], $7::text[], $8::int[], $9::int[])
        AS new(o, e, p, f, t, c, start, size)`,
);

const insertRecipientRows = sql(
  'recipients.insert',
  `INSERT INTO recipients (organization_id, email_id, position, kind, address, state, updated_at)
   SELECT o, e, p, k, a, 'queued', to_timestamp(at / 1000.0)
   FROM unnest($1::text[], $2::uuid[], $3::smallint[], $4::text[], $5::text[], $6::float8[])
        AS new(o, e, p, k, a, at)`,
);

const updateSchedule = sql(
  'emails.reschedule',
  `UPDATE emails SET scheduled_at = to_timestamp($3 / 1000.0), updated_at = to_timestamp($4 / 1000.0)
   WHERE organization_id = $1 AND id = $2`,
);

export async function setSchedule(
  tx: Sql,
  key: { readonly organizationId: string; readonly emailId: string },
  scheduledAtMs: number,
  nowMs: number,
): Promise<void> {
  await tx.exec(updateSchedule, [key.organizationId, key.emailId, scheduledAtMs, nowMs]);
}

export async function insertEmails(tx: Sql, emails: readonly NewEmail[], mode: Mode): Promise<void> {
  await Promise.all([
    insertRows(tx, emails, mode),
    insertContents(tx, emails),
    insertAttachments(tx, emails),
    insertRecipients(tx, emails),
  ]);
}

async function insertRows(tx: Sql, emails: readonly NewEmail[], mode: Mode): Promise<void> {
  await tx.exec(insertEmailRows, [
    emails.map((email) => email.organizationId),
    emails.map((email) => email.id),
    emails.map((email) => priorityRank(email.priority)),
    emails.map((email) => email.trackOpens),
    emails.map((email) => email.createdAtMs),
    emails.map((email) => email.scheduledAtMs),
    emails.map((email) => email.expiresInSeconds),
    emails.map((email) => email.from.email),
    emails.map((email) => email.from.name),
    emails.map((email) => email.subject),
    emails.map((email) => JSON.stringify(email.addresses)),
    emails.map((email) => jsonOrNull(email.tags)),
    emails.map((email) => jsonOrNull(email.metadata)),
    emails.map((email) => email.batchId),
    emails.map((email) => email.template?.id ?? null),
    emails.map((email) => email.template?.version ?? null),
    // Arrays of arrays would be taken for one flat list.
    emails.map((email) => `{${searchTokensOf(email).join(',')}}`),
    emails.map((email) => email.unsubscribe),
    emails.map((email) => email.keyId),
    emails.map((email) => email.unsubscribeGroup),
    emails.map((email) => email.textFromHtml ?? email.template !== null),
    mode,
  ]);
}

async function insertContents(tx: Sql, emails: readonly NewEmail[]): Promise<void> {
  const html = packTexts(emails.map((email) => email.html));
  const text = packTexts(emails.map((email) => email.text));
  await tx.exec(insertContentRows, [
    html.bytes,
    text.bytes,
    emails.map((email) => email.organizationId),
    emails.map((email) => email.id),
    html.starts,
    html.sizes,
    text.starts,
    text.sizes,
    emails.map((email) => jsonOrNull(email.headers)),
    emails.map((email) => email.template?.dataJson ?? null),
  ]);
}

async function insertAttachments(tx: Sql, emails: readonly NewEmail[]): Promise<void> {
  const rows = emails.flatMap((email) =>
    email.attachments.map((attachment, position) => ({ email, attachment, position })),
  );
  if (rows.length === 0) return;
  const files = packBytes(rows.map(({ attachment }) => attachment.content));
  await tx.exec(insertAttachmentRows, [
    files.bytes,
    rows.map(({ email }) => email.organizationId),
    rows.map(({ email }) => email.id),
    rows.map(({ position }) => position),
    rows.map(({ attachment }) => attachment.filename),
    rows.map(({ attachment }) => attachment.contentType),
    rows.map(({ attachment }) => attachment.contentId),
    files.starts,
    files.sizes,
  ]);
}

async function insertRecipients(tx: Sql, emails: readonly NewEmail[]): Promise<void> {
  const rows = emails.flatMap((email) =>
    email.recipients.map((recipient, position) => ({ email, recipient, position })),
  );
  await tx.exec(insertRecipientRows, [
    rows.map(({ email }) => email.organizationId),
    rows.map(({ email }) => email.id),
    rows.map(({ position }) => position),
    rows.map(({ recipient }) => recipient.kind),
    rows.map(({ recipient }) => recipient.address),
    rows.map(({ email }) => email.createdAtMs),
  ]);
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
