/**
 * The webhook message: the event and its email in the endpoint's format. Every attempt sends the same bytes, unless the format
 * was changed in between: the receiving code has changed then, too.
 */
import type { Sql } from '../../database/sql.ts';
import { traceparentOfAttempt } from '../../emails/origin.ts';
import { eventId } from '../../events/read.ts';
import type { FileLinks } from '../../received/download-link.ts';
import { findThese } from '../../received/store-read.ts';
import { MAX_EVENT_TEXT_CHARS, receivedEventView } from '../../received/view.ts';
import type { ForeignFormat } from '../endpoints/formats.ts';
import { TEST_TYPE, TYPE_PREFIX } from '../endpoints/schema.ts';
import type { WebhookFormat } from '../endpoints/store.ts';
import type { WebhookClaim } from '../queue.ts';
import type { MailFacts } from './formats/mail-facts.ts';
import { postmarkBody } from './formats/postmark.ts';
import { envelope, postriderBody } from './formats/postrider.ts';
import { resendBody } from './formats/resend.ts';
import { sendgridBody } from './formats/sendgrid.ts';
import { loadMailFacts, type MessageRequest, type ReasonMeanings } from './load-facts.ts';
import { type AccountEventType, testAccountEvent, testedType, testFacts } from './test-facts.ts';

/** The dependencies for composing messages. */
export interface MessageContext {
  readonly reasons: ReasonMeanings;
  readonly links: FileLinks;
}

export interface WebhookMessage {
  readonly id: string;
  readonly body: string;
  /** The parent trace context; null if the email is not traced. */
  readonly parent: string | null;
}

/** `removed`: the event's email was removed. `no_word`: the format has no such event. */
type LoadedMessage = WebhookMessage | 'removed' | 'no_word';

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

/** The webhook message about received mail: the mail itself, with links to its files. */
const RECEIVED = 'received';

/** By the event's id. Missing mail was removed. */
async function loadReceived(
  db: Sql,
  claims: readonly WebhookClaim[],
  links: FileLinks,
): Promise<Map<string, object>> {
  if (claims.length === 0) return new Map();
  const asked = claims.map(({ organizationId, emailId }) => ({ organizationId, id: emailId as string }));
  const rows = new Map(
    (await findThese(db, asked, MAX_EVENT_TEXT_CHARS + 1)).map((row) => [
      `${row.organization_id} ${row.id}`,
      row,
    ]),
  );
  return new Map(
    claims.flatMap((claim) => {
      const row = rows.get(`${claim.organizationId} ${claim.emailId}`);
      return row === undefined
        ? []
        : [[claim.eventId, receivedBody(claim, receivedEventView(row, links))] as const];
    }),
  );
}

function receivedBody(
  { eventId: event, createdAt }: WebhookClaim,
  { id, ...told }: ReturnType<typeof receivedEventView>,
): object {
  const about = { id: eventId(event), type: RECEIVED, received_id: id };
  return envelope(`${TYPE_PREFIX}${RECEIVED}`, createdAt, { ...about, ...told });
}

/** Sample received mail for a test. */
function testReceived(claim: WebhookClaim): object {
  const row = {
    organization_id: claim.organizationId,
    id: NO_MAIL,
    received_at: claim.createdAt,
    state: 'read' as const,
    mail_from: 'sender@example.org',
    recipients: ['support@example.com'],
    route_ids: [],
    remote_address: '192.0.2.1',
    helo: 'mail.example.org',
    secured: true,
    size: 512,
    from_email: 'sender@example.org',
    from_name: null,
    subject: 'A test of this webhook',
    message_id: '<test@example.org>',
    details: null,
    authentication: null,
    scans: null,
    automatic: false,
    problem: null,
    conversation_id: NO_MAIL,
    reply_to_email_id: null,
    token_email_id: null,
    has_source: false,
    text: 'Hello.\n\n> What you wrote.',
    html: null,
    reply: 'Hello.',
  };
  return receivedBody(claim, receivedEventView(row, { of: () => '' }));
}

const NO_MAIL = '00000000-0000-0000-0000-000000000000';
