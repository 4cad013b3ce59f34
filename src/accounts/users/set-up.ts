/**
 * The setup token proves that the first user, the future owner of the installation, is the person who started the
 * installation. It is derived from the installation's secret key, so every process computes the same token and
 * nothing is stored. The token is useless once a user exists.
 *
 * The dashboard's link carries the token in its fragment, which browsers do not send to servers.
 */
import { timingSafeEqual } from 'node:crypto';
import type { SecretKey } from '../../runtime/secret-key.ts';
import { ServiceError } from '../../runtime/service-error.ts';

/** 128 bits cannot be guessed, and the link still fits on a line. */
const TOKEN_BYTES = 16;

export function setUpToken(secret: SecretKey): string {
  return secret.derive('set-up').subarray(0, TOKEN_BYTES).toString('base64url');
}

export function setUpLink(publicUrl: string, token: string): string {
  return `${publicUrl}/#setup=${token}`;
}

export function isSetUpToken(given: string | undefined, token: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export function setUpTokenNeeded(): ServiceError {
  return new ServiceError('SETUP_TOKEN_REQUIRED');
}
