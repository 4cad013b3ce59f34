/**
 * Files attached to every email of a batch, stored once for all of them. The one writer of `batch_attachments`. The view
 * `attached_files` has the attachments of every email, its own and its batch's.
 */
import { byteaArray } from '../database/binary-array.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { Attachment } from '../protocols/message/mime.ts';
import { attachedBytes, type NewEmail } from './email.ts';
import { type FilePiece, filesFromPieces, selectFilePieces } from './file-pieces.ts';

const insert = sql(
  'batch_attachments.insert',
  `INSERT INTO batch_attachments (organization_id, batch_id, created_at, position, filename, content_type, content_id,
                                  content)
   SELECT $1, $2, to_timestamp($3 / 1000.0), i - 1, new.filename, new.content_type, new.content_id, new.content
   FROM unnest($4::text[], $5::text[], $6::text[], $7::bytea[])
        WITH ORDINALITY AS new(filename, content_type, content_id, content, i)`,
  { home: 'cell', organization: '$1' },
);

const select = sql<FilePiece>(
  'batch_attachments.of_batch',
  selectFilePieces('batch_attachments', 'organization_id = $1 AND batch_id = $2'),
  { home: 'cell', organization: '$1' },
);

/** Checks each batch separately, in the one or two weeks that its emails are in: a join would read every email. */
const IS_UNUSED = `(
  SELECT true FROM emails e JOIN kept_contents c ON c.organization_id = e.organization_id AND c.email_id = e.id
  WHERE e.organization_id = b.organization_id AND e.batch_id = b.batch_id
    AND e.id >= uuid_v7_floor(b.created_at) AND e.id < uuid_v7_floor(b.created_at + interval '1 day')
    AND c.email_id >= uuid_v7_floor(b.created_at) AND c.email_id < uuid_v7_floor(b.created_at + interval '1 day')
  LIMIT 1) IS NULL`;

const removeUnused = sql(
  'batch_attachments.remove_unused',
  `DELETE FROM batch_attachments d USING (
     SELECT b.organization_id, b.batch_id FROM batch_attachments b WHERE b.position = 0 AND ${IS_UNUSED} LIMIT $1
   ) AS unused WHERE d.organization_id = unused.organization_id AND d.batch_id = unused.batch_id`,
  { home: 'cell' },
);

const removeOfEmails = sql(
  'batch_attachments.remove_of_emails',
  `DELETE FROM batch_attachments b
   WHERE b.organization_id = $1 AND ${IS_UNUSED}
     AND b.batch_id IN (SELECT batch_id FROM emails WHERE organization_id = $1 AND id = ANY ($2::uuid[]))`,
  { home: 'cell', organization: '$1' },
);

/** Stores the files of batches with at least one accepted email. */
export async function storeBatchAttachments(tx: Sql, accepted: readonly NewEmail[]): Promise<void> {
  const stored = new Set<string>();
  for (const { organizationId, batchId, batchAttachments: files, createdAtMs } of accepted) {
    if (files.length === 0 || batchId === null || stored.has(batchId)) continue;
    stored.add(batchId);
    await tx.exec(insert, [
      ...[organizationId, batchId, createdAtMs],
      ...[files.map((file) => file.filename), files.map((file) => file.contentType)],
      ...[files.map((file) => file.contentId), byteaArray(files.map((file) => file.content))],
    ]);
  }
}

/** Removes the files of at most this many batches whose emails have no content left. Returns the number of files. */
export function removeUnusedBatchAttachments(tx: Sql, batches: number): Promise<number> {
  return tx.exec(removeUnused, [batches]);
}

/** Removes the files of these emails' batches if no other email of the batch has content left. */
export async function removeBatchAttachmentsOf(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
): Promise<void> {
  await tx.exec(removeOfEmails, [organizationId, emailIds]);
}

/** About two of the largest batches. */
const KEPT_BYTES = 32 * 1024 * 1024;
const KEPT_BATCHES = 100;

interface Kept {
  readonly files: Promise<readonly Attachment[]>;
  bytes: number;
}

/**
 * A cache for delivery: the files of a batch are read once for its thousand emails. They never change; the least recently used
 * batches are evicted.
 */
export class BatchFiles {
  readonly #db: Sql;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(db: Sql) {
    this.#db = db;
  }

  of(organizationId: string, batchId: string): Promise<readonly Attachment[]> {
    const key = `${organizationId} ${batchId}`;
    const kept = this.#kept.get(key) ?? { files: this.#load(key, organizationId, batchId), bytes: 0 };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.files;
  }

  async #load(key: string, organizationId: string, batchId: string): Promise<readonly Attachment[]> {
    try {
      const files = filesFromPieces(await this.#db.many(select, [organizationId, batchId]));
      this.#keep(key, attachedBytes(files));
      return files;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  #keep(key: string, bytes: number): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#bytes += bytes - kept.bytes;
    kept.bytes = bytes;
    for (const [oldest, { bytes: freed }] of this.#kept) {
      if (this.#bytes <= KEPT_BYTES && this.#kept.size <= KEPT_BATCHES) return;
      this.#kept.delete(oldest);
      this.#bytes -= freed;
    }
  }
}
