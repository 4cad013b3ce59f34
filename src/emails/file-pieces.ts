/** Reads attached files from the database in pieces, each with the metadata of its file. */
import { joined, joinPieces, type ValuePiece } from '../database/value-pieces.ts';
import type { Attachment } from '../protocols/message/mime.ts';

export interface FilePiece extends ValuePiece {
  readonly position: number;
  readonly filename: string;
  readonly content_type: string;
  readonly content_id: string | null;
}

/** Selects the pieces of the files that fulfil a condition, skipping the first `offset`. */
export function selectFilePieces(table: string, where: string, offset = '0'): string {
  return `SELECT f.position, f.filename, f.content_type, f.content_id, pieces.place, pieces.piece
   FROM (SELECT position, filename, content_type, content_id, content || ''::bytea AS content FROM ${table}
         WHERE ${where} OFFSET ${offset}) AS f
   ${joinPieces('f.content')}`;
}

/** Joins pieces to files, ordered by position. */
export function filesFromPieces(rows: readonly FilePiece[]): Attachment[] {
  const byPosition = new Map<number, FilePiece[]>();
  for (const row of rows) {
    const pieces = byPosition.get(row.position);
    if (pieces === undefined) byPosition.set(row.position, [row]);
    else pieces.push(row);
  }
  return [...byPosition.values()]
    .toSorted(([a], [b]) => (a as FilePiece).position - (b as FilePiece).position)
    .map((pieces) => fileOf(pieces[0] as FilePiece, joined(pieces)));
}

function fileOf({ filename, content_type, content_id }: FilePiece, content: Buffer): Attachment {
  return { filename, contentType: content_type, contentId: content_id, content };
}
