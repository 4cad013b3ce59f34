/**
 * Large values, read piece by piece. The driver makes values of a row at one go, and bytes arrive as hex: 20 MB held the event loop
 * for a tenth of a second. A row with one piece takes it a millisecond.
 */

/** Values up to here may be read whole. */
export const PIECE_BYTES = 256 * 1024;

export interface ValuePiece {
  /** From 1 on; null for a value that is empty. */
  readonly place: number | null;
  readonly piece: Buffer | null;
}

/**
 * For a FROM clause: the pieces of a bytea of what stands before it. Where that may be stored compressed, it should come from a
 * subquery that unpacks it once (`value || ''::bytea … OFFSET 0`), and not for every piece.
 */
export function joinPieces(value: string): string {
  return `LEFT JOIN LATERAL (
     SELECT place, substring(${value} FROM place FOR ${PIECE_BYTES}) AS piece
     FROM generate_series(1, length(${value}), ${PIECE_BYTES}) AS place
   ) AS pieces ON true`;
}

/** The value whose pieces these are, in whatever order they came. */
export function joined(rows: readonly ValuePiece[]): Buffer {
  const inOrder = rows.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0));
  return Buffer.concat(inOrder.flatMap(({ piece }) => piece ?? []));
}
