/** Selects the content to move next, from one week of an organization, in the order of its emails. Reads only. */

import { type Sql, sql } from '../../database/sql.ts';
import { joined, joinPieces, type ValuePiece } from '../../database/value-pieces.ts';
import { fieldValue, readHeaderBlock } from '../../protocols/message/reading/header-block.ts';
import { MIME_COLUMNS, readLargeMime } from '../large-mime.ts';
import { idsOf, type Span } from '../lists/list-window.ts';
import { span } from '../outcomes.ts';
import type { KeptContent, KeptFile } from './packed-content.ts';

/** The number of emails in memory at once, whose total size is limited, too. */
const SCAN_BATCH = 100;
const BYTES_AT_ONCE = 16 * 1024 * 1024;

const selectNext = sql<{ id: string; is_final: boolean; bytes: number }>(
  'email_contents.next_to_move',
  `SELECT c.email_id AS id, e.status <> 'queued' AS is_final,
          (coalesce(octet_length(c.html), 0) + coalesce(octet_length(c.text), 0) + coalesce(octet_length(c.mime), 0)
           + coalesce(pg_column_size(c.template_data), 0)
           + (SELECT coalesce(sum(octet_length(a.content)), 0) FROM email_attachments a
              WHERE a.organization_id = c.organization_id AND a.email_id = c.email_id
                AND a.email_id >= $2 AND a.email_id < $3))::bigint AS bytes
   FROM email_contents c JOIN emails e ON e.organization_id = c.organization_id AND e.id = c.email_id
   WHERE c.organization_id = $1 AND c.email_id >= $2 AND c.email_id < $3 AND ($4::uuid IS NULL OR c.email_id > $4)
     AND e.id >= $2 AND e.id < $3
   ORDER BY c.email_id LIMIT $5`,
  { home: 'cell', organization: '$1' },
);

export const AMONG = 'organization_id = $1 AND email_id = ANY ($2::uuid[]) AND email_id BETWEEN $3 AND $4';

type ContentRow = Omit<KeptContent, 'files'> & { email_id: string; has_large_mime: boolean | null };

const selectContents = sql<ContentRow>(
  'email_contents.to_move',
  `SELECT email_id, html, text, headers::text, template_data::text, ${MIME_COLUMNS} FROM email_contents c WHERE ${AMONG}
   ORDER BY email_id`,
  { home: 'cell', organization: '$1' },
);

interface FilePieceRow extends ValuePiece, Omit<KeptFile, 'content'> {
  readonly email_id: string;
}

const selectFiles = sql<FilePieceRow>(
  'email_attachments.to_move',
  `SELECT f.email_id, f.position, f.filename, f.content_type, f.content_id, pieces.place, pieces.piece
   FROM (SELECT email_id, position, filename, content_type, content_id, content || ''::bytea AS content
         FROM email_attachments WHERE ${AMONG} OFFSET 0) AS f
   ${joinPieces('f.content')}`,
  { home: 'cell', organization: '$1' },
);

export interface MovableContent extends KeptContent {
  readonly email_id: string;
}

interface NextToMove {
  readonly contents: readonly MovableContent[];
  /** The last email scanned; null if none was left. */
  readonly lookedTo: string | null;
  /** Emails that still have to be sent. */
  readonly skipped: number;
}

export async function nextToMove(
  db: Sql,
  organizationId: string,
  within: Span,
  after: string | null,
): Promise<NextToMove> {
  const { from, before } = idsOf(within);
  const rows = await db.many(selectNext, [organizationId, from, before, after, SCAN_BATCH]);
  const looked = rows.slice(0, howMany(rows));
  const ids = looked.filter((row) => row.is_final).map(({ id }) => id);
  return {
    contents: await loadContents(db, organizationId, ids),
    lookedTo: looked.at(-1)?.id ?? null,
    skipped: looked.length - ids.length,
  };
}

/** How many rows fit into the memory limit; at least one, whatever its size. */
function howMany(rows: readonly { readonly is_final: boolean; readonly bytes: number }[]): number {
  let bytes = 0;
  const tooMuch = rows.findIndex((row) => {
    bytes += row.is_final ? row.bytes : 0;
    return bytes > BYTES_AT_ONCE;
  });
  return tooMuch < 0 ? rows.length : Math.max(1, tooMuch);
}

async function loadContents(
  db: Sql,
  organizationId: string,
  ids: readonly string[],
): Promise<MovableContent[]> {
  if (ids.length === 0) return [];
  const among = [organizationId, ids, ...span(ids)];
  const rows = await db.many(selectContents, among);
  const files = filesByEmail(await db.many(selectFiles, among));
  const contents: MovableContent[] = [];
  for (const { has_large_mime, ...row } of rows) {
    const mime = has_large_mime ? await readLargeMime(db, organizationId, row.email_id) : row.mime;
    // The message was removed in between.
    if (has_large_mime && mime === null) continue;
    contents.push({ ...row, mime, files: files.get(row.email_id) ?? [] });
  }
  return contents;
}

/** Groups files by email, ordered by position. */
function filesByEmail(rows: readonly FilePieceRow[]): ReadonlyMap<string, KeptFile[]> {
  const pieces = grouped(rows, ({ email_id, position }) => `${email_id} ${position}`);
  const files = [...pieces.values()].map((own) => {
    const { place: _place, piece: _piece, ...file } = own[0] as FilePieceRow;
    return { ...file, content: joined(own) };
  });
  return grouped(
    files.toSorted((a, b) => a.position - b.position),
    (file) => file.email_id,
  );
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** The size that an export counts. */
export function contentBytesOf({ html, text, headers, template_data, mime }: KeptContent): number {
  const texts = [html, text, headers, template_data].map((part) => Buffer.byteLength(part ?? ''));
  return texts.reduce((sum, bytes) => sum + bytes, mime?.length ?? 0);
}

/** Longer than the header of any message that a program writes. */
export const HEAD_BYTES = 16 * 1024;

/** The Message-ID that a message submitted whole may contain. */
export function ownMessageId(mime: Buffer | null): string | null {
  if (mime === null) return null;
  const block = readHeaderBlock(mime.subarray(0, HEAD_BYTES));
  const field = block.ok ? block.fields.find(({ name }) => name === 'message-id') : undefined;
  return (field && fieldValue(field)) || null;
}
