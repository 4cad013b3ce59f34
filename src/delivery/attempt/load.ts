/**
 * Loads and renders what is to be delivered, many at once, and never more bytes at a time than a worker should hold.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { BatchFiles } from '../../emails/batch-attachments.ts';
import { renderedContent } from '../../emails/rendered-content.ts';
import { type DeliverableEmail, loadDeliverable } from '../../emails/store-delivery.ts';
import { concernsOne } from '../../kit/database/errors.ts';
import type { Sql } from '../../kit/database/sql.ts';
import { Batcher } from '../../kit/work-loop/batcher.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { TemplateLibrary } from '../../templates/library.ts';

const MAX_BATCH = 200;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const PARALLEL_LOADS = 2;
const BREATHE_AFTER_MS = 5;

export type LoadedEmail = DeliverableEmail & {
  /** Why its content cannot be made. */ readonly unrenderable: string | null;
};
export type LoadEmail = (delivery: ClaimedDelivery) => Promise<LoadedEmail | null>;

export function createLoader(db: Sql, templates: TemplateLibrary): LoadEmail {
  const batchFiles = new BatchFiles(db);
  const batcher = new Batcher<ClaimedDelivery, LoadedEmail | null>({
    flush: async (deliveries) =>
      renderAll(templates, deliveries, await loadDeliverable(db, batchFiles, deliveries)),
    maxBatchItems: MAX_BATCH,
    maxQueuedItems: Number.POSITIVE_INFINITY, // bounded by the work in hand
    weigh: (delivery) => delivery.size,
    maxBatchWeight: MAX_BATCH_BYTES,
    parallel: PARALLEL_LOADS,
    retryAlone: concernsOne,
  });
  return (delivery) => batcher.add(delivery);
}

/** One after the other, with a turn for connections and leases in between. */
async function renderAll(
  templates: TemplateLibrary,
  deliveries: readonly ClaimedDelivery[],
  stored: readonly (DeliverableEmail | null)[],
): Promise<(LoadedEmail | null)[]> {
  await findTemplates(templates, deliveries, stored);
  const emails: (LoadedEmail | null)[] = [];
  let sinceMs = performance.now();
  for (const [index, email] of stored.entries()) {
    emails.push(email && (await render(templates, deliveries[index] as ClaimedDelivery, email)));
    if (performance.now() - sinceMs < BREATHE_AFTER_MS) continue;
    await breathe();
    sinceMs = performance.now();
  }
  return emails;
}

/** All that are needed at once, each one once. */
async function findTemplates(
  templates: TemplateLibrary,
  deliveries: readonly ClaimedDelivery[],
  stored: readonly (DeliverableEmail | null)[],
): Promise<void> {
  await Promise.all(
    stored.map((email, index) => {
      const { organizationId } = deliveries[index] as ClaimedDelivery;
      if (!email || email.template_id === null || email.template_version === null) return null;
      const pin = { version: email.template_version, builtWith: email.built_with, locale: email.locale };
      return templates.version(organizationId, email.template_id, pin);
    }),
  );
}

async function render(
  templates: TemplateLibrary,
  { organizationId }: ClaimedDelivery,
  email: DeliverableEmail,
): Promise<LoadedEmail | null> {
  const content = await renderedContent(templates, organizationId, email);
  if (content.kind === 'gone') return null;
  if (content.kind === 'unrenderable') return { ...email, unrenderable: content.message };
  return { ...email, html: content.html, text: content.text, unrenderable: null };
}
