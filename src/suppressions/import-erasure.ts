/**
 * Removes an address from lists that are still to be imported. The import still suppresses the address, by its hash.
 */
import type { Sql } from '../database/sql.ts';
import type { EmailAddress } from '../protocols/message/address.ts';
import { type ErasedEntry, listedAs } from './erased-entry.ts';
import { renameInList } from './import-list.ts';
import { listOf, lockOpenImports, renameInImports, replaceList } from './import-store.ts';
import type { AddressOf } from './suppression.ts';

/** Matches every spelling that the import would read as this address. True when a list contained it. */
export async function eraseFromImports(
  tx: Sql,
  { organizationId, key, email }: AddressOf & { readonly email: EmailAddress },
  entry: ErasedEntry,
): Promise<boolean> {
  let stood = false;
  for (const id of await lockOpenImports(tx, organizationId)) {
    const { payload, format } = await listOf(tx, organizationId, id);
    const renamed = await renameInList(payload, format, key, listedAs(entry));
    if (renamed === payload) continue;
    stood = true;
    await replaceList(tx, organizationId, id, renamed);
  }
  await renameInImports(tx, organizationId, { email, shownAs: entry.email });
  return stood;
}
