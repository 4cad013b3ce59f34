/**
 * What an API key is made of: `pr_` and 256 random bits. Only its SHA-256 (`hashToken`) is stored. A plain hash is
 * enough, because there is nothing to guess in 256 random bits, and looking a hash up by index leaks nothing useful
 * through its timing, because a caller cannot choose the bytes of a hash.
 */
import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
const VISIBLE_CHARS = 10;

export function generateSecret(): string {
  return `pr_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/** What people recognise a key by. Of a short key that someone chose, never more than a quarter is shown. */
export function visiblePrefix(secret: string): string {
  return secret.slice(0, Math.min(VISIBLE_CHARS, Math.floor(secret.length / 4)));
}
