/**
 * The envelope sender of one delivery, `b+<token>@host`: a bounce comes back to an address that says which
 * recipient of which email it is about, and is signed so that nobody else can make us suppress an address.
 *
 * The token is 59 characters of lower-case Crockford base32, which makes a local part of 61 octets (64 are allowed):
 *   13  organization id without its prefix, as it is
 *   27  email id (128 bits), position (6 bits), one zero bit
 *    3  the last day it is good for, counted from 1970 (enough until 2059)
 *   16  the first 80 bits of HMAC-SHA256 over the 43 characters before
 * Local parts may change case on their way through other people's systems, so decoding ignores it.
 *
 * The day cannot come from the time inside the email id: scheduled mail is sent up to ten years later.
 *
 * The same token stands in the header X-Postrider-Ref, because complaints mostly come without envelope and with the
 * recipient blacked out. `readReference` reads it there.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { DAY_MS } from '../../runtime/durations.ts';
import { isUuid } from '../../runtime/ids.ts';

/**
 * The header of outgoing mail with the token of its return path. Complaints arrive at one address for all
 * mail and often hide the recipient; the included message still has this header.
 */
export const REFERENCE_HEADER = 'X-Postrider-Ref';

export type DeliveryRef = {
  readonly organizationId: string;
  /** The email's UUID. */
  readonly emailId: string;
  /** The recipient's index in the email, 0 to 49. */
  readonly position: number;
};

type SignedRef = DeliveryRef & {
  /** The end of the last day on which the token is valid. */
  readonly validUntilMs: number;
};

/** Mail servers give up after five days; the rest is for later reports. */
const BOUNCES_FOR_MS = 30 * DAY_MS;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const PREFIX = 'b+';
const ORGANIZATION_ID = /^org_([0-9a-hjkmnp-tv-z]{13})$/;
const ORGANIZATION_CHARS = 13;
const DELIVERY_CHARS = 27;
const DAY_CHARS = 3;
const DAYS = 32 ** DAY_CHARS;
const SIGNED_CHARS = ORGANIZATION_CHARS + DELIVERY_CHARS + DAY_CHARS;
const SIGNATURE_CHARS = 16;
const SIGNATURE_BYTES = 10;
const TOKEN_CHARS = SIGNED_CHARS + SIGNATURE_CHARS;
const TOKEN = new RegExp(`^[${ALPHABET}]{${TOKEN_CHARS}}$`);
const MAX_POSITION = 49;
/** Separates these signatures from other uses of the key. */
const PURPOSE = 'return-path.2:';

/** `lastAttemptMs`: when the delivery expires. It must be the same at every attempt. */
export function encodeReference(ref: DeliveryRef, key: Buffer, lastAttemptMs: number): string {
  const organization = ORGANIZATION_ID.exec(ref.organizationId)?.[1];
  if (organization === undefined) throw new Error(`Not an organization id: ${ref.organizationId}`);
  if (!isUuid(ref.emailId)) throw new Error(`Not an email id: ${ref.emailId}`);
  if (!Number.isInteger(ref.position) || ref.position < 0 || ref.position > MAX_POSITION) {
    throw new Error(`Not a recipient position: ${ref.position}`);
  }
  const delivery = Buffer.from(
    `${ref.emailId.replaceAll('-', '')}${(ref.position << 2).toString(16).padStart(2, '0')}`,
    'hex',
  );
  const signed = organization + base32(delivery, DELIVERY_CHARS) + dayText(lastAttemptMs + BOUNCES_FOR_MS);
  return signed + sign(signed, key);
}

/** The envelope sender with this reference. */
export function returnPathOf(reference: string, host: string): string {
  return `${PREFIX}${reference}@${host}`;
}

/** Null unless this key made exactly this address for this host. Expiry is not checked. */
export function decodeReturnPath(address: string, key: Buffer, host: string): SignedRef | null {
  const at = address.length - host.length - 1;
  if (at !== PREFIX.length + TOKEN_CHARS) return null;
  const lower = address.toLowerCase();
  if (!lower.startsWith(PREFIX) || lower.slice(at) !== `@${host.toLowerCase()}`) return null;
  return decodeToken(lower.slice(PREFIX.length, at), key);
}

/** Finds our reference, or a return path of ours on any host, in the text of an included message. */
export function readReference(text: string, key: Buffer): SignedRef | null {
  const lower = text.trim().toLowerCase();
  const found = FOUND.exec(lower);
  return found === null ? null : decodeToken(found[1] as string, key);
}

const FOUND = new RegExp(`^(?:<?b\\+)?([${ALPHABET}]{${TOKEN_CHARS}})(?:@[a-z0-9.-]{1,255}>?)?$`);

function decodeToken(token: string, key: Buffer): SignedRef | null {
  if (!TOKEN.test(token)) return null;
  const signed = token.slice(0, SIGNED_CHARS);
  if (!sameText(token.slice(SIGNED_CHARS), sign(signed, key))) return null;
  return readSigned(signed);
}

function readSigned(signed: string): SignedRef | null {
  const delivery = fromBase32(signed.slice(ORGANIZATION_CHARS, ORGANIZATION_CHARS + DELIVERY_CHARS));
  const hex = delivery.toString('hex', 0, 16);
  const position = (delivery[16] as number) >> 2;
  if (position > MAX_POSITION) return null;
  return {
    organizationId: `org_${signed.slice(0, ORGANIZATION_CHARS)}`,
    emailId: [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
      '-',
    ),
    position,
    validUntilMs: (dayOf(signed.slice(-DAY_CHARS)) + 1) * DAY_MS,
  };
}

function dayText(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  if (!(day >= 0 && day < DAYS)) throw new Error(`Not a day that a return path can name: ${ms}`);
  let text = '';
  for (let rest = day; text.length < DAY_CHARS; rest = Math.floor(rest / 32))
    text = ALPHABET[rest % 32] + text;
  return text;
}

function dayOf(text: string): number {
  let day = 0;
  for (const char of text) day = day * 32 + ALPHABET.indexOf(char);
  return day;
}

function sign(signed: string, key: Buffer): string {
  const mac = createHmac('sha256', key).update(PURPOSE).update(signed).digest();
  return base32(mac.subarray(0, SIGNATURE_BYTES), SIGNATURE_CHARS);
}

function sameText(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'));
}

/** The first `chars` groups of five bits, most significant first. */
function base32(bytes: Buffer, chars: number): string {
  let out = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5 && out.length < chars) {
      bits -= 5;
      out += ALPHABET[(held >> bits) & 31];
    }
  }
  return out;
}

/** Fills the last, incomplete byte with zero bits. */
function fromBase32(text: string): Buffer {
  const out = Buffer.alloc(Math.ceil((text.length * 5) / 8));
  let pos = 0;
  let bits = 0;
  let held = 0;
  for (const char of text) {
    held = ((held << 5) | ALPHABET.indexOf(char)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      out[pos++] = (held >> bits) & 0xff;
    }
  }
  if (bits > 0) out[pos] = (held << (8 - bits)) & 0xff;
  return out;
}
