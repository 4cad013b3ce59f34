/**
 * The events that each format supports. `postrider` is Postrider's own format and supports all; the others follow services that
 * customers have written code for. webhooks/dispatch/formats/ composes them.
 */
import type { StoredType, WebhookFormat } from './store.ts';

export type ForeignFormat = Exclude<WebhookFormat, 'postrider'>;

const EVERY_SERVICE_TELLS = ['delivered', 'opened', 'clicked', 'bounced', 'failed', 'complained'] as const;

export const FORMAT_EVENT_TYPES: Readonly<Record<ForeignFormat, readonly StoredType[]>> = {
  resend: [...EVERY_SERVICE_TELLS, 'queued', 'processing', 'deferred', 'rejected'],
  sendgrid: [...EVERY_SERVICE_TELLS, 'processing', 'deferred', 'rejected', 'unsubscribed'],
  postmark: [...EVERY_SERVICE_TELLS, 'unsubscribed'],
};

type Types = readonly StoredType[] | null;

/** The types to enqueue for an endpoint that subscribes to these types, or to all: only types that its format supports. */
export function typesInLine(format: WebhookFormat, wanted: Types): Types {
  return wanted ?? (format === 'postrider' ? null : FORMAT_EVENT_TYPES[format]);
}

export function subscribedTypes(format: WebhookFormat, inLine: Types): Types {
  if (inLine === null || format === 'postrider') return inLine;
  const told = FORMAT_EVENT_TYPES[format];
  const isAll = told.length === inLine.length && inLine.every((type) => told.includes(type));
  return isAll ? null : inLine;
}

/** Whether an endpoint with these types is ever called. */
export function includesAnyType(format: WebhookFormat, wanted: Types): boolean {
  if (wanted === null || format === 'postrider') return true;
  return wanted.some((type) => FORMAT_EVENT_TYPES[format].includes(type));
}
