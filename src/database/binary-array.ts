/** Arrays of files in PostgreSQL's binary format. In the text format every file is written as hex: more work, and twice the bytes. */

/** From pg_type; the same on every server. */
const BYTEA_OID = 17;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

/** Null if the array is empty or all values are null. */
export function byteaArray(pieces: readonly (Buffer | null)[]): Buffer | null {
  if (pieces.every((piece) => piece === null)) return null;
  const hasNull = pieces.includes(null);
  const bytes = pieces.reduce((sum, piece) => sum + LENGTH_BYTES + (piece?.length ?? 0), HEADER_BYTES);
  const array = Buffer.allocUnsafe(bytes);
  let next = 0;
  const putInt = (value: number) => {
    next = array.writeInt32BE(value, next);
  };
  // One dimension; whether a value is null; the type; the number of values; the first index.
  for (const value of [1, hasNull ? 1 : 0, BYTEA_OID, pieces.length, 1]) putInt(value);
  for (const piece of pieces) {
    putInt(piece?.length ?? NULL_LENGTH);
    if (piece !== null) next += piece.copy(array, next);
  }
  return array;
}
