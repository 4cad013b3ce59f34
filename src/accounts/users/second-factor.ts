/**
 * The second factor: set up with a secret, confirmed with a code, then required at sign-in as a code or a recovery
 * code.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { KeyRing } from '../../runtime/key-ring.ts';
import { SealedBox } from '../../runtime/sealed-box.ts';
import { hashToken } from '../../runtime/tokens.ts';
import {
  beginTotp,
  consumeRecoveryCode,
  consumeTotpStep,
  disableTotp,
  enableTotp,
  type UserRow,
} from './store.ts';

const RECOVERY_CODES = 10;
/** 80 bits cannot be guessed, so a plain hash is enough at rest. */
const RECOVERY_CHARS = 16;
/** Without letters that are easily confused. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export function totpSecretBox(ring: KeyRing): SealedBox {
  return new SealedBox(ring, 'totp-secrets', 'second factor');
}

interface SecondFactorDeps {
  readonly db: Sql;
  readonly clock: Clock;
  readonly secrets: SealedBox;
}

export class SecondFactor {
  readonly #deps: SecondFactorDeps;

  constructor(deps: SecondFactorDeps) {
    this.#deps = deps;
  }

  /** Null when the second factor is already enabled. */
  async begin(user: UserRow): Promise<{ secret: string; uri: string } | null> {
    const { db, secrets } = this.#deps;
    const secret = newTotpSecret();
    if (!(await beginTotp(db, user.id, secrets.seal(user.id, secret)))) return null;
    return { secret: base32(secret), uri: otpauthUri(secret, user.email) };
  }

  /** The recovery codes, or null when the code does not match the pending secret. */
  async confirm(user: UserRow, code: string): Promise<readonly string[] | null> {
    const { db, clock } = this.#deps;
    if (user.totp_secret === null || user.totp_enabled) return null;
    const step = matchingStep(this.#open(user.id, user.totp_secret), digitsOf(code), clock.nowMs());
    if (step === null) return null;
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    const recoveryCodes = codes.map((one) => hashToken(plain(one)));
    const enabled = await enableTotp(db, user.id, { sealedSecret: user.totp_secret, step, recoveryCodes });
    return enabled ? codes : null;
  }

  /** Whether this is a current code or an unused recovery code; either is consumed. */
  async accepts(user: UserRow, code: string): Promise<boolean> {
    const { db, clock } = this.#deps;
    if (user.totp_secret === null) return false;
    const step = matchingStep(this.#open(user.id, user.totp_secret), digitsOf(code), clock.nowMs());
    if (step !== null) return consumeTotpStep(db, user.id, step);
    return consumeRecoveryCode(db, user.id, hashToken(plain(code)));
  }

  disable(user: UserRow): Promise<void> {
    return disableTotp(this.#deps.db, user.id);
  }

  #open(userId: string, sealed: Buffer): Buffer {
    return this.#deps.secrets.open(userId, sealed);
  }
}

function newRecoveryCode(): string {
  const chars = [...randomBytes(RECOVERY_CHARS)].map((byte) => ALPHABET[byte & 31]).join('');
  return chars.replace(/(.{4})(?=.)/g, '$1-');
}

/** Users type codes with spaces, dashes and capital letters. */
function plain(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase();
}

function digitsOf(code: string): string {
  return code.replace(/\s/g, '');
}

const STEP_SECONDS = 30;
const DIGITS = 6;
/** Accepts one step earlier or later, for clock drift and typing time. */
const DRIFT_STEPS = 1;
/** 160 bits, as long as the hash (RFC 4226, section 4). */
const SECRET_BYTES = 20;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Time-based one-time passwords (RFC 6238) as authenticator apps compute them: SHA-1, 30 seconds, six digits. */
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
