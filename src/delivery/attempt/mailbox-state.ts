/** Whether recipients may still be mailed: checked right before sending, in batches. */

import { concernsOne } from '../../database/errors.ts';
import type { Sql } from '../../database/sql.ts';
import { groupOf } from '../../emails/email.ts';
import type { DeliverableEmail } from '../../emails/store-delivery.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import { addressKeyOf } from '../../protocols/message/address.ts';
import { Batcher } from '../../runtime/work-loop/batcher.ts';
import {
  type Asked,
  type HashAddress,
  type MailboxState,
  mailboxStatesOf,
} from '../../suppressions/suppressed.ts';

const MAX_BATCH = 200;
const PARALLEL = 2;

export type AskMailbox = (delivery: ClaimedDelivery, email: DeliverableEmail) => Promise<MailboxState>;

export function createMailboxLookup(db: Sql, hash?: HashAddress): AskMailbox {
  const batcher = new Batcher<Asked, MailboxState>({
    flush: (asked) => mailboxStatesOf(db, asked, hash),
    maxBatchItems: MAX_BATCH,
    maxQueuedItems: Number.POSITIVE_INFINITY, // bounded by the work in hand
    parallel: PARALLEL,
    retryAlone: concernsOne,
  });
  return ({ organizationId }, email) =>
    batcher.add({ organizationId, key: addressKeyOf(email.recipient), group: groupOf(email) });
}
