/** Loads and renders the emails to deliver, in batches that are bounded by their bytes. */

import { concernsOne } from '../../database/errors.ts';
import type { Sql } from '../../database/sql.ts';
import { BatchFiles } from '../../emails/batch-attachments.ts';
import { renderedContent } from '../../emails/rendered-content.ts';
import { type DeliverableEmail, loadDeliverable } from '../../emails/store-delivery.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import { Turns } from '../../runtime/turns.ts';
import { Batcher } from '../../runtime/work-loop/batcher.ts';
import type { TemplateLibrary } from '../../templates/library.ts';

const MAX_BATCH = 200;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const PARALLEL_LOADS = 2;

export type LoadedEmail = DeliverableEmail & {
  /** Why the template cannot be rendered. */ readonly unrenderable: string | null;
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

/** Renders one email after the other. Yields to the event loop, so that connections and the lease are served in between. */
async function renderAll(
  templates: TemplateLibrary,
  deliveries: readonly ClaimedDelivery[],
  stored: readonly (DeliverableEmail | null)[],
): Promise<(LoadedEmail | null)[]> {
  await findTemplates(templates, deliveries, stored);
  const emails: (LoadedEmail | null)[] = [];
  const turns = new Turns();
  for (const [index, email] of stored.entries()) {
    emails.push(email && (await render(templates, deliveries[index] as ClaimedDelivery, email)));
    if (turns.isOver) await turns.next();
  }
  return emails;
}

/** Loads all templates of the batch at once, each template once. */
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
