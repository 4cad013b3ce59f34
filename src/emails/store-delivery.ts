/** Loads everything that a worker needs to deliver, for many deliveries at once. Reads only. */

import { revokedAmong } from '../accounts/api-keys/store.ts';
import { type Sql, sql } from '../database/sql.ts';
import { INSTALLATION } from '../organizations/installation.ts';
import type { DeliveryKey } from '../outbox/states.ts';
import { domainOf, type EmailAddress } from '../protocols/message/address.ts';
import type { Attachment } from '../protocols/message/mime.ts';
import { storedEmail, storedText } from '../protocols/message/stored.ts';
import type { BatchFiles } from './batch-attachments.ts';
import { supersededAmong } from './collapse.ts';
import { type Addresses, type NamedAddress, STORED_OPTIONS, type StoredOptions, type Tag } from './email.ts';
import { type FilePiece, filesFromPieces, selectFilePieces } from './file-pieces.ts';
import { MIME_COLUMNS, readLargeMime } from './large-mime.ts';
import type { StoredContent } from './rendered-content.ts';
import { OWN_TAGS, STREAM } from './stream.ts';

/** Everything that goes into the message to one recipient. Template content is not rendered yet. */
export interface DeliverableEmail extends StoredContent {
  readonly id: string;
  readonly createdAtMs: number;
  readonly scheduledAtMs: number | null;
  readonly from: NamedAddress;
  readonly recipient: EmailAddress;
  readonly addresses: Addresses;
  readonly options: StoredOptions;
  readonly subject: string;
  readonly tags: readonly Tag[] | null;
  /** Null means `transactional`. */
  readonly stream: string | null;
  /** The API key that submitted the email. */
  readonly keyId: string | null;
  /** The message as it was submitted, if it was submitted whole. */
  readonly mime: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly Attachment[];
  readonly trackOpens: boolean;
  readonly unsubscribe: boolean;
  readonly unsubscribeGroup: string | null;
  /** Why the email must no longer be sent although it is due. */
  readonly withdrawnFor: WithdrawnFor | null;
}

/**
 * The reasons that end mail before it is sent. The sender's domain or the submitting key ends scheduled mail only; a newer
 * email ends any mail.
 */
export type WithdrawnFor =
  | 'domain_removed'
  | 'domain_unverified'
  | 'key_revoked'
  | 'superseded'
  | 'flood_collapsed';

interface DeliverableRow extends StoredContent {
  index: number;
  id: string;
  created_at: Date;
  from_email: string;
  from_name: string | null;
  address: string;
  addresses: Addresses;
  options: StoredOptions;
  subject: string;
  tags: readonly Tag[] | null;
  stream: string | null;
  /** Null if there is no message, or a large one. */
  mime: Buffer | null;
  has_large_mime: boolean | null;
  headers: Record<string, string> | null;
  has_attachments: boolean;
  /** Its batch, if the batch has files for all of its emails. */
  batch_with_files: string | null;
  track_opens: boolean;
  unsubscribe: boolean;
  unsubscribe_group: string | null;
  withdrawn_for: WithdrawnFor | null;
  scheduled_at: Date | null;
  api_key_id: string | null;
}

/**
 * Checked for scheduled mail only, which may have waited for years; mail without a schedule is sent. The installation's own
 * mail has no key, and its domains belong to another organization (domains/senders.ts). Keys are not in the same database
 * as mail: see `withdrawnKeys`.
 */
const WITHDRAWN_FOR = `
  CASE WHEN e.scheduled_at IS NULL OR e.organization_id = '${INSTALLATION}' THEN NULL
       WHEN NOT EXISTS (SELECT FROM domains d WHERE d.organization_id = e.organization_id
                        AND d.domain = split_part(e.from_email, '@', -1)) THEN 'domain_removed'
       WHEN NOT EXISTS (SELECT FROM domains d WHERE d.organization_id = e.organization_id
                        AND d.domain = split_part(e.from_email, '@', -1)
                        AND d.spf_verified AND d.dkim_verified) THEN 'domain_unverified' END`;

const selectDeliverable = sql<DeliverableRow>(
  'emails.deliverable',
  `SELECT (asked.index - 1)::int AS index, e.id, e.created_at, e.from_email, e.from_name, r.address, e.addresses,
          ${STORED_OPTIONS} AS options, e.subject, ${OWN_TAGS} AS tags, ${STREAM} AS stream, c.html, c.text, c.headers,
          ${MIME_COLUMNS}, e.template_id, e.template_version, c.template_data,
          e.track_opens, e.unsubscribe, e.unsubscribe_group, e.text_from_html, ${WITHDRAWN_FOR} AS withdrawn_for,
          e.scheduled_at, e.api_key_id,
          EXISTS (SELECT FROM email_attachments a
                  WHERE a.organization_id = e.organization_id AND a.email_id = e.id) AS has_attachments,
          CASE WHEN e.batch_id IS NOT NULL
               AND EXISTS (SELECT FROM batch_attachments b
                           WHERE b.organization_id = e.organization_id AND b.batch_id = e.batch_id)
            THEN e.batch_id END AS batch_with_files
   FROM unnest($1::text[], $2::uuid[], $3::smallint[])
        WITH ORDINALITY AS asked(organization_id, email_id, position, index)
   JOIN emails e ON e.organization_id = asked.organization_id AND e.id = asked.email_id
   JOIN email_contents c ON c.organization_id = e.organization_id AND c.email_id = e.id
   JOIN recipients r ON r.organization_id = e.organization_id AND r.email_id = e.id AND r.position = asked.position
   WHERE e.id BETWEEN $4 AND $5 AND c.email_id BETWEEN $4 AND $5 AND r.email_id BETWEEN $4 AND $5`,
  { home: 'cell', organization: '$1' },
);

const selectAttachments = sql<FilePiece>(
  'email_attachments.of_email',
  selectFilePieces('email_attachments', 'organization_id = $1 AND email_id = $2'),
  { home: 'cell', organization: '$1' },
);

/** In the order given; null if the content was removed. */
export async function loadDeliverable(
  db: Sql,
  batchFiles: BatchFiles,
  keys: readonly DeliveryKey[],
): Promise<(DeliverableEmail | null)[]> {
  const ids = keys.map((key) => key.emailId);
  const sorted = [...ids].sort();
  const rows = await db.many(selectDeliverable, [
    keys.map((key) => key.organizationId),
    ids,
    keys.map((key) => key.position),
    sorted[0],
    sorted.at(-1),
  ]);
  const current = await withoutSuperseded(db, keys, await withdrawnKeys(db, rows));
  const found = new Map(current.map((row) => [row.index, row]));
  return Promise.all(
    keys.map(async (key, index) => {
      const row = await withMime(db, key, found.get(index));
      if (!row) return null;
      const { batch_with_files: batchId } = row;
      if (batchId === null && !row.has_attachments) return toDeliverable(row, []);
      const files =
        batchId === null ? await attachmentsOf(db, key) : await batchFiles.of(key.organizationId, batchId);
      // The files are removed with the content of the batch's last email, so this email's content was just removed, too.
      return files.length === 0 ? null : toDeliverable(row, files);
    }),
  );
}

/** Scheduled mail whose key was revoked before its time is not sent. Without such mail this makes no query. */
async function withdrawnKeys(db: Sql, rows: readonly DeliverableRow[]): Promise<readonly DeliverableRow[]> {
  const asked = rows.flatMap(({ withdrawn_for, scheduled_at, api_key_id }) =>
    withdrawn_for === null && scheduled_at !== null && api_key_id !== null ? [api_key_id] : [],
  );
  if (asked.length === 0) return rows;
  const revoked = await revokedAmong(db, asked);
  return rows.map((row) => {
    const revokedAt = revoked.get(row.api_key_id ?? '');
    const isWithdrawn = revokedAt !== undefined && row.scheduled_at !== null && revokedAt < row.scheduled_at;
    return isWithdrawn ? { ...row, withdrawn_for: row.withdrawn_for ?? 'key_revoked' } : row;
  });
}

/** Makes no query if no mail has a collapse key. */
async function withoutSuperseded(
  db: Sql,
  keys: readonly DeliveryKey[],
  rows: readonly DeliverableRow[],
): Promise<readonly DeliverableRow[]> {
  const asked = rows.flatMap((row) => {
    const { collapse_key: collapseKey } = row.options;
    const key = keys[row.index];
    if (collapseKey === undefined || key === undefined) return [];
    const fromDomain = domainOf(storedEmail(row.from_email));
    return [{ row, collapseKey, fromDomain, recipient: storedEmail(row.address), ...key }];
  });
  if (asked.length === 0) return rows;
  const places = await supersededAmong(db, asked);
  const superseded = new Set(asked.filter((_, place) => places.has(place)).map(({ row }) => row));
  return rows.map((row) => (superseded.has(row) ? { ...row, withdrawn_for: 'superseded' } : row));
}

/** Null if its content was removed in the meantime. */
async function withMime(
  db: Sql,
  { organizationId, emailId }: DeliveryKey,
  row: DeliverableRow | undefined,
): Promise<DeliverableRow | null> {
  if (!row?.has_large_mime) return row ?? null;
  const mime = await readLargeMime(db, organizationId, emailId);
  return mime && { ...row, mime };
}

async function attachmentsOf(db: Sql, key: DeliveryKey): Promise<Attachment[]> {
  return filesFromPieces(await db.many(selectAttachments, [key.organizationId, key.emailId]));
}

function toDeliverable(row: DeliverableRow, attachments: readonly Attachment[]): DeliverableEmail {
  return {
    id: row.id,
    createdAtMs: row.created_at.getTime(),
    scheduledAtMs: row.scheduled_at?.getTime() ?? null,
    from: { email: storedEmail(row.from_email), name: storedText(row.from_name) },
    recipient: storedEmail(row.address),
    addresses: row.addresses,
    options: row.options,
    subject: row.subject,
    tags: row.tags,
    stream: row.stream,
    keyId: row.api_key_id,
    html: row.html,
    text: row.text,
    template_id: row.template_id,
    template_version: row.template_version,
    built_with: row.options.built_with ?? null,
    locale: row.options.locale ?? null,
    template_data: row.template_data,
    text_from_html: row.text_from_html,
    mime: row.mime,
    headers: row.headers ?? {},
    attachments,
    trackOpens: row.track_opens,
    unsubscribe: row.unsubscribe,
    unsubscribeGroup: row.unsubscribe_group,
    withdrawnFor: row.withdrawn_for,
  };
}
