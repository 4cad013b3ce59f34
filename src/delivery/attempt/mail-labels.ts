/** What the outcome of a delivery is counted by. */
import { domainOf } from '../../kit/message/address.ts';
import { type ClaimedDelivery, wasPutOff } from '../../outbox/states.ts';
import type { CountedDelivery } from '../../stats/delivery-counts.ts';
import type { ConnectionSlot } from '../scheduler/connection-slot.ts';
import type { DeliveryRecord, Finished, MailLabels } from './delivery-record.ts';
import type { LoadedEmail } from './load.ts';

export function labelsOf(
  { organizationId }: ClaimedDelivery,
  { site }: ConnectionSlot,
  email: LoadedEmail,
): MailLabels {
  const { from, recipient, template_id: templateId, template_version: templateVersion, tags, keyId } = email;
  const sinceMs = Math.max(email.createdAtMs, email.scheduledAtMs ?? 0);
  const fromDomain = domainOf(from.email);
  return { organizationId, site, fromDomain, templateId, templateVersion, recipient, tags, keyId, sinceMs };
}

/** Mail that was rejected before anybody was asked was not sent. */
export function toCounted({ delivery, verdict, atMs, attemptLog, labels }: Finished): CountedDelivery[] {
  if (verdict.kind === 'rejected') return [];
  const { organizationId, attempt } = delivery;
  const reason = attemptLog?.reason ?? verdict.reason ?? null;
  return [
    { organizationId, atMs, isFirst: attempt === 1, outcome: verdict.kind, reason, labels: labels ?? null },
  ];
}

/**
 * How long a mail took that its site accepted at the first attempt; null for all others, and for mail that was held or had to
 * wait for a turn of its stream: that says nothing of the site.
 */
export function tookAtOnce(
  record: DeliveryRecord,
): { readonly site: string; readonly tookMs: number } | null {
  if (record.kind !== 'finished' || record.verdict.kind !== 'delivered' || record.delivery.attempt > 1)
    return null;
  const { atMs, labels, delivery } = record;
  if (!labels?.site || labels.sinceMs === null || wasPutOff(delivery, labels.sinceMs)) return null;
  return { site: labels.site.name, tookMs: atMs - labels.sinceMs };
}
