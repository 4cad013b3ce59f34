/** Writes values in PostgreSQL's binary format to a buffer that grows. */

/** UTF-8 takes at most this for each unit of a text. */
const BYTES_PER_UNIT = 3;
/** Longer texts are measured first: room for their worst case would triple the memory of large content. */
const MEASURED_FROM_UNITS = 4_096;
const LENGTH_BYTES = 4;

export class BinaryWriter {
  #buffer: Buffer;
  #at = 0;

  constructor(expectedBytes: number) {
    this.#buffer = Buffer.allocUnsafe(expectedBytes);
  }

  get written(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }

  int8(value: number): void {
    this.#reserve(1);
    this.#at = this.#buffer.writeInt8(value, this.#at);
  }

  int16(value: number): void {
    this.#reserve(2);
    this.#at = this.#buffer.writeInt16BE(value, this.#at);
  }

  int32(value: number): void {
    this.#reserve(4);
    this.#at = this.#buffer.writeInt32BE(value, this.#at);
  }

  int64(value: number): void {
    this.#reserve(8);
    this.#at = this.#buffer.writeBigInt64BE(BigInt(value), this.#at);
  }

  text(value: string): void {
    const isLong = value.length >= MEASURED_FROM_UNITS;
    this.#reserve(isLong ? Buffer.byteLength(value) : value.length * BYTES_PER_UNIT);
    this.#at += this.#buffer.write(value, this.#at);
  }

  hex(value: string): void {
    this.#reserve(value.length / 2);
    this.#at += this.#buffer.write(value, this.#at, 'hex');
  }

  bytes(value: Buffer): void {
    this.#reserve(value.length);
    this.#at += value.copy(this.#buffer, this.#at);
  }

  /** An array of this many values without nulls: dimensions, no nulls, the type; then the length and the first index. */
  arrayHeader(elementOid: number, length: number): void {
    const dimensions = length === 0 ? [] : [length, 1];
    for (const value of [dimensions.length / 2, 0, elementOid, ...dimensions]) this.int32(value);
  }

  /** Leaves room for the length of what is written until `end`, which takes the returned place. */
  begin(): number {
    this.int32(0);
    return this.#at;
  }

  end(start: number): void {
    this.#buffer.writeInt32BE(this.#at - start, start - LENGTH_BYTES);
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, this.#at + bytes));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}
