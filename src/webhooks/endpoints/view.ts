/** The public form of endpoints and deliveries. */
import { EVENT_TYPES } from '../../events/append.ts';
import { ATTENTION_EVENT_TYPES } from '../../events/attention-events.ts';
import { CANARY_EVENT_TYPES } from '../../events/canary-events.ts';
import { DOMAIN_EVENT_TYPES } from '../../events/domain-events.ts';
import { eventId } from '../../events/read.ts';
import { SUPPRESSION_EVENT_TYPES } from '../../events/suppression-events.ts';
import type { WebhookDeliveryRow } from '../log.ts';
import type { WebhookStatsRow } from '../log-stats.ts';
import type { WithMail } from '../mail-of-deliveries.ts';
import type { DeliveryWithRequest } from './described-request.ts';
import { subscribedTypes } from './formats.ts';
import { TYPE_PREFIX, type WebhookType } from './schema.ts';
import { secretText } from './secret.ts';
import type { EndpointRow, StoredType } from './store.ts';

export function endpointView(row: EndpointRow) {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    event_types: subscribedTypes(row.format, row.event_types)?.map(publicType) ?? null,
    streams: row.streams && [...row.streams],
    format: row.format,
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    disabled_at: row.disabled_at,
    failing_since: row.failing_since,
    last_error: row.last_error,
    last_error_at: row.last_error_at,
    previous_secret_expires_at: row.previous_until,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function endpointWithSecretView(row: EndpointRow, secret: Buffer) {
  return { ...endpointView(row), secret: secretText(secret) };
}

export function deliveryView(row: WithMail<WebhookDeliveryRow>) {
  return {
    id: eventId(row.event_id),
    type: publicType(row.event_type),
    email_id: row.email_id,
    recipient: row.recipient,
    subject: row.subject,
    status: row.state,
    next_attempt_at: row.state === 'pending' ? row.due_at : null,
    attempts: row.attempts.map((one) => ({ response_headers: null, ...one })),
    created_at: row.created_at,
  };
}

export function deliveryWithRequestView({ row, url, request }: DeliveryWithRequest) {
  return {
    ...deliveryView(row),
    request: request && { method: 'POST' as const, url, headers: { ...request.headers }, body: request.body },
  };
}

export function statsView(row: WebhookStatsRow) {
  return {
    events: row.events,
    since: row.since,
    delivered: row.delivered,
    pending: row.pending,
    failed: row.failed,
    calls: row.calls,
    calls_succeeded: row.calls_succeeded,
    success_rate: row.calls === 0 ? null : row.calls_succeeded / row.calls,
    latency_p50_ms: row.p50_ms,
    latency_p95_ms: row.p95_ms,
    next_attempt_at: row.next_attempt_at,
  };
}

/** The public form of `delivered` is `email.delivered`; tests and domain events are stored in their public form. */
export function publicType(type: string): string {
  return type.includes('.') ? type : `${TYPE_PREFIX}${type}`;
}

export function storedType(type: WebhookType): StoredType {
  const asTold = [
    ...DOMAIN_EVENT_TYPES,
    ...SUPPRESSION_EVENT_TYPES,
    ...ATTENTION_EVENT_TYPES,
    ...CANARY_EVENT_TYPES,
  ].find((one) => one === type);
  if (asTold !== undefined) return asTold;
  const stored = EVENT_TYPES.find((one) => type === `${TYPE_PREFIX}${one}`);
  if (stored === undefined) throw new Error(`An unknown event type passed the schema: ${type}`);
  return stored;
}
