/** Built-in types of PostgreSQL in binary format. The numbers are those of pg_type, the same on every server. */

export interface BinaryType<Value = never> {
  readonly oid: number;
  /** In bytes. */
  size(value: Value): number;
  write(value: Value, to: Buffer, at: number): void;
}

const JSONB_VERSION = 1;
/** 2000-01-01, from which PostgreSQL counts microseconds. */
const EPOCH_MS = 946_684_800_000;
const ARRAY_HEADER_BYTES = 20;
const EMPTY_ARRAY_BYTES = 12;
const INTEGER_OID = 23;

const text: BinaryType<string> = {
  oid: 25,
  size: (value) => Buffer.byteLength(value),
  write: (value, to, at) => void to.write(value, at),
};

/** The value is JSON text. */
const jsonb: BinaryType<string> = {
  oid: 3802,
  size: (value) => 1 + Buffer.byteLength(value),
  write: (value, to, at) => void to.write(value, to.writeInt8(JSONB_VERSION, at)),
};

const bytea: BinaryType<Buffer> = {
  oid: 17,
  size: (value) => value.length,
  write: (value, to, at) => void value.copy(to, at),
};

const uuid: BinaryType<string> = {
  oid: 2950,
  size: () => 16,
  write: (value, to, at) => void to.write(value.replaceAll('-', ''), at, 'hex'),
};

const boolean: BinaryType<boolean> = {
  oid: 16,
  size: () => 1,
  write: (value, to, at) => void to.writeInt8(value ? 1 : 0, at),
};

const smallint: BinaryType<number> = {
  oid: 21,
  size: () => 2,
  write: (value, to, at) => void to.writeInt16BE(value, at),
};

const integer: BinaryType<number> = {
  oid: INTEGER_OID,
  size: () => 4,
  write: (value, to, at) => void to.writeInt32BE(value, at),
};

/** The value is in milliseconds since 1970. */
const timestamptz: BinaryType<number> = {
  oid: 1184,
  size: () => 8,
  write: (value, to, at) => void to.writeBigInt64BE(BigInt(Math.round((value - EPOCH_MS) * 1_000)), at),
};

const integers: BinaryType<readonly number[]> = {
  oid: 1007,
  size: ({ length }) => (length === 0 ? EMPTY_ARRAY_BYTES : ARRAY_HEADER_BYTES + 8 * length),
  write: (value, to, at) => {
    let next = at;
    const putInt = (int: number) => {
      next = to.writeInt32BE(int, next);
    };
    for (const int of [value.length === 0 ? 0 : 1, 0, INTEGER_OID]) putInt(int);
    if (value.length > 0) for (const int of [value.length, 1]) putInt(int);
    for (const int of value) for (const part of [4, int]) putInt(part);
  },
};

export const BINARY_TYPES = {
  text,
  jsonb,
  bytea,
  uuid,
  boolean,
  smallint,
  integer,
  timestamptz,
  'integer[]': integers,
} as const;
