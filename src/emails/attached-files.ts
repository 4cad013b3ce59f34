/** Attachments, from base64 to bytes. Twenty megabytes are decoded in turns, so that nobody waits for them. */

import { Problems } from '../kit/problems.ts';
import { Turns } from '../kit/runtime/turns.ts';
import type { Attachment } from './email.ts';
import type { SendBody } from './schema.ts';

export const NOT_BASE64 = 'must be base64';
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** A multiple of four: each piece is decoded by itself. */
const PIECE_CHARS = 256 * 1024;

type Given = NonNullable<SendBody['attachments']>[number];

export function isBase64(text: string): boolean {
  return BASE64.test(text);
}

export async function decodeFiles(given: readonly Given[] = []): Promise<Attachment[]> {
  const problems = new Problems();
  const turns = new Turns();
  const files: Attachment[] = [];
  for (const [index, { filename, content, content_type, content_id }] of given.entries()) {
    const bytes = await decodeInTurns(content, turns);
    if (bytes === null) problems.add(`attachments[${index}].content`, NOT_BASE64);
    else
      files.push({
        filename,
        contentType: content_type ?? 'application/octet-stream',
        contentId: content_id ?? null,
        content: bytes,
      });
  }
  if (problems.any) throw problems.toError({ ofRequestAlone: true });
  return files;
}

/** Null when it is not base64. */
async function decodeInTurns(content: string, turns: Turns): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  for (let from = 0; from < content.length; from += PIECE_CHARS) {
    if (turns.isOver) await turns.next();
    const piece = content.slice(from, from + PIECE_CHARS);
    const isLast = from + PIECE_CHARS >= content.length;
    if (!isBase64(piece) || (!isLast && piece.endsWith('='))) return null;
    pieces.push(Buffer.from(piece, 'base64'));
  }
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}
