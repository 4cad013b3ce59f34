/** Moves stored times of pauses after the database's clock was set back. */

import type { Database } from '../database/database.ts';
import { setSitesBack } from '../delivery/scheduler/site-store.ts';
import { setInboundBack } from '../inbound/store.ts';
import { setMailBack } from '../outbox/make-due.ts';
import { setReceivedBack } from '../received/store.ts';
import { setWebhooksBack } from '../webhooks/queue.ts';

/**
 * Retried until it succeeds. Sites are in another database than mail and so come first: if they are moved
 * twice, a block ends too early and one delivery fails; mail moved twice would be sent before its time.
 */
export async function afterSetBack(db: Database, byMs: number): Promise<void> {
  await db.transactionOnce((tx) => setSitesBack(tx, byMs));
  await db.transactionOnce(async (tx) => {
    await setMailBack(tx, byMs);
    await setWebhooksBack(tx, byMs);
    await setInboundBack(tx, byMs);
    await setReceivedBack(tx);
  });
}
