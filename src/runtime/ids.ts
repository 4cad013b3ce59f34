/**
 * Identifiers.
 *
 * Emails and events are UUIDv7: the first 48 bits are milliseconds, so ids sort by time and a range of ids is
 * a range of time (which is what the big tables are partitioned on). Everything else is a short prefixed
 * random string (`dom_…`, `key_…`) that says what it names.
 */
import { randomBytes } from 'node:crypto';

/** Lower-case Crockford base32: no i, l, o, u, so an id can be read out loud. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_ID_CHARS = 20; // 100 bits
/** 64 bits: short enough to travel inside a return path, see protocols/message/return-path.ts. */
const ORGANIZATION_ID_CHARS = 13;

/** Random bytes come cheaper by the thousand; each byte is used once. */
const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);
let poolUsed = 0;
/** The same, written out: for UUIDs. */
let digits = '';
let digitsUsed = 0;

const MAX_SEQUENCE = 0xfff;

let series = createUuidv7();

/** A UUIDv7 that is larger than every one this process made before, also within one millisecond. */
export function uuidv7(nowMs: number): string {
  return series(nowMs);
}

/** For tests, which live in other times one after the other: what one made does not push the next one's ahead. */
export function resetUuids(): void {
  series = createUuidv7();
}

/** A series of its own, for what must not push others' ahead when clocks differ. */
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

/** The smallest UUID a UUIDv7 of this millisecond can be: a bound for ranges of time. */
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

export type IdPrefix =
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
  | 'rte';

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomChars(prefix === 'org' ? ORGANIZATION_ID_CHARS : RANDOM_ID_CHARS)}`;
}

function randomChars(length: number): string {
  const bytes = takeRandom(length);
  let out = '';
  for (const byte of bytes) out += ALPHABET[byte & 31];
  return out;
}

/** The digit of a UUID whose upper two bits are fixed. */
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
