/**
 * The webhook message: the event and its email in the endpoint's format. Every attempt sends the same bytes, unless the format
 * was changed in between: the receiving code has changed then, too.
 */

import type { Sql } from '../../database/sql.ts';
import { traceparentOfAttempt } from '../../emails/origin.ts';
import { eventId } from '../../events/read.ts';
import type { FileLinks } from '../../received/download-link.ts';
import type { ForeignFormat } from '../endpoints/formats.ts';
import { TEST_TYPE } from '../endpoints/schema.ts';
import type { WebhookFormat } from '../endpoints/store.ts';
import type { WebhookClaim } from '../queue.ts';
import type { MailFacts } from './formats/mail-facts.ts';
import { postmarkBody } from './formats/postmark.ts';
import { envelope, postriderBody } from './formats/postrider.ts';
import { resendBody } from './formats/resend.ts';
import { sendgridBody } from './formats/sendgrid.ts';
import { loadMailFacts, type MessageRequest, type ReasonMeanings } from './load-facts.ts';
import { loadReceived, RECEIVED, testReceived } from './received-message.ts';
import { type AccountEventType, testAccountEvent, testedType, testFacts } from './test-facts.ts';

/** The dependencies for composing messages. */
export interface MessageContext {
  readonly reasons: ReasonMeanings;
  /** Links to the files of received mail. */
  readonly links: FileLinks;
}

export interface WebhookMessage {
  readonly id: string;
  readonly body: string;
  /** The parent trace context; null if the email is not traced. */
  readonly parent: string | null;
}

/** `removed`: the event's email was removed. `no_word`: the format has no such event. */
export type LoadedMessage = WebhookMessage | 'removed' | 'no_word';

const FOREIGN: Readonly<Record<ForeignFormat, (mail: MailFacts) => object | null>> = {
  resend: resendBody,
  sendgrid: sendgridBody,
  postmark: postmarkBody,
};

/** For each claim, in order. An event for several endpoints in one format is composed once. */
export async function loadMessages(
  db: Sql,
  asked: readonly MessageRequest[],
  { reasons, links }: MessageContext,
): Promise<LoadedMessage[]> {
  const isReceived = ({ claim }: MessageRequest) => claim.eventType === RECEIVED && claim.emailId !== null;
  const facts = await loadMailFacts(
    db,
    asked.filter((one) => !isReceived(one)),
    reasons,
  );
  const received = await loadReceived(
    db,
    asked.filter(isReceived).map(({ claim }) => claim),
    links,
  );
  const written = new Map<string, LoadedMessage>();
  return asked.map(({ claim, format }) => {
    if (isReceived({ claim, format })) return bodyOfReceived(claim, format, received.get(claim.eventId));
    if (claim.emailId === null) return message(claim, bodyWithoutMail(claim, format));
    const key = `${format} ${claim.eventId}`;
    const told = written.get(key) ?? bodyOfMail(claim, format, facts.get(claim.eventId));
    written.set(key, told);
    return told;
  });
}

/** Other services report received mail in ways that need more than one body. */
function bodyOfReceived(claim: WebhookClaim, format: WebhookFormat, body: object | undefined): LoadedMessage {
  if (body === undefined) return 'removed';
  return format === 'postrider' ? message(claim, body) : 'no_word';
}

function bodyOfMail(claim: WebhookClaim, format: WebhookFormat, mail: MailFacts | undefined): LoadedMessage {
  if (mail === undefined) return 'removed';
  const body = format === 'postrider' ? postriderBody(mail) : FOREIGN[format](mail);
  return message(claim, body, parentOf(mail));
}

/**
 * For an event about a domain, or a test. Other services report domains differently, and test an endpoint with an ordinary
 * event.
 */
export function bodyWithoutMail(claim: WebhookClaim, format: WebhookFormat): object | null {
  const { eventId: event, eventType, endpointId, createdAt, payload } = claim;
  if (eventType === RECEIVED) return format === 'postrider' ? testReceived(claim) : null;
  const isTest = eventType === TEST_TYPE;
  const isOfMail = isTest || testedType(eventType) !== null;
  if (format !== 'postrider') return isOfMail ? FOREIGN[format](testFacts(claim)) : null;
  const id = eventId(event);
  if (isTest) return envelope(TEST_TYPE, createdAt, { id, webhook_id: endpointId, test: true });
  if (isOfMail) return postriderBody(testFacts(claim));
  const data = payload ?? testAccountEvent(eventType as AccountEventType, createdAt);
  return envelope(eventType, createdAt, { id, type: eventType, ...data, created_at: createdAt });
}

function message(claim: WebhookClaim, body: object | null, parent: string | null = null): LoadedMessage {
  return body === null ? 'no_word' : { id: eventId(claim.eventId), body: JSON.stringify(body), parent };
}

/** The attempt that the event reports, or else the email. */
function parentOf({ event: { position, attempt }, email }: MailFacts): string | null {
  const { traceparent = null } = email.origin;
  if (traceparent === null || attempt === null) return traceparent;
  return traceparentOfAttempt(traceparent, { emailId: email.id, position, attempt });
}
