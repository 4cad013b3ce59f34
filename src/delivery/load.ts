/** Loads what is to be delivered, many at once, and never more bytes at a time than a worker should hold. */
import type { Sql } from '../database/sql.ts';
import type { ClaimedDelivery } from '../outbox/states.ts';
import { type DeliverableEmail, loadDeliverable } from '../resources/emails/store-delivery.ts';
import { Batcher } from '../work-loop/batcher.ts';

const MAX_BATCH = 200;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const PARALLEL_LOADS = 2;

export type LoadEmail = (delivery: ClaimedDelivery) => Promise<DeliverableEmail | null>;

export function createLoader(db: Sql): LoadEmail {
  const batcher = new Batcher<ClaimedDelivery, DeliverableEmail | null>({
    flush: (deliveries) => loadDeliverable(db, deliveries),
    maxBatchItems: MAX_BATCH,
    maxQueuedItems: Number.POSITIVE_INFINITY, // bounded by the work in hand
    weigh: (delivery) => delivery.size,
    maxBatchWeight: MAX_BATCH_BYTES,
    parallel: PARALLEL_LOADS,
  });
  return (delivery) => batcher.add(delivery);
}
