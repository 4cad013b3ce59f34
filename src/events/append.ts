/**
 * The append-only log of what happened to every delivery. This module is its one writer.
 *
 * What is appended is also put on its way to the webhook endpoints that want it: by the same function, so that an
 * event and its webhook deliveries exist together or not at all, and that an endpoint hears of every event whose
 * transaction began after the endpoint was committed. No cache of endpoints to be stale, and no second round trip.
 * Without an endpoint there is nothing more to do; what that costs is in bench/RESULTS.md (webhooks).
 */
import { optionalColumn } from '../database/call.ts';
import { type Sql, sql } from '../database/sql.ts';
import { uuidv7 } from '../runtime/ids.ts';

export const EVENT_TYPES = [
  'queued',
  'processing',
  'held',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'deferred',
  'failed',
  'complained',
  'unsubscribed',
  'rejected',
  'received',
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
  /** What fetched the pixel of an `opened` event, or followed the link of a `clicked` one: bounded and clean. */
  readonly userAgent?: string | null;
  /** The link of a `clicked` event. */
  readonly url?: string | null;
  /** The hold of a `held` event. */
  readonly hold?: { readonly id: string; readonly reason: string } | null;
}

const insert = sql(
  'events.append',
  `SELECT append_events(
     organization_ids => $1, email_ids => $2, event_ids => $3, positions => $4, recipients => $5, types => $6,
     happened => $7, event_numbers => NULL, attempts => $8, mx_hosts => $9, smtp_codes => $10, smtp_messages => $11,
     enhanced_codes => $12, reasons => $13, tls => $14, next_attempts => $15, user_agents => $16,
     tls_certificates => $17, urls => $18, holds => $19)`,
  { home: 'cell', organization: '$1' },
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
    optionalColumn(events, (event) => event.attempt ?? null),
    optionalColumn(events, (event) => event.mxHost ?? null),
    optionalColumn(events, (event) => event.smtpCode ?? null),
    optionalColumn(events, (event) => event.smtpMessage ?? null),
    optionalColumn(events, (event) => event.enhancedCode ?? null),
    optionalColumn(events, (event) => event.reason ?? null),
    optionalColumn(events, (event) => event.tls ?? null),
    optionalColumn(events, (event) => event.nextAttemptAtMs ?? null),
    optionalColumn(events, (event) => event.userAgent ?? null),
    optionalColumn(events, ({ tlsCertificate }) => (tlsCertificate ? JSON.stringify(tlsCertificate) : null)),
    optionalColumn(events, (event) => event.url ?? null),
    optionalColumn(events, ({ hold }) => (hold ? JSON.stringify(hold) : null)),
  ]);
}
