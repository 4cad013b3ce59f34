/** Everything that is sealed, and sealing it anew under the key whose turn it is. May be cut off and begun again. */

import { totpSecretBox } from '../../accounts/users/second-factor.ts';
import { sealedTotpSecrets } from '../../accounts/users/store.ts';
import { sealedOwnKeys } from '../../domains/own-dkim/store.ts';
import { PrivateKeyBox } from '../../domains/private-key-box.ts';
import { sealedRotationKeys } from '../../domains/rotation-store.ts';
import { sealedDkimKeys } from '../../domains/store.ts';
import { dataKeyBox, sealedDataKeys } from '../../erasure/erased-address.ts';
import type { SealedColumn, SealedRow } from '../../kit/database/sealed-column.ts';
import type { Sql } from '../../kit/database/sql.ts';
import type { KeyRing } from '../../kit/runtime/key-ring.ts';
import { type SealedBox, sealedPrefix } from '../../kit/runtime/sealed-box.ts';
import type { SecretKey } from '../../kit/runtime/secret-key.ts';
import { relayPasswordBox } from '../../routing/password-box.ts';
import { sealedRelayPasswords } from '../../routing/store.ts';
import { webhookSecretBox } from '../../webhooks/endpoints/secret.ts';
import { sealedPreviousSecrets, sealedSecrets } from '../../webhooks/endpoints/store.ts';

interface Sealed {
  readonly column: SealedColumn;
  readonly box: (ring: KeyRing) => SealedBox;
}

/** Every column that holds sealed values. */
export const SEALED: readonly Sealed[] = [
  { column: sealedDkimKeys, box: (ring) => new PrivateKeyBox(ring).sealed },
  { column: sealedRotationKeys, box: (ring) => new PrivateKeyBox(ring).sealed },
  { column: sealedOwnKeys, box: (ring) => new PrivateKeyBox(ring).sealed },
  { column: sealedDataKeys, box: dataKeyBox },
  { column: sealedSecrets, box: webhookSecretBox },
  { column: sealedPreviousSecrets, box: webhookSecretBox },
  { column: sealedTotpSecrets, box: totpSecretBox },
  { column: sealedRelayPasswords, box: relayPasswordBox },
];

const BATCH = 100;
const PREFIX_BYTES = 9;

export interface Resealed {
  readonly done: number;
  /** What does not open with any key there is, in words. It stays as it is. */
  readonly problems: readonly string[];
}

/** How many values are sealed with each key; under `''` those from before keys had ids. */
export async function countSealed(db: Sql): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { column } of SEALED) {
    for (const { prefix, count } of await column.countByPrefix(db, PREFIX_BYTES)) {
      const id = prefix[0] === 2 ? prefix.toString('hex', 1) : '';
      counts.set(id, (counts.get(id) ?? 0) + count);
    }
  }
  return counts;
}

export async function resealAll(
  db: Sql,
  ring: KeyRing,
  key: SecretKey,
  onProgress: (done: number) => void,
): Promise<Resealed> {
  const result = { done: 0, problems: [] as string[] };
  for (const { column, box } of SEALED) {
    const opened = box(ring);
    let after = '';
    for (;;) {
      const rows = await column.otherThan(db, sealedPrefix(key.id), after, BATCH);
      for (const row of rows) await resealOne(db, column, opened, key, row, result);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
      onProgress(result.done);
    }
  }
  return result;
}

async function resealOne(
  db: Sql,
  column: SealedColumn,
  box: SealedBox,
  key: SecretKey,
  row: SealedRow,
  result: { done: number; problems: string[] },
): Promise<void> {
  try {
    const secret = box.open(row.id, row.sealed);
    const sealed = box.sealWith(key, row.id, secret);
    secret.fill(0);
    // Whoever changed it meanwhile sealed it with the current key.
    if (await column.replace(db, row, sealed)) result.done += 1;
  } catch (error) {
    result.problems.push(error instanceof Error ? error.message : String(error));
  }
}
