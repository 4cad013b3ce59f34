/** Built-in types of PostgreSQL in binary format. The numbers are those of pg_type, the same on every server. */
import type { BinaryWriter } from './binary-writer.ts';

export interface BinaryType<Value = never> {
  readonly oid: number;
  write(value: Value, to: BinaryWriter): void;
}

const JSONB_VERSION = 1;
/** 2000-01-01, from which PostgreSQL counts microseconds. */
const EPOCH_MS = 946_684_800_000;
const INTEGER_OID = 23;
const INTEGER_BYTES = 4;

const text: BinaryType<string> = { oid: 25, write: (value, to) => to.text(value) };

/** The value is JSON text. */
const jsonb: BinaryType<string> = {
  oid: 3802,
  write: (value, to) => {
    to.int8(JSONB_VERSION);
    to.text(value);
  },
};

const bytea: BinaryType<Buffer> = { oid: 17, write: (value, to) => to.bytes(value) };

const uuid: BinaryType<string> = { oid: 2950, write: (value, to) => to.hex(value.replaceAll('-', '')) };

const boolean: BinaryType<boolean> = { oid: 16, write: (value, to) => to.int8(value ? 1 : 0) };

const smallint: BinaryType<number> = { oid: 21, write: (value, to) => to.int16(value) };

const integer: BinaryType<number> = { oid: INTEGER_OID, write: (value, to) => to.int32(value) };

/** The value is in milliseconds since 1970. */
const timestamptz: BinaryType<number> = {
  oid: 1184,
  write: (value, to) => to.int64(Math.round((value - EPOCH_MS) * 1_000)),
};

const integers: BinaryType<readonly number[]> = {
  oid: 1007,
  write: (values, to) => {
    to.arrayHeader(INTEGER_OID, values.length);
    for (const value of values) {
      to.int32(INTEGER_BYTES);
      to.int32(value);
    }
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
