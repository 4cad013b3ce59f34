/** Time-based one-time passwords (RFC 6238) as authenticator apps compute them: SHA-1, 30 seconds, six digits. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_SECONDS = 30;
const DIGITS = 6;
/** Accepts one step earlier or later, for clock drift and typing time. */
const DRIFT_STEPS = 1;
/** 160 bits, as long as the hash (RFC 4226, section 4). */
const SECRET_BYTES = 20;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** The step of this code, or null when no currently valid step has the code. */
export function matchingStep(secret: Buffer, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const now = Math.floor(nowMs / 1000 / STEP_SECONDS);
  let found: number | null = null;
  for (let step = now - DRIFT_STEPS; step <= now + DRIFT_STEPS; step += 1) {
    if (timingSafeEqual(Buffer.from(codeOfStep(secret, step)), Buffer.from(code))) found = step;
  }
  return found;
}

export function codeAt(secret: Buffer, atMs: number): string {
  return codeOfStep(secret, Math.floor(atMs / 1000 / STEP_SECONDS));
}

function codeOfStep(secret: Buffer, step: number): string {
  return hotp(secret, step, DIGITS);
}

/** RFC 4226, section 5.3. */
export function hotp(secret: Buffer, counter: number, digits: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac('sha1', secret).update(message).digest();
  const offset = (mac[mac.length - 1] as number) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** Base32 for authenticator apps, without padding, which some apps reject. */
export function base32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  let text = '';
  for (let at = 0; at < bits.length; at += 5) {
    text += BASE32[Number.parseInt(bits.slice(at, at + 5).padEnd(5, '0'), 2)];
  }
  return text;
}

export function otpauthUri(secret: Buffer, email: string): string {
  const label = `${ISSUER}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${ISSUER}`;
}

const ISSUER = 'Postrider';
