/** Disables a user and, on request, the keys, invites and webhooks that the user created. */
import type { Database } from '../../database/database.ts';
import { removeSessionsOf } from '../sessions/store.ts';
import { removeLinksOf } from '../users/link-store.ts';
import { setDisabled } from '../users/store.ts';
import {
  accessCreatedBy,
  type CreatedByMember,
  disableWebhooksCreatedBy,
  revokeAccessCreatedBy,
  webhooksCreatedBy,
} from './created-by-member.ts';
import { membershipsOf } from './store.ts';

/** Ends every session, and with `revoke` the keys, invites and webhooks that the user made in any organization. */
export async function disableUser(
  db: Database,
  userId: string,
  { revoke, now }: { readonly revoke: boolean; readonly now: Date },
): Promise<CreatedByMember> {
  await db.transaction(async (tx) => {
    await setDisabled(tx, userId, true);
    await removeSessionsOf(tx, userId);
    await removeLinksOf(tx, userId);
  });
  const made: CreatedByMember[] = [];
  for (const { id } of await membershipsOf(db, userId)) {
    const webhooks = await (revoke ? disableWebhooksCreatedBy : webhooksCreatedBy)(db, id, userId, now);
    const access = await db.transaction((tx) =>
      (revoke ? revokeAccessCreatedBy : accessCreatedBy)(tx, id, userId, now),
    );
    made.push({ ...access, webhooks });
  }
  return {
    keys: made.flatMap(({ keys }) => keys),
    invites: made.flatMap(({ invites }) => invites),
    webhooks: made.flatMap(({ webhooks }) => webhooks),
  };
}
