/**
 * Rows as one parameter: an array of a composite type of ours (CREATE TYPE), in PostgreSQL's binary format. A function that takes
 * rows has a parameter for each kind of row instead of one for each column, which PostgreSQL also reads faster.
 *
 * The format names the number of every type. Built-in types have the same number in every database. Types of ours do not, but
 * PostgreSQL (14 and newer) compares numbers of built-in types only: for other types it takes the type of the parameter.
 */
import { BINARY_TYPES, type BinaryType } from './binary-types.ts';
import { BinaryWriter } from './binary-writer.ts';

/** The attributes of a composite type, in the order of its definition. */
type RowType = Readonly<Record<string, BinaryTypeName>>;

type BinaryTypeName = keyof typeof BINARY_TYPES;

/** A row: for each attribute a value that its type takes, or null. */
export type RowOf<Type extends RowType> = {
  readonly [Name in keyof Type]: Parameters<(typeof BINARY_TYPES)[Type[Name]]['write']>[0] | null;
};

/** Any number outside the range of built-in types. */
const TYPE_OF_OURS = 0x7fff_ffff;
const NULL_LENGTH = -1;
const EXPECTED_ROW_BYTES = 1_024;

export function binaryRows<Type extends RowType>(type: Type, rows: readonly RowOf<Type>[]): Buffer {
  const columns = Object.entries(type).map(([name, of]) => ({ name, of: BINARY_TYPES[of] as BinaryType }));
  const to = new BinaryWriter(EXPECTED_ROW_BYTES * (rows.length + 1));
  to.arrayHeader(TYPE_OF_OURS, rows.length);
  for (const row of rows) {
    const start = to.begin();
    to.int32(columns.length);
    for (const { name, of } of columns) writeValue(to, of, row[name]);
    to.end(start);
  }
  return to.written;
}

function writeValue(to: BinaryWriter, { oid, write }: BinaryType, value: unknown): void {
  to.int32(oid);
  if (value === null) {
    to.int32(NULL_LENGTH);
    return;
  }
  const start = to.begin();
  write(value as never, to);
  to.end(start);
}
