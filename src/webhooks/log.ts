/** The log of webhook deliveries: lists, replays, and deletion after 30 days. */
import { type Sql, sql } from '../database/sql.ts';
import { startIdIn } from '../events/started.ts';
import { DAY_MS } from '../runtime/durations.ts';
import { uuidv7Floor, uuidv7Ms } from '../runtime/ids.ts';
import type { DeliveryState, EndpointName, WebhookAttempt, WebhookClaim, WebhookKey } from './queue.ts';

export interface WebhookDeliveryRow {
  event_id: string;
  email_id: string | null;
  event_type: string;
  state: DeliveryState;
  due_at: Date;
  attempts: readonly WebhookAttempt[];
  created_at: Date;
}

/** A delivery with the data needed to send it. */
export interface WholeDeliveryRow extends WebhookDeliveryRow, Pick<WebhookClaim, 'tries' | 'payload'> {}

const KEPT_MS = 30 * DAY_MS;
const STEP_ROWS = 5_000;
/** The limit of one call, which should answer within seconds. */
const MAX_REPLAYED = 100_000;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const OF_ENDPOINT = 'organization_id = $1 AND endpoint_id = $2';
const COLUMNS = 'event_id, email_id, event_type, state, due_at, attempts, created_at';

const page = sql<WebhookDeliveryRow>(
  'webhook_deliveries.page',
  `SELECT ${COLUMNS} FROM webhook_deliveries WHERE ${OF_ENDPOINT} AND event_id < $3
   ORDER BY event_id DESC LIMIT $4`,
  { home: 'cell', organization: '$1' },
);

/** Uses the index of failed deliveries, or skips those that are not: few are pending or failed in a healthy log. */
const pageOfState = sql<WebhookDeliveryRow>(
  'webhook_deliveries.page_of_state',
  `SELECT ${COLUMNS} FROM webhook_deliveries WHERE ${OF_ENDPOINT} AND event_id < $3 AND state = $5
   ORDER BY event_id DESC LIMIT $4`,
  { home: 'cell', organization: '$1' },
);

const selectOne = sql<WholeDeliveryRow>(
  'webhook_deliveries.one',
  `SELECT ${COLUMNS}, tries, payload FROM webhook_deliveries WHERE ${OF_ENDPOINT} AND event_id = $3`,
  { home: 'cell', organization: '$1' },
);

const replay = sql<WebhookDeliveryRow>(
  'webhook_deliveries.replay',
  `UPDATE webhook_deliveries SET state = 'pending', tries = 0, due_at = now()
   WHERE ${OF_ENDPOINT} AND event_id = $3 AND state <> 'pending' RETURNING ${COLUMNS}`,
  { home: 'cell', organization: '$1' },
);

function replayRange(name: string, states: string) {
  return sql<{ event_id: string }>(
    name,
    `UPDATE webhook_deliveries SET state = 'pending', tries = 0, due_at = now()
     WHERE ${OF_ENDPOINT} AND ${states} AND event_id IN (
       SELECT event_id FROM webhook_deliveries
       WHERE ${OF_ENDPOINT} AND ${states} AND event_id >= $3 AND event_id < $4
       ORDER BY event_id LIMIT $5)
     RETURNING event_id`,
    { home: 'cell', organization: '$1' },
  );
}

/** Two statements, so that the one for failed deliveries uses their index. */
const REPLAYS = {
  failed: replayRange('webhook_deliveries.replay_failed', "state = 'failed'"),
  all: replayRange('webhook_deliveries.replay_ended', "state <> 'pending'"),
} as const;

/** Selects the ended events to replay. */
export const REPLAYED_STATES = ['failed', 'all'] as const;
export type ReplayedState = (typeof REPLAYED_STATES)[number];

/** Deletes all deliveries of deleted endpoints, and old deliveries of the others. */
const forget = sql(
  'webhook_deliveries.delete',
  `WITH RECURSIVE logged AS (
     (SELECT endpoint_id AS id FROM webhook_deliveries ORDER BY endpoint_id LIMIT 1)
     UNION ALL
     SELECT (SELECT endpoint_id FROM webhook_deliveries WHERE endpoint_id > logged.id ORDER BY endpoint_id LIMIT 1)
     FROM logged WHERE logged.id IS NOT NULL
   ), old AS (
     SELECT d.organization_id, d.endpoint_id, d.event_id FROM logged
     LEFT JOIN webhook_endpoints e ON e.id = logged.id
     CROSS JOIN LATERAL (
       SELECT organization_id, endpoint_id, event_id FROM webhook_deliveries
       WHERE endpoint_id = logged.id AND (e.id IS NULL OR event_id < $1) AND worker IS NULL
       ORDER BY event_id LIMIT $2) AS d
     LIMIT $2
   )
   DELETE FROM webhook_deliveries d USING old
   WHERE d.organization_id = old.organization_id AND d.endpoint_id = old.endpoint_id AND d.event_id = old.event_id`,
  { home: 'cell' },
);

/** Newest first; `beforeEventId` is the last event of the previous page. */
export function pageOfDeliveries(
  db: Sql,
  { organizationId, endpointId }: EndpointName,
  filter: {
    readonly beforeEventId: string | null;
    readonly limit: number;
    readonly state: DeliveryState | null;
  },
): Promise<WebhookDeliveryRow[]> {
  const params = [organizationId, endpointId, filter.beforeEventId ?? LAST_ID, filter.limit];
  return filter.state === null ? db.many(page, params) : db.many(pageOfState, [...params, filter.state]);
}

export function findDelivery(
  db: Sql,
  { organizationId, endpointId, eventId }: WebhookKey,
): Promise<WholeDeliveryRow | undefined> {
  return db.maybeOne(selectOne, [organizationId, endpointId, eventId]);
}

/** Undefined if there is no such delivery, or if it is already pending. */
export function replayDelivery(
  db: Sql,
  { organizationId, endpointId, eventId }: WebhookKey,
): Promise<WebhookDeliveryRow | undefined> {
  return db.maybeOne(replay, [organizationId, endpointId, eventId]);
}

export interface Replayed {
  readonly count: number;
  /** The time to continue from, if there are more deliveries than one call replays. */
  readonly nextMs: number | null;
}

/** Enqueues the events of `[fromMs, endMs)` again, the oldest first. */
export async function replayDeliveries(
  db: Sql,
  { organizationId, endpointId }: EndpointName,
  which: ReplayedState,
  { fromMs, endMs }: { readonly fromMs: number; readonly endMs: number },
): Promise<Replayed> {
  const end = uuidv7Floor(endMs);
  let from = uuidv7Floor(fromMs);
  let count = 0;
  while (count < MAX_REPLAYED) {
    const rows = await db.many(REPLAYS[which], [organizationId, endpointId, from, end, STEP_ROWS]);
    count += rows.length;
    if (rows.length < STEP_ROWS) return { count, nextMs: null };
    from = rows.reduce((last, { event_id }) => (event_id > last ? event_id : last), from);
  }
  return { count, nextMs: uuidv7Ms(from) };
}

/** Periodic cleanup: attempts are kept for 30 days. */
export async function deleteOldWebhookDeliveries(db: Sql, nowMs: number): Promise<void> {
  while ((await db.exec(forget, [uuidv7Floor(nowMs - KEPT_MS), STEP_ROWS])) === STEP_ROWS);
}

const erase = sql(
  'webhook_deliveries.erase',
  `UPDATE webhook_deliveries d SET attempts = '[]'
   FROM events ev, webhook_endpoints w
   WHERE ev.organization_id = $1 AND ev.email_id = ANY ($2::uuid[]) AND w.organization_id = $1
     AND d.organization_id = $1 AND d.endpoint_id = w.id AND d.event_id = ANY (ARRAY[ev.id, ${startIdIn('ev.id')}])`,
  { home: 'cell', organization: '$1' },
);

/** An endpoint's response may repeat the payload. */
export async function eraseFromWebhookLog(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
): Promise<void> {
  await tx.exec(erase, [organizationId, emailIds]);
}
