/** Encrypts the passwords of relays, each bound to its transport. */
import type { KeyRing } from '../runtime/key-ring.ts';
import { SealedBox } from '../runtime/sealed-box.ts';

export function relayPasswordBox(ring: KeyRing): SealedBox {
  return new SealedBox(ring, 'relay-passwords', 'password of the relay');
}
