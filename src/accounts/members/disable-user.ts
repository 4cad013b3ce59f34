/** A user who must not get in any more, and what they made that goes on working. */
import type { Database } from '../../kit/database/database.ts';
import { removeSessionsOf } from '../sessions/store.ts';
import { removeLinksOf } from '../users/link-store.ts';
import { setDisabled } from '../users/store.ts';
import { accessMadeBy, endAccessMadeBy, endWebhooksMadeBy, type Made, webhooksMadeBy } from './made.ts';
import { membershipsOf } from './store.ts';

/** Ends every session, and with `revoke` the keys, invites and webhooks that the user made in any organization. */
export async function disableUser(
  db: Database,
  userId: string,
  { revoke, now }: { readonly revoke: boolean; readonly now: Date },
): Promise<Made> {
  await db.transaction(async (tx) => {
    await setDisabled(tx, userId, true);
    await removeSessionsOf(tx, userId);
    await removeLinksOf(tx, userId);
  });
  const made: Made[] = [];
  for (const { id } of await membershipsOf(db, userId)) {
    const webhooks = await (revoke ? endWebhooksMadeBy : webhooksMadeBy)(db, id, userId, now);
    const access = await db.transaction((tx) =>
      (revoke ? endAccessMadeBy : accessMadeBy)(tx, id, userId, now),
    );
    made.push({ ...access, webhooks });
  }
  return {
    keys: made.flatMap(({ keys }) => keys),
    invites: made.flatMap(({ invites }) => invites),
    webhooks: made.flatMap(({ webhooks }) => webhooks),
  };
}
