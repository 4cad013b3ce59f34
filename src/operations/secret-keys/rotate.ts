/**
 * Rotates the master key without downtime:
 *
 *   readable   every process can read the new key, but none uses it yet
 *   its turn   from one moment on, all processes seal and sign with it
 *   re-sealed  values sealed with the old key are sealed with the new one
 *
 * The stored state shows each step, so starting again continues an interrupted rotation. The old key is kept: it signed links
 * and return paths in mail that was already sent.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import type { KeyRing, KeyTurn } from '../../runtime/key-ring.ts';
import type { SecretKey } from '../../runtime/secret-key.ts';
import { countSealed, type Resealed, resealAll } from './reseal.ts';
import { everUsedIds, giveTurn, keyTurns, liveHolders, noteFirstKey } from './store.ts';
import { KEY_WATCH_MS } from './watch.ts';

interface RotateDeps {
  readonly db: Database;
  readonly ring: KeyRing;
  /** Creates a key that all processes will find; null if only the operator can. */
  readonly addKey: (() => SecretKey) | null;
  readonly say: (line: string) => void;
  readonly nowMs: () => number;
  /** How long processes have to find the new key. */
  readonly waitMs?: number;
}

export type Rotated =
  | { readonly kind: 'rotated'; readonly key: SecretKey; readonly resealed: Resealed }
  /** The operator must give every process a new key first. */
  | { readonly kind: 'no_new_key' }
  | { readonly kind: 'not_held'; readonly key: SecretKey; readonly by: readonly string[] };

/** Every process has read the schedule of keys at least once by then. */
const NOTICE_SECONDS = (2 * KEY_WATCH_MS) / 1_000 + 1;
const HOLDERS_WITHIN_MS = 30_000;
const LOOK_AGAIN_MS = 500;

export async function rotateSecretKey(deps: RotateDeps): Promise<Rotated> {
  const { db, ring, say } = deps;
  await syncTurns(db, ring);
  const turn = (await unfinished(deps)) ?? (await beginTurn(deps));
  if ('kind' in turn) return turn;
  await untilTurn(turn, deps);
  await syncTurns(db, ring);
  const key = ring.find(turn.id) as SecretKey;
  say(`Re-encrypting all secrets with ${key.id}.`);
  const resealed = await resealAll(db, ring, key, (done) => say(`  ${done} values`));
  return { kind: 'rotated', key, resealed };
}

/** Loads the schedule of keys from the database. */
export async function syncTurns(db: Sql, ring: KeyRing): Promise<readonly KeyTurn[]> {
  await noteFirstKey(db, ring.current.id);
  const turns = await keyTurns(db);
  ring.setTurns(turns);
  return turns;
}

/** The newest key is current or about to be, and values sealed with another key are left. */
async function unfinished({ db, ring, say }: RotateDeps): Promise<KeyTurn | null> {
  const newest = (await keyTurns(db)).at(-1);
  if (newest === undefined || newest.fromMs === 0 || ring.find(newest.id) === undefined) return null;
  const others = [...(await countSealed(db)).keys()].filter((id) => id !== newest.id);
  if (others.length === 0) return null;
  say(`Continuing the rotation to ${newest.id}.`);
  return newest;
}

async function beginTurn(deps: RotateDeps): Promise<KeyTurn | Rotated> {
  const { db, ring, addKey, say } = deps;
  const used = await everUsedIds(db);
  const waiting = ring.keys.findLast(({ id }) => !used.has(id));
  if (waiting === undefined && addKey === null) return { kind: 'no_new_key' };
  const key = waiting ?? (addKey as () => SecretKey)();
  ring.refresh();
  say(`New key ${key.id}. Waiting until every process can read it.`);
  const missing = await missingAfterWait(deps, key.id);
  if (missing.length > 0) return { kind: 'not_held', key, by: missing };
  const turn = await giveTurn(db, key.id, NOTICE_SECONDS);
  say(`The new key is used from ${new Date(turn.fromMs).toISOString()} on.`);
  return turn;
}

async function missingAfterWait(
  { db, nowMs, waitMs = HOLDERS_WITHIN_MS }: RotateDeps,
  keyId: string,
): Promise<string[]> {
  const untilMs = nowMs() + waitMs;
  for (;;) {
    const missing = (await liveHolders(db)).filter(({ key_ids }) => !key_ids.includes(keyId));
    if (missing.length === 0 || nowMs() >= untilMs) return missing.map(({ name }) => name);
    await sleep(LOOK_AGAIN_MS);
  }
}

async function untilTurn({ fromMs }: KeyTurn, { nowMs }: RotateDeps): Promise<void> {
  // Waits a little longer: a process that read the clock just before may still be sealing.
  const waitMs = fromMs + LOOK_AGAIN_MS - nowMs();
  if (waitMs > 0) await sleep(waitMs);
}
