/** Signing secrets: made here, shown once, sealed at rest. */
import { randomBytes } from 'node:crypto';
import { SealedBox } from '../../runtime/sealed-box.ts';
import type { SecretKey } from '../../runtime/secret-key.ts';

/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

export function newSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** As customers get it, and as their libraries take it. */
export function secretText(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`;
}

export function webhookSecretBox(master: SecretKey): SealedBox {
  return new SealedBox(master.derive('webhook-secrets'), 'webhook secret');
}
