/** Encrypts keys at rest, bound to the row they belong to. */
import type { KeyRing } from '../runtime/key-ring.ts';
import { SealedBox } from '../runtime/sealed-box.ts';

export function certificateKeyBox(ring: KeyRing): SealedBox {
  return new SealedBox(ring, 'certificate-keys', 'key of the certificate');
}

export function acmeAccountBox(ring: KeyRing): SealedBox {
  return new SealedBox(ring, 'acme-accounts', 'account key');
}
