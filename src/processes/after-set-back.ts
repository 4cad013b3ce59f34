/** What is stored as a moment to come, and was meant as a pause, after the database's clock was set back. */
import type { Database } from '../database/database.ts';
import { setSitesBack } from '../delivery/site-store.ts';
import { setWebhooksBack } from '../events/webhook-queue.ts';
import { setInboundBack } from '../inbound/store.ts';
import { setMailBack } from '../outbox/set-back.ts';

export function afterSetBack(db: Database, byMs: number): Promise<void> {
  return db.transactionOnce(async (tx) => {
    await setMailBack(tx, byMs);
    await setWebhooksBack(tx, byMs);
    await setInboundBack(tx, byMs);
    await setSitesBack(tx, byMs);
  });
}
