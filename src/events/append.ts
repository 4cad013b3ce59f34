/**
 * The append-only log of what happened to every delivery. This module is its one writer.
 *
 * The same function also enqueues each event for the webhook endpoints that subscribe to it. So an event and its webhook
 * deliveries exist together or not at all, and an endpoint gets every event whose transaction began after the endpoint was
 * committed. There is no cache of endpoints to become stale, and no second round trip. Without an endpoint there is nothing
 * more to do; bench/RESULTS.md (webhooks) has the cost.
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

/** Types of events that leave the state of an email as it was. */
export const TYPES_WITHOUT_STATE: readonly EventType[] = ['unsubscribed', 'held'];

export interface NewEvent {
  /** Generated from `atMs` if it is missing. */
  readonly id?: string;
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
  /**
   * The user agent that fetched the pixel of an `opened` event or followed the link of a `clicked` one, sanitized and bounded.
   */
  readonly userAgent?: string | null;
  /** The link of a `clicked` event. */
  readonly url?: string | null;
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

/** Ids are generated here in the given order, so that the events of one email are read in the order in which they happened. */
export async function appendEvents(tx: Sql, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.exec(insert, [
    events.map((event) => event.organizationId),
    events.map((event) => event.emailId),
    events.map((event) => event.id ?? uuidv7(event.atMs)),
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
