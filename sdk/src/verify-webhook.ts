/** Verifies webhooks according to Standard Webhooks 1.0, with WebCrypto only. */
import type { WebhookEvent } from './webhook-event.ts';

const DEFAULT_TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';

/** Node's types and the browser's have different names for it. */
type Subtle = (typeof globalThis.crypto)['subtle'];

export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Maximum difference between the time of the call and now in seconds. The default is 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Current time in milliseconds. The default is the clock of the machine. */
  readonly now?: number | undefined;
  /** `webcrypto.subtle` of `node:crypto`, for Node 18, which has no global `crypto`. */
  readonly subtle?: Subtle | undefined;
}

export type WebhookProblem =
  | 'missing_header'
  | 'invalid_timestamp'
  | 'too_old'
  | 'too_new'
  | 'invalid_secret'
  | 'wrong_signature'
  | 'invalid_payload';

export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookProblem;

  constructor(reason: WebhookProblem, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Returns the event if Postrider sent the call recently and nobody changed it. Otherwise throws a
 * `WebhookVerificationError`.
 * @param payload the raw body, before it is parsed
 * @param secret the secret, or several during a rotation: one match is enough
 */
export async function verifyWebhook(
  payload: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = signaturesIn(header(headers, 'webhook-signature'));
  checkAge(timestamp, options);
  const body = typeof payload === 'string' ? new TextEncoder().encode(payload) : new Uint8Array(payload);
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const subtle = options.subtle ?? globalSubtle();
  for (const one of [secret].flat()) if (await fits(subtle, one, signatures, signed)) return parsed(body);
  throw new WebhookVerificationError(
    'wrong_signature',
    'No signature fits: not from us, changed, or another secret.',
  );
}

function header(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : namedValue(headers, name);
  if (!value) throw new WebhookVerificationError('missing_header', `The header ${name} is missing.`);
  return value;
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

/** Node has the names in lower case; some gateways keep the original case. */
function namedValue(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): string | undefined {
  const key = Object.keys(headers).find((one) => one.toLowerCase() === name);
  return key === undefined ? undefined : [headers[key] ?? []].flat().join(' ');
}

/** `v1,<base64>`, or several separated by spaces. Unknown versions are ignored. */
function signaturesIn(header: string): Uint8Array<ArrayBuffer>[] {
  return header.split(' ').flatMap((one) => {
    const bytes = one.startsWith('v1,') ? fromBase64(one.slice(3)) : undefined;
    return bytes === undefined ? [] : [bytes];
  });
}

function checkAge(
  timestamp: string,
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions,
) {
  if (!/^\d{1,15}$/.test(timestamp))
    throw new WebhookVerificationError(
      'invalid_timestamp',
      'The time of sending is not a number of seconds.',
    );
  const age = now / 1000 - Number(timestamp);
  if (age > toleranceSeconds)
    throw new WebhookVerificationError('too_old', `It was sent ${Math.round(age)} seconds ago.`);
  if (age < -toleranceSeconds)
    throw new WebhookVerificationError('too_new', `It was sent ${Math.round(-age)} seconds from now.`);
}

function globalSubtle(): Subtle {
  const subtle = globalThis.crypto?.subtle;
  if (subtle === undefined)
    throw new TypeError('There is no global crypto here. Pass { subtle: webcrypto.subtle } of node:crypto.');
  return subtle;
}

/** WebCrypto compares in constant time. */
async function fits(
  subtle: Subtle,
  secret: string,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const raw = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (raw === undefined || raw.length === 0)
    throw new WebhookVerificationError('invalid_secret', 'The secret is not one: it starts with whsec_.');
  const key = await subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const signature of signatures) if (await subtle.verify('HMAC', key, signature, signed)) return true;
  return false;
}

function parsed(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('invalid_payload', 'It is signed, but not JSON.');
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
