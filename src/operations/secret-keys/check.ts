/** Checks that a process has the installation's current key: with another it could decrypt nothing. */
import type { KeyRing, KeyTurn } from '../../runtime/key-ring.ts';

/** Null if it has. A process without the next key is not refused: it has time until that key becomes current. */
export function missingKey(
  ring: Pick<KeyRing, 'find' | 'keys'>,
  turns: readonly KeyTurn[],
  nowMs: number,
): string | null {
  const used = turns.filter(({ fromMs }) => fromMs <= nowMs).at(-1);
  if (used === undefined || ring.find(used.id) !== undefined) return null;
  const own = ring.keys.map(({ id }) => id).join(', ');
  const here = own === '' ? 'this process has no secret key' : `this process has ${own}`;
  return (
    `This database belongs to an installation whose secret key has the fingerprint ${used.id}; ${here}. ` +
    'Set POSTRIDER_SECRET_KEY to the same key on every machine, or copy the file `secret-key` from the data folder ' +
    'of a working machine.'
  );
}
