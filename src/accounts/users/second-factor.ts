/**
 * The second factor: set up with a secret, confirmed with a code, then required at sign-in as a code or a recovery
 * code.
 */
import { randomBytes } from 'node:crypto';
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
import { base32, matchingStep, newTotpSecret, otpauthUri } from './totp.ts';

const RECOVERY_CODES = 10;
/** 80 bits cannot be guessed, so a plain hash is enough at rest. */
const RECOVERY_CHARS = 16;
/** Without letters that are easily confused. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export function totpSecretBox(ring: KeyRing): SealedBox {
  return new SealedBox(ring, 'totp-secrets', 'second factor');
}

export interface SecondFactorDeps {
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
