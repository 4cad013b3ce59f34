/** Reads single emails and batches for the API's answers. Reads only. */

import { type Sql, sql } from '../database/sql.ts';
import type { DeliveryKey } from '../outbox/states.ts';
import type { EmailAddress } from '../protocols/message/address.ts';
import { DEFAULT_GROUP } from '../protocols/message/tracking-token.ts';
import type { Mode } from '../runtime/config.ts';
import type { Reach } from '../runtime/permissions.ts';
import { type Metadata, type RecipientKind, STORED_OPTIONS, type StoredOptions, type Tag } from './email.ts';
import { type FilePiece, filesFromPieces, selectFilePieces } from './file-pieces.ts';
import { MIME_COLUMNS, readLargeMime } from './large-mime.ts';
import type { EmailItemRow } from './lists/store-list.ts';
import type { MovedRow } from './moved/store-moved.ts';
import { span } from './outcomes.ts';
import type { StoredContent } from './rendered-content.ts';
import type { FinalDelivery } from './requeue.ts';
import type { EmailStatus, RecipientState } from './status.ts';
import { OWN_TAGS, STREAM } from './stream.ts';

export interface EmailRow extends EmailItemRow {
  expires_in: number | null;
  options: StoredOptions;
  tags: readonly Tag[] | null;
  /** Null means `transactional`. */
  stream: string | null;
  metadata: Metadata | null;
  batch_id: string | null;
  template_id: string | null;
  api_key_id: string | null;
  /** Null for emails accepted before the mode was stored. */
  mode: Mode | null;
  unsubscribe_group: string | null;
  track_opens: boolean;
}

export interface RecipientRow {
  position: number;
  kind: RecipientKind;
  address: EmailAddress;
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

export interface FileRow extends Omit<AttachmentRow, 'size'> {
  content: Buffer;
}

export interface ContentRow extends StoredContent {
  id: string;
  subject: string;
  /** Where the content is, if it was moved. */
  moved: MovedRow | null;
  /** The message as it was submitted, if it was submitted whole. */
  mime: Buffer | null;
  headers: Record<string, string> | null;
}

/** $1 to $3: restricts results to the caller's reach. */
const WITHIN_REACH = `e.organization_id = $1 AND ($2::text IS NULL OR e.api_key_id = $2)
     AND ($3::text IS NULL OR right(e.from_email, length($3) + 1) = '@' || $3)`;

/** The same rule as `groupOf`. */
export const GROUP = `coalesce(e.unsubscribe_group, CASE WHEN e.unsubscribe THEN '${DEFAULT_GROUP}' END)`;

const EMAIL = `id, subject, status, priority, created_at, updated_at, scheduled_at, expires_in, from_email, from_name,
          addresses, ${STORED_OPTIONS} AS options, ${OWN_TAGS} AS tags, ${STREAM} AS stream, metadata, batch_id, template_id, api_key_id, mode, ${GROUP} AS unsubscribe_group, track_opens`;

const selectEmail = sql<EmailRow>(
  'emails.by_id',
  `SELECT ${EMAIL} FROM emails e WHERE ${WITHIN_REACH} AND id = $4`,
  { home: 'cell', organization: '$1' },
);

const selectEmails = sql<EmailRow>(
  'emails.by_ids',
  `SELECT ${EMAIL} FROM emails e WHERE ${WITHIN_REACH} AND id = ANY ($4::uuid[]) AND id BETWEEN $5 AND $6`,
  { home: 'cell', organization: '$1' },
);

const selectRecipients = sql<RecipientRow>(
  'recipients.of_email',
  `SELECT position, kind, address, state, attempts, updated_at
   FROM recipients WHERE organization_id = $1 AND email_id = $2 ORDER BY position`,
  { home: 'cell', organization: '$1' },
);

/** One statement, because content that is being moved is in exactly one of the two places at any time. */
const selectContent = sql<
  Omit<ContentRow, 'moved'> & { object_id: string | null; seal_key: Buffer; has_large_mime: boolean | null }
>(
  'email_contents.by_id',
  `SELECT e.id, e.subject, c.html, c.text, ${MIME_COLUMNS}, c.headers, e.template_id, e.template_version, c.template_data,
          e.text_from_html, ${STORED_OPTIONS} ->> 'built_with' AS built_with,
          ${STORED_OPTIONS} ->> 'locale' AS locale,
          m.object_id, m.seal_key
   FROM emails e
   LEFT JOIN email_contents c ON c.organization_id = e.organization_id AND c.email_id = e.id AND c.email_id = $4
   LEFT JOIN moved_contents m ON m.organization_id = e.organization_id AND m.email_id = e.id AND m.email_id = $4
   WHERE ${WITHIN_REACH} AND e.id = $4 AND (c.email_id IS NOT NULL OR m.email_id IS NOT NULL)`,
  { home: 'cell', organization: '$1' },
);

const selectAttachments = sql<AttachmentRow>(
  'attached_files.list_of_email',
  `SELECT filename, content_type, content_id, length(content) AS size
   FROM attached_files WHERE organization_id = $1 AND email_id = $2 ORDER BY position`,
  { home: 'cell', organization: '$1' },
);

const selectAttachment = sql<FilePiece>(
  'attached_files.one_of_email',
  selectFilePieces(
    'attached_files',
    'organization_id = $1 AND email_id = $2 ORDER BY position LIMIT 1',
    '$3',
  ),
  { home: 'cell', organization: '$1' },
);

const selectBatch = sql<BatchCountRow>(
  'emails.count_batch',
  `SELECT status, count(*) AS count FROM emails e WHERE ${WITHIN_REACH} AND batch_id = $4 GROUP BY status`,
  { home: 'cell', organization: '$1' },
);

const selectEmptyBatch = sql<{ id: string }>(
  'empty_batches.by_id',
  `SELECT id FROM empty_batches e WHERE ${WITHIN_REACH} AND id = $4`,
  { home: 'cell', organization: '$1' },
);

export interface BatchCountRow {
  status: EmailStatus;
  count: number;
}

export function countBatch(db: Sql, reach: Reach, batchId: string): Promise<BatchCountRow[]> {
  return db.many(selectBatch, [...paramsOf(reach), batchId]);
}

export async function isEmptyBatch(db: Sql, reach: Reach, batchId: string): Promise<boolean> {
  return (await db.maybeOne(selectEmptyBatch, [...paramsOf(reach), batchId])) !== undefined;
}

export function findEmail(db: Sql, reach: Reach, id: string): Promise<EmailRow | undefined> {
  return db.maybeOne(selectEmail, [...paramsOf(reach), id]);
}

/** By id; emails that are out of reach or were removed are left out. */
export async function findEmails(
  db: Sql,
  reach: Reach,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EmailRow>> {
  if (ids.length === 0) return new Map();
  // The first and the last id limit the weekly partitions.
  const sorted = ids.toSorted();
  const rows = await db.many(selectEmails, [...paramsOf(reach), ids, sorted[0], sorted.at(-1)]);
  return new Map(rows.map((row) => [row.id, row]));
}

function paramsOf({ organizationId, sentWith, domain }: Reach) {
  return [organizationId, sentWith, domain];
}

export function recipientsOf(db: Sql, organizationId: string, id: string): Promise<RecipientRow[]> {
  return db.many(selectRecipients, [organizationId, id]);
}

export async function findContent(db: Sql, reach: Reach, id: string): Promise<ContentRow | undefined> {
  const row = await db.maybeOne(selectContent, [...paramsOf(reach), id]);
  if (row === undefined) return undefined;
  const { object_id, seal_key, has_large_mime, ...content } = row;
  const mime = has_large_mime ? await readLargeMime(db, reach.organizationId, id) : row.mime;
  // The content was moved in between.
  if (has_large_mime && mime === null) return findContent(db, reach, id);
  return { ...content, mime, moved: object_id === null ? null : { email_id: row.id, object_id, seal_key } };
}

/** One file with its content, numbered from 0. */
export async function attachmentOf(
  db: Sql,
  organizationId: string,
  id: string,
  number: number,
): Promise<FileRow | undefined> {
  const [file] = filesFromPieces(await db.many(selectAttachment, [organizationId, id, number]));
  if (file === undefined) return undefined;
  const { filename, contentType: content_type, contentId: content_id, content } = file;
  return { filename, content_type, content_id, content };
}

/** The attachments without their content. */
export function attachmentsOf(db: Sql, organizationId: string, id: string): Promise<AttachmentRow[]> {
  return db.many(selectAttachments, [organizationId, id]);
}

/** Loads what is needed to put recipients back into the outbox. Reads only. */
export interface RecipientStanding extends Omit<FinalDelivery, 'mode'> {
  /** Null for emails accepted before the mode was stored. */
  readonly mode: Mode | null;
  readonly state: RecipientState;
  readonly updatedAt: Date;
}

const select = sql<RecipientStanding>(
  'recipients.standing',
  `SELECT r.organization_id AS "organizationId", r.email_id AS "emailId", r.position, r.address, r.attempts, r.state,
          r.updated_at AS "updatedAt", e.priority, e.mode, e.expires_in AS "expiresIn"
   FROM (SELECT DISTINCT * FROM unnest($2::uuid[], $3::smallint[]) AS t(email_id, position)) AS asked
   JOIN recipients r ON r.organization_id = $1 AND r.email_id = asked.email_id AND r.position = asked.position
   JOIN emails e ON e.organization_id = $1 AND e.id = r.email_id
   WHERE r.email_id BETWEEN $4 AND $5 AND e.id BETWEEN $4 AND $5`,
  { home: 'cell', organization: '$1' },
);

/** Each recipient once; removed ones are left out. */
export async function finalDeliveriesOf(
  db: Sql,
  organizationId: string,
  keys: readonly DeliveryKey[],
): Promise<RecipientStanding[]> {
  if (keys.length === 0) return [];
  const ids = keys.map(({ emailId }) => emailId);
  return db.many(select, [organizationId, ids, keys.map(({ position }) => position), ...span(ids)]);
}
