/** Tokens that grant access: API keys, sessions, links by mail. */
import { hash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** 256 random bits. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Tokens are stored and compared only by this hash. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
