/** Finds the links of a mail that composing replaces with tracked links, as they are written in the mail. */
import type { DeliverableEmail } from '../../emails/store-delivery.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import { type Redirect, redirectingLinks } from '../../protocols/message/links/html-links.ts';
import { redirectingTextLinks } from '../../protocols/message/links/text-links.ts';
import { readingText, showing } from '../../protocols/message/reading/shown-message.ts';
import { clickRedirect, type TrackingLinks } from '../../protocols/message/tracking-links.ts';
import type { SlicedWork } from '../../runtime/sliced-work.ts';
import { ownField } from './compose.ts';

type Bodies = Pick<DeliverableEmail, 'html' | 'text'>;

export function* findingTrackedLinks(
  delivery: ClaimedDelivery,
  email: DeliverableEmail,
  links: TrackingLinks | null,
): SlicedWork<string[]> {
  const clicks = email.options.track_clicks;
  if (links === null || clicks === undefined) return [];
  const found = new Set<string>();
  const redirect = clickRedirect(links, delivery, ownField(email, 'list-unsubscribe'));
  const note: Redirect = (url) => {
    const instead = redirect(url);
    if (instead !== null) found.add(url);
    return instead;
  };
  const { html, text } = yield* readingBodies(email);
  if (html !== null) yield* redirectingLinks(html, note);
  if (text !== null && clicks === 'html_and_text') yield* redirectingTextLinks(text, note);
  return [...found];
}

function* readingBodies({ mime, html, text }: DeliverableEmail): SlicedWork<Bodies> {
  if (mime === null) return { html, text };
  const shown = yield* showing(mime);
  if (shown.isSealed) return { html: null, text: null };
  return {
    html: shown.html && (yield* readingText(shown.html)),
    text: shown.text && (yield* readingText(shown.text)),
  };
}
