/** The labels that the outcome of a delivery is counted by. */

import type { CountedDelivery } from '../../counters/delivery-counts.ts';
import { type ClaimedDelivery, wasPutOff } from '../../outbox/states.ts';
import { domainOf } from '../../protocols/message/address.ts';
import type { ConnectionSlot } from '../scheduler/connection-slot.ts';
import type { TransportOutcome } from '../transports/transport-outcome.ts';
import type { DeliveryRecord, Finished, MailLabels } from './delivery-record.ts';
import type { LoadedEmail } from './load.ts';

export function labelsOf(
  { organizationId }: ClaimedDelivery,
  { site }: ConnectionSlot,
  email: LoadedEmail,
): MailLabels {
  const { from, recipient, template_id: templateId, template_version: templateVersion } = email;
  const { tags, stream, keyId } = email;
  const sinceMs = Math.max(email.createdAtMs, email.scheduledAtMs ?? 0);
  const fromDomain = domainOf(from.email);
  const about = { fromDomain, templateId, templateVersion, recipient, tags, stream, keyId };
  return { organizationId, site, ...about, sinceMs };
}

/** Mail that was rejected before an attempt was not sent, and is not counted. */
export function toCounted({ delivery, verdict, atMs, attemptLog, labels }: Finished): CountedDelivery[] {
  if (verdict.kind === 'rejected') return [];
  const { organizationId, attempt } = delivery;
  const reason = attemptLog?.reason ?? verdict.reason ?? null;
  return [
    { organizationId, atMs, isFirst: attempt === 1, outcome: verdict.kind, reason, labels: labels ?? null },
  ];
}

/**
 * The delivery time of mail that its site accepted at the first attempt; null for other mail. Also null for mail that was held or
 * waited for its stream's rate limit, because its time says nothing about the site.
 */
export function firstAttemptTime(
  record: DeliveryRecord,
): { readonly site: string; readonly tookMs: number } | null {
  if (record.kind !== 'finished' || record.verdict.kind !== 'delivered' || record.delivery.attempt > 1)
    return null;
  const { atMs, labels, delivery } = record;
  if (!labels?.site || labels.sinceMs === null || wasPutOff(delivery, labels.sinceMs)) return null;
  return { site: labels.site.name, tookMs: atMs - labels.sinceMs };
}

/** Null where no transport of the route table was used. */
export function transportOutcomeOf(record: DeliveryRecord): TransportOutcome | null {
  if (record.kind !== 'finished') return null;
  const { delivery, verdict, attemptLog, labels, atMs } = record;
  if (!attemptLog?.route || !labels?.site) return null;
  return {
    route: attemptLog.route,
    provider: labels.site.provider,
    outcome: verdict.kind,
    reason: attemptLog.reason,
    isFirstAttempt: delivery.attempt === 1,
    atMs,
  };
}
