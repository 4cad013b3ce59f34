/** What PostgreSQL says about itself, and what waits in its queues. */
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';

export interface DatabaseFigures {
  readonly active: number;
  readonly idle: number;
  readonly in_transaction: number;
  /** Of a connection that customers' work uses. */
  readonly oldest_transaction_s: number;
  readonly database_bytes: number;
  readonly wal_bytes: number;
  readonly outbox_bytes: number;
  readonly outbox_dead: number;
  readonly webhooks_dead: number;
  readonly emails_dead: number;
  /** Due and not claimed, or claimed. */
  readonly queued: number;
  readonly queue_age_s: number;
  readonly hook_waiting: number;
  readonly hook_age_s: number;
  /** For the endpoints that fail and hang. */
  readonly broken_age_s: number;
}

/** `$1` is the webhook that works. */
const selectFigures = adHoc<DatabaseFigures>(
  `WITH clients AS (
     SELECT state, xact_start FROM pg_stat_activity
     WHERE backend_type = 'client backend' AND datname = current_database() AND application_name <> 'storm'
   ), dead AS (
     SELECT relname, n_dead_tup FROM pg_stat_user_tables
   ), queue AS (
     SELECT count(*) AS queued, min(due_at) AS oldest FROM outbox WHERE due_at <= now()
   ), hook AS (
     SELECT count(*) AS waiting, min(due_at) AS oldest FROM webhook_deliveries
     WHERE state = 'pending' AND worker IS NULL AND endpoint_id = $1 AND due_at <= now()
   ), broken AS (
     SELECT min((SELECT min(due_at) FROM webhook_deliveries
                 WHERE state = 'pending' AND worker IS NULL AND endpoint_id = id AND due_at <= now())) AS oldest
     FROM webhook_endpoints WHERE id <> $1
   )
   SELECT (SELECT count(*) FROM clients WHERE state = 'active') AS active,
          (SELECT count(*) FROM clients WHERE state = 'idle') AS idle,
          (SELECT count(*) FROM clients WHERE state LIKE 'idle in%') AS in_transaction,
          (SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0)::float8 FROM clients)
            AS oldest_transaction_s,
          pg_database_size(current_database()) AS database_bytes,
          (SELECT coalesce(sum(size), 0)::bigint FROM pg_ls_waldir()) AS wal_bytes,
          pg_total_relation_size('outbox') AS outbox_bytes,
          (SELECT coalesce(sum(n_dead_tup), 0)::bigint FROM dead WHERE relname = 'outbox') AS outbox_dead,
          (SELECT coalesce(sum(n_dead_tup), 0)::bigint FROM dead WHERE relname = 'webhook_deliveries') AS webhooks_dead,
          (SELECT coalesce(sum(n_dead_tup), 0)::bigint FROM dead WHERE relname ~ '^(emails|recipients)_p') AS emails_dead,
          queue.queued, greatest(0, coalesce(extract(epoch FROM now() - queue.oldest), 0))::float8 AS queue_age_s,
          hook.waiting AS hook_waiting,
          greatest(0, coalesce(extract(epoch FROM now() - hook.oldest), 0))::float8 AS hook_age_s,
          greatest(0, coalesce(extract(epoch FROM now() - broken.oldest), 0))::float8 AS broken_age_s
   FROM queue, hook, broken`,
);

export async function databaseFigures(db: Database, webhookId: string): Promise<DatabaseFigures> {
  return db.one(selectFigures, [webhookId]);
}

const selectDue = adHoc<Waiting>(
  `SELECT (SELECT count(*) FROM outbox WHERE due_at <= now()) AS mail,
          (SELECT count(*) FROM webhook_deliveries
           WHERE state = 'pending' AND worker IS NULL AND endpoint_id = $1 AND due_at <= now()) AS webhooks`,
);

export interface Waiting {
  readonly mail: number;
  readonly webhooks: number;
}

export async function due(db: Database, webhookId: string): Promise<Waiting> {
  return db.one(selectDue, [webhookId]);
}

const selectLeft = adHoc<Waiting>(
  `SELECT (SELECT count(*) FROM outbox) AS mail,
          (SELECT count(*) FROM webhook_deliveries WHERE state = 'pending' AND worker IS NULL AND endpoint_id = $1) +
          (SELECT count(*) FROM webhook_deliveries WHERE worker IS NOT NULL AND endpoint_id = $1) AS webhooks`,
);

export async function leftInQueues(db: Database, webhookId: string): Promise<Waiting> {
  return db.one(selectLeft, [webhookId]);
}
