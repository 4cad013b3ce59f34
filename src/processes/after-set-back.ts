/** Moves stored times that were meant as a pause, after the database's clock was set back. */

import { setSitesBack } from '../delivery/scheduler/site-store.ts';
import { setInboundBack } from '../inbound/store.ts';
import type { Database } from '../kit/database/database.ts';
import { setMailBack } from '../outbox/make-due.ts';
import { setWebhooksBack } from '../webhooks/queue.ts';

export function afterSetBack(db: Database, byMs: number): Promise<void> {
  return db.transactionOnce(async (tx) => {
    await setMailBack(tx, byMs);
    await setWebhooksBack(tx, byMs);
    await setInboundBack(tx, byMs);
    await setSitesBack(tx, byMs);
  });
}
