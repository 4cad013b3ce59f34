/**
 * Rows as one parameter: an array of a composite type of ours (CREATE TYPE), in PostgreSQL's binary format. A function that takes
 * rows has a parameter for each kind of row instead of one for each column, which PostgreSQL also reads faster.
 *
 * The format names the number of every type. Built-in types have the same number in every database. Types of ours do not, but
 * PostgreSQL (14 and newer) compares numbers of built-in types only: for other types it takes the type of the parameter.
 */
import { BINARY_TYPES, type BinaryType } from './binary-types.ts';

/** The attributes of a composite type, in the order of its definition. */
export type RowType = Readonly<Record<string, BinaryTypeName>>;

type BinaryTypeName = keyof typeof BINARY_TYPES;

/** A row: for each attribute a value that its type takes, or null. */
export type RowOf<Type extends RowType> = {
  readonly [Name in keyof Type]: Parameters<(typeof BINARY_TYPES)[Type[Name]]['size']>[0] | null;
};

/** Any number outside the range of built-in types. */
const TYPE_OF_OURS = 0x7fff_ffff;
const ARRAY_HEADER_BYTES = 20;
const EMPTY_ARRAY_BYTES = 12;
const NULL_LENGTH = -1;

export function binaryRows<Type extends RowType>(type: Type, rows: readonly RowOf<Type>[]): Buffer {
  const columns = Object.entries(type).map(([name, of]) => ({ name, of: BINARY_TYPES[of] as BinaryType }));
  const sizes = rows.map((row) =>
    columns.map(({ name, of }) => {
      const value = row[name] as unknown;
      return value === null ? NULL_LENGTH : of.size(value as never);
    }),
  );
  const array = Buffer.allocUnsafe(
    rows.length === 0
      ? EMPTY_ARRAY_BYTES
      : sizes.reduce((sum, row) => sum + 4 + rowBytes(row), ARRAY_HEADER_BYTES),
  );
  let at = 0;
  const putInt = (value: number) => {
    at = array.writeInt32BE(value, at);
  };
  // Dimensions, whether a row is null, the type of the rows; then the number of rows and the first index.
  for (const value of [rows.length === 0 ? 0 : 1, 0, TYPE_OF_OURS]) putInt(value);
  if (rows.length > 0) for (const value of [rows.length, 1]) putInt(value);
  for (const [index, row] of rows.entries()) {
    const sizesOfRow = sizes[index] as number[];
    putInt(rowBytes(sizesOfRow));
    putInt(columns.length);
    for (const [column, { name, of }] of columns.entries()) {
      const size = sizesOfRow[column] as number;
      putInt(of.oid);
      putInt(size);
      if (size === NULL_LENGTH) continue;
      of.write(row[name] as never, array, at);
      at += size;
    }
  }
  return array;
}

/** The number of columns; for each its type and its length, and the value. */
function rowBytes(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + 8 + Math.max(0, size), 4);
}
