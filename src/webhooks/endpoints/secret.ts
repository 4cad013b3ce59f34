/** Signing secrets: generated here, shown once, encrypted at rest. */
import { randomBytes } from 'node:crypto';
import type { KeyRing } from '../../runtime/key-ring.ts';
import { SealedBox } from '../../runtime/sealed-box.ts';

/** Standard Webhooks requires 24 to 64. */
const SECRET_BYTES = 32;

export function newSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** The text form that customers and their libraries use. */
export function secretText(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`;
}

export function webhookSecretBox(ring: KeyRing): SealedBox {
  return new SealedBox(ring, 'webhook-secrets', 'webhook secret');
}
