/**
 * What links in a mail say about whom they were sent to, signed so that nobody can open or unsubscribe for others.
 * A token of one purpose is worthless for the others: the pixel of a forwarded mail unsubscribes nobody.
 *
 * - Open token, 56 characters of base64url: 13 bytes organization, 16 bytes email id, 1 byte position, then the first
 *   12 bytes of HMAC-SHA256 over them. Short, because it stands in every tracked mail and is checked for every pixel.
 * - Click token: the same 56 characters with a signature of its own, which is over the link's address, too, and behind them
 *   that address. So a link leads where it led when the mail was sent for as long as the key is kept, and nowhere else. On a
 *   customer's host the signature is over that name as well: nobody else's links lead anywhere under it.
 * - Unsubscribe token: organization, email id, the address itself and, behind a line end, the group, encrypted. Somebody who clicks in three years
 *   must be unsubscribed although retention has long removed the email, and an address must not stand in the logs of
 *   every proxy on the way. The first 16 bytes are an HMAC over the plain text, which is also the counter block of
 *   AES-256-CTR (the SIV construction): the same mail has the same token at every attempt, without a random nonce.
 */
import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid } from '../../runtime/ids.ts';
import type { EmailAddress } from './address.ts';
import { isWebAddress, MAX_WEB_ADDRESS_CHARS } from './links/web-address.ts';
import type { DeliveryRef } from './return-path.ts';
import { storedEmail } from './stored.ts';

/** A request not to be mailed any more, and the email that led to it. */
export interface UnsubscribeRef {
  readonly organizationId: string;
  readonly emailId: string;
  readonly address: EmailAddress;
  /** The group of mail to stop. */
  readonly group: string;
}

/** A link of a delivery, and its target. */
export interface ClickRef extends DeliveryRef {
  readonly url: string;
}

/** The group of mail that names none but can be unsubscribed from. Not written into tokens. */
export const DEFAULT_GROUP = 'default';
const GROUP_MARK = '\n';

const ORGANIZATION_ID = /^org_([0-9a-hjkmnp-tv-z]{13})$/;
const ORGANIZATION_BYTES = 13;
const EMAIL_BYTES = 16;
const OPEN_SIGNED_BYTES = ORGANIZATION_BYTES + EMAIL_BYTES + 1;
const OPEN_MAC_BYTES = 12;
const OPEN_TOKEN = /^[A-Za-z0-9_-]{56}$/;
const HEAD_BYTES = OPEN_SIGNED_BYTES + OPEN_MAC_BYTES;
const CLICK_TOKEN = new RegExp(
  `^[A-Za-z0-9_-]{67,${Math.ceil(((HEAD_BYTES + MAX_WEB_ADDRESS_CHARS) * 4) / 3)}}$`,
);
const SIV_BYTES = 16;
const MIN_UNSUBSCRIBE_BYTES = SIV_BYTES + ORGANIZATION_BYTES + EMAIL_BYTES + 1;
/** The longest address and the longest group in base64, with some margin. */
const UNSUBSCRIBE_TOKEN = /^[A-Za-z0-9_-]{62,1500}$/;
const MAX_POSITION = 49;

/** Separate these signatures from each other and from other uses of the key. */
const OPEN = 'open.1:';
const CLICK = 'click.1:';
const CLICK_AT = 'click.1@';
const HOST = 'host.1:';
const UNSUBSCRIBE = 'unsubscribe.1:';
const UNSUBSCRIBE_CIPHER = 'unsubscribe.1.cipher';

export function encodeOpenToken(ref: DeliveryRef, key: Buffer): string {
  const signed = deliveryBytes(ref);
  return Buffer.concat([signed, openMac(signed, key)]).toString('base64url');
}

/** Null unless this key made the token. */
export function decodeOpenToken(token: string, key: Buffer): DeliveryRef | null {
  if (!OPEN_TOKEN.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const signed = bytes.subarray(0, OPEN_SIGNED_BYTES);
  if (!timingSafeEqual(bytes.subarray(OPEN_SIGNED_BYTES), openMac(signed, key))) return null;
  return readDelivery(signed);
}

/**
 * Tokens for the links of one delivery, which share the common part. `host` is the customer's host of the
 * links, or null.
 */
export function clickTokens(
  ref: DeliveryRef,
  key: Buffer,
  host: string | null = null,
): (url: string) => string {
  const signed = deliveryBytes(ref);
  const purpose = clickPurpose(host);
  return (url) => {
    if (!isWebAddress(url)) throw new Error('Not an address that a link may lead to.');
    const bytes = Buffer.allocUnsafe(HEAD_BYTES + url.length);
    signed.copy(bytes);
    bytes.write(url, HEAD_BYTES, 'latin1');
    clickMac(purpose, signed, bytes.subarray(HEAD_BYTES), key).copy(bytes, OPEN_SIGNED_BYTES);
    return bytes.toString('base64url');
  };
}

/** Null unless this key made the token for this host. */
export function decodeClickToken(token: string, key: Buffer, host: string | null = null): ClickRef | null {
  if (!CLICK_TOKEN.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.toString('base64url') !== token) return null;
  const signed = bytes.subarray(0, OPEN_SIGNED_BYTES);
  const address = bytes.subarray(HEAD_BYTES);
  const mac = clickMac(clickPurpose(host), signed, address, key);
  if (!timingSafeEqual(bytes.subarray(OPEN_SIGNED_BYTES, HEAD_BYTES), mac)) return null;
  const { organizationId, emailId, position } = readDelivery(signed);
  return { organizationId, emailId, position, url: address.toString('latin1') };
}

export function encodeUnsubscribeToken(ref: UnsubscribeRef, key: Buffer): string {
  const group = ref.group === DEFAULT_GROUP ? '' : GROUP_MARK + ref.group;
  const plain = Buffer.concat([
    idBytes(ref.organizationId, ref.emailId),
    Buffer.from(ref.address + group, 'utf8'),
  ]);
  const siv = sivOf(plain, key);
  const cipher = createCipheriv('aes-256-ctr', cipherKey(key), siv);
  return Buffer.concat([siv, cipher.update(plain), cipher.final()]).toString('base64url');
}

/** Null unless this key made the token. */
export function decodeUnsubscribeToken(token: string, key: Buffer): UnsubscribeRef | null {
  if (!UNSUBSCRIBE_TOKEN.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  // The last character may contain bits that decoding ignores, so only the canonical spelling is accepted.
  if (bytes.length < MIN_UNSUBSCRIBE_BYTES || bytes.toString('base64url') !== token) return null;
  const siv = bytes.subarray(0, SIV_BYTES);
  const decipher = createDecipheriv('aes-256-ctr', cipherKey(key), siv);
  const plain = Buffer.concat([decipher.update(bytes.subarray(SIV_BYTES)), decipher.final()]);
  if (!timingSafeEqual(siv, sivOf(plain, key))) return null;
  const [address = '', group = DEFAULT_GROUP] = plain
    .toString('utf8', ORGANIZATION_BYTES + EMAIL_BYTES)
    .split(GROUP_MARK);
  return { ...readIds(plain), address: storedEmail(address), group };
}

/** The response under a host that points to this installation, which no other server can produce. */
export function hostProof(host: string, key: Buffer): string {
  const mac = createHmac('sha256', key).update(HOST).update(host).digest();
  return mac.toString('base64url', 0, OPEN_MAC_BYTES);
}

function deliveryBytes({ organizationId, emailId, position }: DeliveryRef): Buffer {
  if (!Number.isInteger(position) || position < 0 || position > MAX_POSITION) {
    throw new Error(`Not a recipient position: ${position}`);
  }
  return Buffer.concat([idBytes(organizationId, emailId), Buffer.of(position)]);
}

function readDelivery(signed: Buffer): DeliveryRef {
  return { ...readIds(signed), position: signed[OPEN_SIGNED_BYTES - 1] as number };
}

function idBytes(organizationId: string, emailId: string): Buffer {
  const organization = ORGANIZATION_ID.exec(organizationId)?.[1];
  if (organization === undefined) throw new Error(`Not an organization id: ${organizationId}`);
  if (!isUuid(emailId)) throw new Error(`Not an email id: ${emailId}`);
  return Buffer.concat([
    Buffer.from(organization, 'latin1'),
    Buffer.from(emailId.replaceAll('-', ''), 'hex'),
  ]);
}

function readIds(bytes: Buffer): { organizationId: string; emailId: string } {
  const hex = bytes.toString('hex', ORGANIZATION_BYTES, ORGANIZATION_BYTES + EMAIL_BYTES);
  return {
    organizationId: `org_${bytes.toString('latin1', 0, ORGANIZATION_BYTES)}`,
    emailId: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`,
  };
}

function openMac(signed: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(OPEN).update(signed).digest().subarray(0, OPEN_MAC_BYTES);
}

function clickMac(purpose: string, signed: Buffer, address: Buffer, key: Buffer): Buffer {
  const mac = createHmac('sha256', key).update(purpose).update(signed).update(address);
  return mac.digest().subarray(0, OPEN_MAC_BYTES);
}

/** Host names contain no colon, so no purpose is a prefix of another. */
function clickPurpose(host: string | null): string {
  return host === null ? CLICK : `${CLICK_AT}${host}:`;
}

function sivOf(plain: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(UNSUBSCRIBE).update(plain).digest().subarray(0, SIV_BYTES);
}

function cipherKey(key: Buffer): Buffer {
  return createHmac('sha256', key).update(UNSUBSCRIBE_CIPHER).digest();
}
