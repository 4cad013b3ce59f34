/**
 * Arrays of long values in PostgreSQL's binary format. In the text format every quote is escaped here and parsed character by
 * character there, and every file is written as hex: many times the work, and twice the bytes.
 */

/** From pg_type; the same on every server. */
const BYTEA_OID = 17;
const TEXT_OID = 25;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

/** Null if all texts are: a column of nulls. */
export function textArray(texts: readonly (string | null)[]): Buffer | null {
  const sizes = texts.map((text) => (text === null ? NULL_LENGTH : Buffer.byteLength(text)));
  return binaryArray(TEXT_OID, sizes, (array, index, start) => array.write(texts[index] as string, start));
}

/** Null if the array is empty or all values are null. */
export function byteaArray(pieces: readonly (Buffer | null)[]): Buffer | null {
  const sizes = pieces.map((piece) => piece?.length ?? NULL_LENGTH);
  return binaryArray(BYTEA_OID, sizes, (array, index, start) => (pieces[index] as Buffer).copy(array, start));
}

function binaryArray(
  elementOid: number,
  sizes: readonly number[],
  write: (array: Buffer, index: number, start: number) => void,
): Buffer | null {
  const bytes = sizes.reduce((sum, size) => sum + LENGTH_BYTES + Math.max(0, size), HEADER_BYTES);
  const hasNull = sizes.includes(NULL_LENGTH);
  if (sizes.every((size) => size === NULL_LENGTH)) return null;
  const array = Buffer.allocUnsafe(bytes);
  let next = 0;
  const putInt = (value: number) => {
    next = array.writeInt32BE(value, next);
  };
  // One dimension; whether a value is null; the type; the number of values; the first index.
  for (const value of [1, hasNull ? 1 : 0, elementOid, sizes.length, 1]) putInt(value);
  for (const [index, size] of sizes.entries()) {
    putInt(size);
    if (size > 0) write(array, index, next);
    next += Math.max(0, size);
  }
  return array;
}
