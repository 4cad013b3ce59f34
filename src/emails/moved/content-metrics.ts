/** Metrics of moving content, and of the content store. */
import type { Sql } from '../../database/sql.ts';
import type { ObjectStore } from '../../protocols/object-store/object-store.ts';
import { kept, type Metrics } from '../../runtime/metrics.ts';
import { waitingRemovals } from './object-removals.ts';

const KEEP_MS = 15_000;

type OnStoreCall = (operation: keyof ObjectStore, isAnswered: boolean) => void;
type OnMoved = (emails: number, bytes: number) => void;

/** For every role that uses the store. */
export function createStoreMetrics(metrics: Metrics): OnStoreCall {
  const calls = metrics.counter(
    'postrider_content_store_calls_total',
    'Requests to the content store, by operation and result.',
    ['operation', 'result'],
  );
  return (operation, isAnswered) => calls({ operation, result: isAnswered ? 'answered' : 'failed' });
}

/** For workers, which move content. */
export function createMovingMetrics(metrics: Metrics, db: Sql, nowMs: () => number): OnMoved {
  const emails = metrics.counter(
    'postrider_content_moved_emails_total',
    'Emails whose content was moved to the content store.',
  );
  const bytes = metrics.counter(
    'postrider_content_moved_bytes_total',
    'Bytes of the objects that were put into the content store.',
  );
  const none = { count: 0, oldest: null };
  const waiting = kept(KEEP_MS, nowMs, () => waitingRemovals(db).catch(() => none));
  metrics.gauge(
    'postrider_content_objects_to_remove',
    'Objects, or groups of objects, waiting for removal from the content store.',
    async () => (await waiting()).count,
  );
  return (count, size) => {
    emails({}, count);
    bytes({}, size);
  };
}
