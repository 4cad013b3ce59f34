/**
 * Reads large values piece by piece. The driver decodes a row's values synchronously, and bytes arrive as hex: 20 MB blocked
 * the event loop for a tenth of a second. A row with one piece takes one millisecond.
 */

/** Values up to this size may be read whole. */
export const PIECE_BYTES = 256 * 1024;

export interface ValuePiece {
  /** Counted from 1; null for an empty value. */
  readonly place: number | null;
  readonly piece: Buffer | null;
}

/**
 * For a FROM clause: the pieces of a preceding bytea. If it may be stored compressed, a subquery should decompress it once
 * (`value || ''::bytea … OFFSET 0`) instead of once per piece.
 */
export function joinPieces(value: string): string {
  return `LEFT JOIN LATERAL (
     SELECT place, substring(${value} FROM place FOR ${PIECE_BYTES}) AS piece
     FROM generate_series(1, length(${value}), ${PIECE_BYTES}) AS place
   ) AS pieces ON true`;
}

/** Joins the pieces of a value, in whatever order they arrived. */
export function joined(rows: readonly ValuePiece[]): Buffer {
  const inOrder = rows.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0));
  return Buffer.concat(inOrder.flatMap(({ piece }) => piece ?? []));
}
