/** Re-encrypts all sealed values with the current key. May be interrupted and started again. */

import { totpSecretBox } from '../../accounts/users/second-factor.ts';
import { sealedTotpSecrets } from '../../accounts/users/store.ts';
import { sealedAccountKeys } from '../../certificates/account-store.ts';
import { acmeAccountBox, certificateKeyBox } from '../../certificates/key-encryption.ts';
import { sealedCertificateKeys, sealedOrderKeys } from '../../certificates/store.ts';
import { type Cell, type Database, MAIN_CELL } from '../../database/database.ts';
import { isUnavailable } from '../../database/errors.ts';
import type { SealedColumn, SealedRow } from '../../database/sealed-column.ts';
import type { Sql } from '../../database/sql.ts';
import { sealedOwnKeys } from '../../domains/own-dkim/store.ts';
import { sealedRotationKeys } from '../../domains/rotation-store.ts';
import { PrivateKeyBox } from '../../domains/signing-keys.ts';
import { sealedDkimKeys } from '../../domains/store.ts';
import { dataKeyBox, sealedDataKeys } from '../../erasure/erased-address-hash.ts';
import { relayPasswordBox } from '../../routing/password-box.ts';
import { sealedRelayPasswords } from '../../routing/store.ts';
import type { KeyRing } from '../../runtime/key-ring.ts';
import { type SealedBox, sealedPrefix } from '../../runtime/sealed-box.ts';
import type { SecretKey } from '../../runtime/secret-key.ts';
import { webhookSecretBox } from '../../webhooks/endpoints/secret.ts';
import { sealedPreviousSecrets, sealedSecrets } from '../../webhooks/endpoints/store.ts';

interface Sealed {
  readonly column: SealedColumn;
  readonly box: (ring: KeyRing) => SealedBox;
}

/** Every column with sealed values. */
export const SEALED: readonly Sealed[] = [
  { column: sealedDkimKeys, box: (ring) => new PrivateKeyBox(ring).sealed },
  { column: sealedRotationKeys, box: (ring) => new PrivateKeyBox(ring).sealed },
  { column: sealedOwnKeys, box: (ring) => new PrivateKeyBox(ring).sealed },
  { column: sealedDataKeys, box: dataKeyBox },
  { column: sealedSecrets, box: webhookSecretBox },
  { column: sealedPreviousSecrets, box: webhookSecretBox },
  { column: sealedTotpSecrets, box: totpSecretBox },
  { column: sealedRelayPasswords, box: relayPasswordBox },
  { column: sealedCertificateKeys, box: certificateKeyBox },
  { column: sealedOrderKeys, box: certificateKeyBox },
  { column: sealedAccountKeys, box: acmeAccountBox },
];

const BATCH = 100;
const PREFIX_BYTES = 9;

export interface Resealed {
  readonly done: number;
  /** Describes values that no available key can open. They stay as they are. */
  readonly problems: readonly string[];
}

/** How many values are sealed with each key; `''` counts those from before keys had ids. */
export async function countSealed(db: Database): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { column, cell } of placesOf(db)) {
    for (const { prefix, count } of await column.countByPrefix(cell.db, PREFIX_BYTES)) {
      const id = prefix[0] === 2 ? prefix.toString('hex', 1) : '';
      counts.set(id, (counts.get(id) ?? 0) + count);
    }
  }
  return counts;
}

/** Every column, in each cell with rows of it. */
function placesOf(db: Database): readonly (Sealed & { readonly cell: Cell })[] {
  return db.cells.flatMap((cell) =>
    SEALED.filter(({ column }) => cell.name === MAIN_CELL || column.isOfOrganizations).map((one) => ({
      ...one,
      cell,
    })),
  );
}

/** A cell that is down counts as a problem; the next run re-encrypts its values. */
export async function resealAll(
  db: Database,
  ring: KeyRing,
  key: SecretKey,
  onProgress: (done: number) => void,
): Promise<Resealed> {
  const result = { done: 0, problems: [] as string[] };
  for (const { column, box, cell } of placesOf(db)) {
    const steps = resealColumn(cell.db, column, box(ring), key, result);
    try {
      for await (const done of steps) onProgress(done);
    } catch (error) {
      if (cell.name === MAIN_CELL || !isUnavailable(error)) throw error;
      result.problems.push(`The cell ${cell.name} does not answer: ${(error as Error).message}`);
    }
  }
  return result;
}

async function* resealColumn(
  db: Sql,
  column: SealedColumn,
  box: SealedBox,
  key: SecretKey,
  result: { done: number; problems: string[] },
): AsyncGenerator<number> {
  let after = '';
  for (;;) {
    const rows = await column.otherThan(db, sealedPrefix(key.id), after, BATCH);
    for (const row of rows) await resealOne(db, column, box, key, row, result);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    yield result.done;
  }
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
    // A value that changed meanwhile was already sealed with the current key.
    if (await column.replace(db, row, sealed)) result.done += 1;
  } catch (error) {
    result.problems.push(error instanceof Error ? error.message : String(error));
  }
}
