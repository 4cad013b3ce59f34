/** Reads single emails and batches back, for the API's answers. Reads only. */
import { type Sql, sql } from '../../database/sql.ts';
import type { Mode } from '../../runtime/config.ts';
import type { EmailStatus } from '../stats/email-counts.ts';
import type { Metadata, RecipientKind, Tag } from './email.ts';
import type { RecipientState } from './outcomes.ts';
import type { StoredContent } from './rendered-content.ts';
import type { EmailItemRow } from './store-list.ts';

export interface EmailRow extends EmailItemRow {
  scheduled_at: Date | null;
  expires_in: number | null;
  tags: readonly Tag[] | null;
  metadata: Metadata | null;
  batch_id: string | null;
  template_id: string | null;
  api_key_id: string | null;
  /** Null for those that were accepted before it was kept. */
  mode: Mode | null;
}

export interface RecipientRow {
  position: number;
  kind: RecipientKind;
  address: string;
  state: RecipientState;
  attempts: number;
  updated_at: Date;
}

export interface AttachmentRow {
  filename: string;
  content_type: string;
  content_id: string | null;
  size: number;
}

export interface ContentRow extends StoredContent {
  subject: string;
  headers: Record<string, string> | null;
}

const selectEmail = sql<EmailRow>(
  'emails.by_id',
  `SELECT id, subject, status, priority, created_at, updated_at, scheduled_at, expires_in, from_email, from_name,
          addresses, tags, metadata, batch_id, template_id, api_key_id, mode
   FROM emails WHERE organization_id = $1 AND id = $2`,
);

const selectRecipients = sql<RecipientRow>(
  'recipients.of_email',
  `SELECT position, kind, address, state, attempts, updated_at
   FROM recipients WHERE organization_id = $1 AND email_id = $2 ORDER BY position`,
);

const selectContent = sql<ContentRow>(
  'email_contents.by_id',
  `SELECT e.subject, c.html, c.text, c.headers, e.template_id, e.template_version, c.template_data
   FROM emails e JOIN email_contents c ON c.organization_id = e.organization_id AND c.email_id = e.id
   WHERE e.organization_id = $1 AND e.id = $2`,
);

const selectAttachments = sql<AttachmentRow>(
  'email_attachments.list_of_email',
  `SELECT filename, content_type, content_id, length(content) AS size
   FROM email_attachments WHERE organization_id = $1 AND email_id = $2 ORDER BY position`,
);

const selectBatch = sql<BatchCountRow>(
  'emails.count_batch',
  `SELECT status, count(*) AS count FROM emails WHERE organization_id = $1 AND batch_id = $2 GROUP BY status`,
);

export interface BatchCountRow {
  status: EmailStatus;
  count: number;
}

export function countBatch(db: Sql, organizationId: string, batchId: string): Promise<BatchCountRow[]> {
  return db.many(selectBatch, [organizationId, batchId]);
}

export function findEmail(db: Sql, organizationId: string, id: string): Promise<EmailRow | undefined> {
  return db.maybeOne(selectEmail, [organizationId, id]);
}

export function recipientsOf(db: Sql, organizationId: string, id: string): Promise<RecipientRow[]> {
  return db.many(selectRecipients, [organizationId, id]);
}

export function findContent(db: Sql, organizationId: string, id: string): Promise<ContentRow | undefined> {
  return db.maybeOne(selectContent, [organizationId, id]);
}

/** What they are, without their bytes. */
export function attachmentsOf(db: Sql, organizationId: string, id: string): Promise<AttachmentRow[]> {
  return db.many(selectAttachments, [organizationId, id]);
}
