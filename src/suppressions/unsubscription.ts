/** Unsubscribing and resubscribing with the link of a mail. Both can be repeated. */

import { type Sql, sql } from '../database/sql.ts';
import { appendEvents, type NewEvent } from '../events/append.ts';
import { addressKeyOf, type EmailAddress } from '../protocols/message/address.ts';
import type { UnsubscribeRef } from '../protocols/message/tracking-token.ts';
import { addMissing, removeAddress } from './store.ts';
import { type AddressOf, type NewSuppression, newSuppression } from './suppression.ts';

/** The cause of the suppression. */
const CAUSE = 'unsubscribed';

const selectPosition = sql<{ position: number }>(
  'recipients.position_of',
  `SELECT r.position FROM recipients r
   WHERE r.organization_id = $1 AND r.email_id = $2 AND r.address = $3 ORDER BY r.position LIMIT 1`,
  { home: 'cell', organization: '$1' },
);

/**
 * Suppresses the groups of these emails, and no other mail. The first unsubscription is recorded as an event of the
 * email, while the email is kept. Entries that stop all mail stay unchanged.
 */
export async function unsubscribeAll(tx: Sql, refs: readonly UnsubscribeRef[], atMs: number): Promise<void> {
  const entries = new Map<string, { readonly ref: UnsubscribeRef; readonly entry: NewSuppression }>();
  for (const ref of refs) {
    const why = { reason: 'unsubscribe', source: 'automatic', emailId: ref.emailId, cause: CAUSE } as const;
    const entry = newSuppression(addressOf(ref), { ...why, group: ref.group }, atMs);
    entries.set(`${ref.organizationId} ${entry.key}`, { ref, entry });
  }
  const added = await addMissing(
    tx,
    [...entries.values()].map(({ entry }) => entry),
  );
  const events: NewEvent[] = [];
  for (const { organization_id, key } of added) {
    const ref = entries.get(`${organization_id} ${key}`)?.ref;
    if (ref !== undefined) events.push(...(await eventOf(tx, ref, atMs)));
  }
  await appendEvents(tx, events);
}

/** Empty when retention has removed the email. */
async function eventOf(tx: Sql, ref: UnsubscribeRef, atMs: number): Promise<NewEvent[]> {
  const { organizationId, emailId, address } = ref;
  const found = await tx.maybeOne(selectPosition, [organizationId, emailId, address]);
  if (found === undefined) return [];
  return [
    {
      ...{ organizationId, emailId, position: found.position, recipient: address },
      type: 'unsubscribed',
      atMs,
    },
  ];
}

/** Undoes an unsubscription from the group or from all mail. Bounces and complaints stay on the list. */
export async function resubscribe(tx: Sql, ref: UnsubscribeRef): Promise<void> {
  await removeAddress(tx, addressOf(ref), 'unsubscribe', ref.group);
}

function addressOf({
  organizationId,
  address,
}: UnsubscribeRef): AddressOf & { readonly email: EmailAddress } {
  return { organizationId, key: addressKeyOf(address), email: address };
}
