/** Submitted messages that are too large for one row: statements read smaller ones with `MIME_COLUMNS`. */

import { type Sql, sql } from '../database/sql.ts';
import { joined, joinPieces, PIECE_BYTES, type ValuePiece } from '../database/value-pieces.ts';

/** Columns of a statement about `email_contents c`: `mime`, null if it is large, and `has_large_mime`. */
export const MIME_COLUMNS = `CASE WHEN octet_length(c.mime) <= ${PIECE_BYTES} THEN c.mime END AS mime,
          octet_length(c.mime) > ${PIECE_BYTES} AS has_large_mime`;

const selectMime = sql<ValuePiece>(
  'email_contents.mime',
  `SELECT pieces.place, pieces.piece
   FROM (SELECT mime || ''::bytea AS mime FROM email_contents WHERE organization_id = $1 AND email_id = $2 OFFSET 0) AS c
   ${joinPieces('c.mime')}`,
  { home: 'cell', organization: '$1' },
);

/** Null if the message was removed. */
export async function readLargeMime(
  db: Sql,
  organizationId: string,
  emailId: string,
): Promise<Buffer | null> {
  const mime = joined(await db.many(selectMime, [organizationId, emailId]));
  return mime.length === 0 ? null : mime;
}
