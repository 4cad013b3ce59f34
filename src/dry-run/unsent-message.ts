/**
 * The message of a stored email, composed as for its first recipient and not signed. Messages to other
 * recipients differ only in their tracking and unsubscribe links.
 */

import type { Database } from '../database/database.ts';
import { composeDelivery, linksFor, returnPathFor } from '../delivery/attempt/compose.ts';
import type { OutgoingDeps } from '../delivery/attempt/outgoing.ts';
import { findingTrackedLinks } from '../delivery/attempt/tracked-links.ts';
import { BatchFiles } from '../emails/batch-attachments.ts';
import { renderedContent } from '../emails/rendered-content.ts';
import { type DeliverableEmail, loadDeliverable } from '../emails/store-delivery.ts';
import type { ClaimedDelivery } from '../outbox/states.ts';
import { domainOf } from '../protocols/message/address.ts';
import { writingWire } from '../protocols/message/compose.ts';
import { DAY_MS } from '../runtime/durations.ts';
import { inTurns } from '../runtime/sliced-work.ts';
import type { TemplateLibrary } from '../templates/library.ts';

export interface UnsentMessageDeps {
  readonly db: Database;
  readonly outgoing: Pick<OutgoingDeps, 'returnPath' | 'links'>;
  readonly templates: TemplateLibrary;
}

type UnsentMessage =
  | { readonly kind: 'message'; readonly wire: Buffer; readonly trackedLinks: readonly string[] }
  /** The content is not, or no longer, in the database. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'unrenderable'; readonly message: string };

export async function writeUnsentMessage(
  { db, outgoing, templates }: UnsentMessageDeps,
  organizationId: string,
  emailId: string,
): Promise<UnsentMessage> {
  const cell = db.of(organizationId);
  const first = { organizationId, emailId, position: 0 };
  const [stored] = await loadDeliverable(cell, new BatchFiles(cell), [first]);
  if (stored == null) return { kind: 'gone' };
  const content = await renderedContent(templates, organizationId, stored);
  if (content.kind !== 'content') return content;
  const email: DeliverableEmail = { ...stored, html: content.html, text: content.text };
  const delivery = deliveryOf(first, email);
  const returnPath = await returnPathFor(email, outgoing.returnPath);
  const links = await linksFor(email, delivery, outgoing.links);
  const { message } = await inTurns(composeDelivery(delivery, email, returnPath, links));
  const wire = await inTurns(writingWire(message));
  return { kind: 'message', wire, trackedLinks: await inTurns(findingTrackedLinks(delivery, email, links)) };
}

/** Uses the email's times, because the first attempt has not happened yet. */
function deliveryOf(
  key: Pick<ClaimedDelivery, 'organizationId' | 'emailId' | 'position'>,
  { createdAtMs, recipient }: DeliverableEmail,
): ClaimedDelivery {
  return {
    ...key,
    domain: domainOf(recipient),
    ...{ priority: 0, attempt: 1, size: 0, dueAtMs: 0, waitedMs: 0 },
    firstAttemptAtMs: createdAtMs,
    expiresAtMs: createdAtMs + DAY_MS,
  };
}
