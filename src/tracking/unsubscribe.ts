/** What somebody who has the link of a mail can do about further mail. All of it can be done twice. */
import type { Database } from '../database/database.ts';
import { parseAddress } from '../message/address.ts';
import type { UnsubscribeRef } from '../message/tracking-token.ts';
import { addMissing, removeAddress } from '../resources/suppressions/store.ts';
import { type AddressOf, newSuppression } from '../resources/suppressions/suppression.ts';
import type { Clock } from '../runtime/clock.ts';

export interface UnsubscribeDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** What the suppression says about where it comes from. */
const CAUSE = 'unsubscribed';

/** An address that is on the list already stays as it is, whatever for: it gets no mail either way. */
export async function unsubscribe({ db, clock }: UnsubscribeDeps, ref: UnsubscribeRef): Promise<void> {
  const why = {
    reason: 'unsubscribe',
    source: 'automatic',
    emailId: ref.emailId,
    cause: CAUSE,
  } as const;
  const entry = newSuppression(addressOf(ref), why, clock.nowMs());
  await db.transaction((tx) => addMissing(tx, [entry]));
}

/** Undoes an unsubscription and nothing else: an address that bounced or complained stays on the list. */
export async function resubscribe({ db }: UnsubscribeDeps, ref: UnsubscribeRef): Promise<void> {
  await db.transaction((tx) => removeAddress(tx, addressOf(ref), 'unsubscribe'));
}

function addressOf({ organizationId, address }: UnsubscribeRef): AddressOf & { readonly email: string } {
  const parsed = parseAddress(address);
  if (!parsed.ok) throw new Error('An address that mail was sent to does not parse.');
  return { organizationId, key: parsed.key, email: parsed.email };
}
