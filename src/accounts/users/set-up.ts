/**
 * The setup token: what proves that whoever makes the first user, and so comes to own the installation, is the one
 * who started it. It is derived from the installation's secret key, so that every process and every start knows the
 * same one and nothing has to be stored. It opens nothing once there is a user.
 *
 * It travels in the fragment of the dashboard's link, which browsers send to nobody.
 */
import { timingSafeEqual } from 'node:crypto';
import type { SecretKey } from '../../runtime/secret-key.ts';
import { ServiceError } from '../../runtime/service-error.ts';

/** 128 bits: nobody guesses them, and the link still fits on a line. */
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
