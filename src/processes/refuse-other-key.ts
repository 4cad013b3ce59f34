/**
 * Two machines with different secret keys on one database would write values that the other cannot decrypt.
 */
import type { Sql } from '../database/sql.ts';
import { missingKey } from '../operations/secret-keys/check.ts';
import { keyTurns } from '../operations/secret-keys/store.ts';
import { systemClock } from '../runtime/clock.ts';
import { hasKeys, type KeySource, loadKeyRing } from '../runtime/key-store.ts';
import { RefusedStart } from '../runtime/refused-start.ts';

/** Call before a key is created: a new key would not be this installation's. */
export async function refuseOtherKey(db: Sql, source: KeySource): Promise<void> {
  const turns = await keyTurns(db);
  const ring = hasKeys(source) || turns.length === 0 ? loadKeyRing(source) : NO_KEYS;
  const problem = missingKey(ring, turns, systemClock.nowMs());
  if (problem !== null) throw new RefusedStart(problem);
}

const NO_KEYS = { keys: [], find: () => undefined };
