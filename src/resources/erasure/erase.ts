/**
 * The right to be forgotten: removes what an organization holds about an address. May be cut off anywhere and called
 * again: what is done no longer names the address, so the next call goes on with the rest.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import { BEFORE_ALL, emailsOf } from './emails-of.ts';
import { eraseElsewhere } from './erase-elsewhere.ts';
import { eraseEmails } from './erase-emails.ts';
import type { ErasedAddresses } from './erased-address.ts';

export interface EraseDeps {
  readonly db: Database;
  readonly erased: ErasedAddresses;
  readonly nowMs: () => number;
}

/** In canonical form, and in the form addresses are compared in. */
export interface AddressToErase {
  readonly organizationId: string;
  readonly email: string;
  readonly key: string;
}

export interface ErasureResult {
  /** What the address is called from now on. */
  readonly shownAs: string;
  /** Emails that were erased by this call. */
  readonly emails: number;
  /** Emails that are on their way at the moment; call again when they are settled. */
  readonly waiting: number;
  /** Nothing is left. */
  readonly complete: boolean;
}

const EMAILS_PER_STEP = 50;
/** Every process looks for the key each second; only then may a suppression hide behind it. */
const KEY_NOTICED_MS = 2_500;

export async function eraseAddress(
  { db, erased, nowMs }: EraseDeps,
  address: AddressToErase,
  { untilMs, onProgress }: { readonly untilMs: number; readonly onProgress?: (emails: number) => void },
): Promise<ErasureResult> {
  if (await erased.ensure()) await sleep(KEY_NOTICED_MS);
  const shownAs = erased.shownAs(address);
  const erasing = { organizationId: address.organizationId, email: address.email, shownAs };
  await db.transaction((tx) => eraseElsewhere(tx, erasing, address, erased.keyOf(address) as string));
  let after = BEFORE_ALL;
  let emails = 0;
  let waiting = 0;
  while (nowMs() < untilMs) {
    const ids = await emailsOf(db, address.organizationId, address.email, after, EMAILS_PER_STEP);
    const last = ids.at(-1);
    if (last === undefined) return { shownAs, emails, waiting, complete: waiting === 0 };
    const done = await db.transaction((tx) => eraseEmails(tx, erasing, ids, nowMs()));
    emails += done.length;
    waiting += ids.length - done.length;
    after = last;
    onProgress?.(emails);
  }
  return { shownAs, emails, waiting, complete: false };
}
