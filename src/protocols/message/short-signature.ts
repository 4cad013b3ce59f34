/** A signature short enough for a local part: 80 bits, as 16 characters of Crockford base32. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const SIGNATURE_BYTES = 10;
const SIGNATURE_CHARS = 16;

/** `purpose` separates these signatures from other uses of the key. */
export function shortSignature(purpose: string, signed: string, key: Buffer): string {
  const mac = createHmac('sha256', key).update(purpose).update(signed).digest();
  let bits = BigInt(`0x${mac.toString('hex', 0, SIGNATURE_BYTES)}`);
  let text = '';
  for (; text.length < SIGNATURE_CHARS; bits >>= 5n) text = ALPHABET[Number(bits & 31n)] + text;
  return text;
}

export function isShortSignature(given: string, purpose: string, signed: string, key: Buffer): boolean {
  const expected = Buffer.from(shortSignature(purpose, signed, key), 'latin1');
  const bytes = Buffer.from(given, 'latin1');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
