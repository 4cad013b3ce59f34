/** Signing secrets: made here, shown once, sealed at rest. */
import { randomBytes } from 'node:crypto';
import type { KeyRing } from '../../runtime/key-ring.ts';
import { SealedBox } from '../../runtime/sealed-box.ts';

/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

export function newSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** As customers get it, and as their libraries take it. */
export function secretText(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`;
}

export function webhookSecretBox(ring: KeyRing): SealedBox {
  return new SealedBox(ring, 'webhook-secrets', 'webhook secret');
}
