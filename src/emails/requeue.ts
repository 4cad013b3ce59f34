/** Puts final recipients back into the outbox as if newly accepted: with a fresh lifetime, and attempts from 1. */

import { type Sql, sql } from '../database/sql.ts';
import { appendEvents } from '../events/append.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { LifetimeMs } from '../outbox/lifetime.ts';
import type { DeliveryKey } from '../outbox/states.ts';
import type { EmailAddress } from '../protocols/message/address.ts';
import { domainOf } from '../protocols/message/address.ts';
import { storedEmail } from '../protocols/message/stored.ts';
import type { Mode } from '../runtime/config.ts';
import { applyOutcomes, span } from './outcomes.ts';

export interface FinalDelivery extends DeliveryKey {
  readonly address: EmailAddress;
  readonly attempts: number;
  readonly priority: number;
  readonly mode: Mode;
  /** The lifetime that the sender gave, in seconds. */
  readonly expiresIn: number | null;
}

const contentSizes = sql<{ email_id: string; size: number }>(
  'email_contents.sizes',
  `SELECT c.email_id, (coalesce(octet_length(html), 0) + coalesce(octet_length(text), 0)
           + coalesce(octet_length(template_data::text), 0) + coalesce(octet_length(mime), 0)
           + (SELECT coalesce(sum(octet_length(a.content)), 0) FROM attached_files a
              WHERE a.organization_id = c.organization_id AND a.email_id = c.email_id))::int AS size
   FROM email_contents c
   WHERE c.organization_id = $1 AND c.email_id = ANY ($2::uuid[]) AND c.email_id BETWEEN $3 AND $4
   ORDER BY c.email_id FOR SHARE OF c`,
  { home: 'cell', organization: '$1' },
);

/**
 * Content sizes by email. Emails without content cannot be sent any more, and emails whose content was moved (`moved/`) must be
 * restored first. Locks the content until the transaction ends.
 */
export async function contentSizesOf(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (emailIds.length === 0) return new Map();
  const rows = await tx.many(contentSizes, [organizationId, emailIds, ...span(emailIds)]);
  return new Map(rows.map((row) => [row.email_id, row.size]));
}

/** Part of the transaction that has locked their emails. `sizes` must contain all of them. */
export async function requeue(
  tx: Sql,
  deliveries: readonly FinalDelivery[],
  sizes: ReadonlyMap<string, number>,
  { lifetimeMs, nowMs }: { readonly lifetimeMs: LifetimeMs; readonly nowMs: number },
): Promise<void> {
  await enqueue(
    tx,
    deliveries.map(({ address, expiresIn, ...one }) => ({
      ...one,
      ...{ domain: domainOf(storedEmail(address)), size: sizes.get(one.emailId) as number },
      ...{ dueAtMs: nowMs, expiresAtMs: nowMs + lifetimeMs(expiresIn) },
    })),
  );
  const queued = deliveries.map((one) => ({ ...one, state: 'queued' as const, atMs: nowMs }));
  await applyOutcomes(tx, queued, nowMs);
}

/** Appends the events of the new attempts, with their reason. */
export async function appendRequeuedEvents(
  tx: Sql,
  deliveries: readonly (DeliveryKey & { readonly address: string })[],
  reason: string,
  atMs: number,
): Promise<void> {
  await appendEvents(
    tx,
    deliveries.map(({ organizationId, emailId, position, address }) => ({
      ...{ organizationId, emailId, position, recipient: address, atMs },
      ...{ type: 'queued', reason },
    })),
  );
}
