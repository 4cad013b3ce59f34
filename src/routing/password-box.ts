/** The passwords of relays at rest: sealed for the transport they belong to. */
import type { KeyRing } from '../runtime/key-ring.ts';
import { SealedBox } from '../runtime/sealed-box.ts';

export function relayPasswordBox(ring: KeyRing): SealedBox {
  return new SealedBox(ring, 'relay-passwords', 'password of the relay');
}
