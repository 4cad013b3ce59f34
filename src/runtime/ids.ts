/**
 * Identifiers.
 *
 * Emails and events have a UUIDv7: its first 48 bits are milliseconds, so ids sort by time and a range of ids
 * is a range of time (the partition key of the large tables). Other ids are short prefixed random strings
 * (`dom_…`, `key_…`); the prefix names the type.
 */
import { randomBytes } from 'node:crypto';

/** Lower-case Crockford base32, without i, l, o and u, so that an id can be read aloud. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_ID_CHARS = 20; // 100 bits
/** 64 bits: short enough for a return path, see protocols/message/return-path.ts. */
const ORGANIZATION_ID_CHARS = 13;

/** Random bytes are fetched in blocks, which is cheaper; each byte is used once. */
const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);
let poolUsed = 0;
/** The same bytes in hexadecimal, for UUIDs. */
let digits = '';
let digitsUsed = 0;

const MAX_SEQUENCE = 0xfff;

let series = createUuidv7();

/** A UUIDv7 that is larger than all earlier ones of this process, also within one millisecond. */
export function uuidv7(nowMs: number): string {
  return series(nowMs);
}

/** For tests, which run at different times: ids of one test must not push those of the next ahead. */
export function resetUuids(): void {
  series = createUuidv7();
}

/** An independent series of ids, for clocks that differ from the system clock. */
export function createUuidv7(): (nowMs: number) => string {
  let lastMs = 0;
  let sequence = 0;
  return (nowMs) => {
    if (nowMs > lastMs) {
      lastMs = nowMs;
      sequence = takeRandom(1)[0] as number;
    } else {
      sequence += 1;
      if (sequence > MAX_SEQUENCE) {
        lastMs += 1;
        sequence = 0;
      }
    }
    const time = lastMs.toString(16).padStart(12, '0');
    const seq = sequence.toString(16).padStart(3, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${seq}-${takeVariant()}${takeDigits(3)}-${takeDigits(12)}`;
  };
}

/** The smallest UUIDv7 of this millisecond, used as a bound for time ranges. */
export function uuidv7Floor(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

export function uuidv7Ms(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

type IdPrefix =
  | 'org'
  | 'key'
  | 'dom'
  | 'sup'
  | 'imp'
  | 'tmpl'
  | 'batch'
  | 'whk'
  | 'req'
  | 'usr'
  | 'inv'
  | 'hold'
  | 'undo'
  | 'move'
  | 'rte'
  | 'view';

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomChars(prefix === 'org' ? ORGANIZATION_ID_CHARS : RANDOM_ID_CHARS)}`;
}

function randomChars(length: number): string {
  const bytes = takeRandom(length);
  let out = '';
  for (const byte of bytes) out += ALPHABET[byte & 31];
  return out;
}

/** The UUID digit whose upper two bits are fixed. */
function takeVariant(): string {
  return '89ab'.charAt(Number.parseInt(takeDigits(1), 16) & 3);
}

function takeDigits(length: number): string {
  if (digitsUsed + length > digits.length) {
    digits = randomBytes(POOL_BYTES).toString('hex');
    digitsUsed = 0;
  }
  digitsUsed += length;
  return digits.slice(digitsUsed - length, digitsUsed);
}

function takeRandom(length: number): Buffer {
  if (poolUsed + length > pool.length) {
    pool = randomBytes(POOL_BYTES);
    poolUsed = 0;
  }
  poolUsed += length;
  return pool.subarray(poolUsed - length, poolUsed);
}
