/**
 * The append-only log of what happened to every delivery. This module is its one writer.
 *
 * What is appended is also put on its way to the webhook endpoints that want it: in the same statement, so that an
 * event and its webhook deliveries exist together or not at all, and that an endpoint hears of every event whose
 * transaction began after the endpoint was committed. No cache of endpoints to be stale, and no second round trip.
 * Without an endpoint the join finds nothing to do; what that costs is in bench/RESULTS.md (webhooks).
 */
import { type Sql, sql } from '../kit/database/sql.ts';
import { uuidv7 } from '../kit/runtime/ids.ts';

export const EVENT_TYPES = [
  'queued',
  'processing',
  'delivered',
  'opened',
  'bounced',
  'deferred',
  'failed',
  'complained',
  'unsubscribed',
  'rejected',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export interface NewEvent {
  readonly organizationId: string;
  readonly emailId: string;
  readonly position: number;
  readonly recipient: string;
  readonly type: EventType;
  readonly atMs: number;
  readonly attempt?: number | null;
  readonly mxHost?: string | null;
  readonly smtpCode?: number | null;
  readonly smtpMessage?: string | null;
  readonly enhancedCode?: string | null;
  readonly reason?: string | null;
  readonly tls?: string | null;
  readonly tlsCertificate?: object | null;
  readonly nextAttemptAtMs?: number | null;
  /** What fetched the pixel of an `opened` event: bounded and clean. */
  readonly userAgent?: string | null;
}

const insert = sql(
  'events.append',
  `WITH new AS MATERIALIZED (
     SELECT * FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::smallint[], $5::text[], $6::text[], $7::float8[],
                          $8::smallint[], $9::text[], $10::smallint[], $11::text[], $12::text[], $13::text[],
                          $14::text[], $15::float8[], $16::text[], $17::jsonb[])
            AS new(o, e, i, p, r, t, at, attempt, mx, code, message, enhanced, reason, tls, next, agent, certificate)
   ), appended AS (
     INSERT INTO events (organization_id, email_id, id, position, recipient, type, created_at, attempt, mx_host,
                         smtp_code, smtp_message, enhanced_code, reason, tls, next_attempt_at, user_agent, tls_certificate)
     SELECT o, e, i, p, r, t, to_timestamp(at / 1000.0), attempt, mx, code, message, enhanced, reason, tls,
            to_timestamp(next / 1000.0), agent, certificate
     FROM new
   )
   INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, email_id, event_type, due_at, created_at)
   SELECT w.id, new.i, new.o, new.e, new.t, now(), to_timestamp(new.at / 1000.0)
   FROM webhook_endpoints w JOIN new ON new.o = w.organization_id
   WHERE w.enabled AND (w.event_types IS NULL OR new.t = ANY (w.event_types))`,
);

/** Ids are made here, in the order given, so that events of one email read in the order they happened. */
export async function appendEvents(tx: Sql, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.exec(insert, [
    events.map((event) => event.organizationId),
    events.map((event) => event.emailId),
    events.map((event) => uuidv7(event.atMs)),
    events.map((event) => event.position),
    events.map((event) => event.recipient),
    events.map((event) => event.type),
    events.map((event) => event.atMs),
    events.map((event) => event.attempt ?? null),
    events.map((event) => event.mxHost ?? null),
    events.map((event) => event.smtpCode ?? null),
    events.map((event) => event.smtpMessage ?? null),
    events.map((event) => event.enhancedCode ?? null),
    events.map((event) => event.reason ?? null),
    events.map((event) => event.tls ?? null),
    events.map((event) => event.nextAttemptAtMs ?? null),
    events.map((event) => event.userAgent ?? null),
    events.map((event) => (event.tlsCertificate ? JSON.stringify(event.tlsCertificate) : null)),
  ]);
}
