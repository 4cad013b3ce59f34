/**
 * API keys are `pr_` and 256 random bits; only their SHA-256 (`hashToken`) is stored. A plain hash is enough, because
 * 256 random bits cannot be guessed. The timing of the index lookup leaks nothing useful, because a caller cannot
 * choose the bytes of a hash.
 */
import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
const VISIBLE_CHARS = 10;

export function generateSecret(): string {
  return `pr_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/** The part of a key that is shown to identify it. At most a quarter of a short, user-chosen key is shown. */
export function visiblePrefix(secret: string): string {
  return secret.slice(0, Math.min(VISIBLE_CHARS, Math.floor(secret.length / 4)));
}
