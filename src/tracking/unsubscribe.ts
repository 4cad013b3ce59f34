/** What somebody who has the link of a mail can do about further mail of its group. All of it can be done twice. */
import type { Database } from '../database/database.ts';
import { type Sql, sql } from '../database/sql.ts';
import { appendEvents } from '../events/append.ts';
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

const selectPosition = sql<{ position: number }>(
  'recipients.position_of',
  `SELECT r.position FROM recipients r
   WHERE r.organization_id = $1 AND r.email_id = $2 AND r.address = $3 ORDER BY r.position LIMIT 1`,
);

/**
 * Stops mail of the group that the email was sent with, and no other. The first time is an event of that email, while it is
 * kept. Entries that stop all mail stay as they are: mail of the group is stopped either way.
 */
export async function unsubscribe({ db, clock }: UnsubscribeDeps, ref: UnsubscribeRef): Promise<void> {
  const { emailId, group } = ref;
  const atMs = clock.nowMs();
  const why = { reason: 'unsubscribe', source: 'automatic', emailId, cause: CAUSE, group } as const;
  const entry = newSuppression(addressOf(ref), why, atMs);
  await db.transaction(async (tx) => {
    const added = await addMissing(tx, [entry]);
    if (added.length > 0) await tell(tx, ref, atMs);
  });
}

async function tell(
  tx: Sql,
  { organizationId, emailId, address }: UnsubscribeRef,
  atMs: number,
): Promise<void> {
  const found = await tx.maybeOne(selectPosition, [organizationId, emailId, address]);
  if (found === undefined) return; // retention has removed the email
  const { position } = found;
  await appendEvents(tx, [
    { organizationId, emailId, position, recipient: address, type: 'unsubscribed', atMs },
  ]);
}

/**
 * Undoes an unsubscription from the group, or from everything, and nothing else: an address that bounced or complained stays
 * on the list.
 */
export async function resubscribe({ db }: UnsubscribeDeps, ref: UnsubscribeRef): Promise<void> {
  await db.transaction((tx) => removeAddress(tx, addressOf(ref), 'unsubscribe', ref.group));
}

function addressOf({ organizationId, address }: UnsubscribeRef): AddressOf & { readonly email: string } {
  const parsed = parseAddress(address);
  if (!parsed.ok) throw new Error('An address that mail was sent to does not parse.');
  return { organizationId, key: parsed.key, email: parsed.email };
}
