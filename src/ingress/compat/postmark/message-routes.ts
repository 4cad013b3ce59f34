/** Sent messages and their outcome. */
import type { FastifyInstance } from 'fastify';
import type { Reads } from '../../../database/reads.ts';
import type { Sql } from '../../../database/sql.ts';
import type { ClickTracking, NamedAddress } from '../../../emails/email.ts';
import { emailsQuery, toFilter } from '../../../emails/lists/list-schema.ts';
import type { EmailService } from '../../../emails/service.ts';
import { type EmailRow, findEmails } from '../../../emails/store-read.ts';
import { fromPostmarkStream, streamOf, TRANSACTIONAL, toPostmarkStream } from '../../../emails/stream.ts';
import { type EventRow, eventNumber, eventsOfEmail, serverReply } from '../../../events/read.ts';
import type { StreamRow } from '../../../events/stream.ts';
import { reachOf, readsContent } from '../../../http/access.ts';
import type { Principal } from '../../../http/principal.ts';
import { createValidatorCompiler } from '../../../http/validation.ts';
import { mailboxText } from '../../../protocols/message/mailbox-text.ts';
import type { Reach } from '../../../runtime/permissions.ts';
import { Problems } from '../../../runtime/problems.ts';
import { ServiceError } from '../../../runtime/service-error.ts';
import { metadataTexts } from '../../../webhooks/dispatch/formats/mail-facts.ts';
import { postmarkTag } from '../../../webhooks/dispatch/formats/postmark-bounce-types.ts';
import { summaryOf } from './bounce-routes.ts';
import { ALL_EVENTS, eventWindow } from './event-window.ts';
import {
  addressIn,
  type PostmarkQuery,
  postmarkQuery,
  readWindow,
  refuseFilters,
  windowOf,
} from './query.ts';

interface PostmarkMessages {
  readonly db: Sql;
  readonly reads: Reads;
  readonly emails: EmailService;
}

type IdParams = { Params: { id: string } };

const config = { tied: true };
const ofWhatItSent = { config: { scope: 'send', tied: true } } as const;

export function routePostmarkMessages(app: FastifyInstance, deps: PostmarkMessages): void {
  const filterOf = createFilterOf();

  app.get('/messages/outbound', { config }, async (request) => {
    const query = postmarkQuery(request);
    const filter = filterOf(query);
    const reach = reachOf(request.principal);
    const { rows, total } = await readWindow(
      (page) => deps.emails.list(reach, filter, page),
      windowOf(query),
    );
    const emails = await findEmails(deps.reads.lately(reach.organizationId), reach, idsOf(rows));
    const found = rows.flatMap(({ id }) => emails.get(id) ?? []);
    return { TotalCount: total, Messages: found.map(messageView) };
  });

  app.get<IdParams>('/messages/outbound/:id/details', ofWhatItSent, ({ principal, params }) =>
    detailsOf(deps, principal, params.id),
  );

  app.get<IdParams>('/messages/outbound/:id/dump', { config }, async ({ principal, params }) => {
    const reach = reachOf(principal);
    await deps.emails.find(reach, params.id);
    return { Body: await sourceOf(deps, reach, params.id) };
  });
}

export function routePostmarkOpens(app: FastifyInstance, deps: PostmarkMessages): void {
  routeFetched(app, deps, { path: 'opens', type: 'opened', name: 'Opens', view: openView });
  routeFetched(app, deps, { path: 'clicks', type: 'clicked', name: 'Clicks', view: clickView });
}

/** A list of one kind of event. */
interface FetchedList {
  readonly path: string;
  readonly type: 'opened' | 'clicked';
  readonly name: string;
  readonly view: typeof openView | typeof clickView;
}

function routeFetched(
  app: FastifyInstance,
  { reads, emails: service }: PostmarkMessages,
  { path, type, name, view }: FetchedList,
): void {
  const list = async (reach: Reach, emailId: string | null, query: PostmarkQuery) => {
    refuseFilters(query, ['tag', 'messagestream', 'client_', 'os_', 'platform', 'country', 'region', 'city']);
    const db = reads.lately(reach.organizationId);
    const recipient = addressIn(query, 'recipient')?.email ?? null;
    const asked = { ...ALL_EVENTS, types: [type], emailId, recipient };
    const { rows, total } = await eventWindow(db, reach.organizationId, asked, windowOf(query));
    const emails = await findEmails(db, reach, [...new Set(rows.map((row) => row.email_id))]);
    return { TotalCount: total, [name]: rows.map((row) => view(row, emails.get(row.email_id))) };
  };

  app.get(`/messages/outbound/${path}`, (request) =>
    list(reachOf(request.principal), null, postmarkQuery(request)),
  );

  app.get<IdParams>(`/messages/outbound/${path}/:id`, ofWhatItSent, async (request) => {
    const reach = reachOf(request.principal);
    const { id } = await service.find(reach, request.params.id);
    return list(reach, id, postmarkQuery(request));
  });
}

/** Validates filters with the schema of our own list. */
function createFilterOf() {
  const validate = createValidatorCompiler()({
    schema: emailsQuery,
    method: 'GET',
    url: '/compat/postmark',
    httpPart: 'querystring',
  });
  return (query: PostmarkQuery) => {
    refuseFilters(query, ['metadata_']);
    const judged = validate(ownQuery(query));
    if ('error' in judged) throw judged.error;
    return toFilter(judged.value as Parameters<typeof toFilter>[0]);
  };
}

function ownQuery(query: PostmarkQuery): Record<string, unknown> {
  const { recipient, fromemail, subject, fromdate, todate } = query;
  const asked = { to: recipient, from: fromemail, subject, from_date: fromdate, to_date: todate };
  const own = {
    ...asked,
    status: statusIn(query),
    tag: query.tag && `tag:${query.tag}`,
    stream: streamIn(query),
  };
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
}

function statusIn({ status }: PostmarkQuery): string | undefined {
  if (status === undefined || status.toLowerCase() === 'queued') return status?.toLowerCase();
  throw new Problems().add('status', 'can only be queued here').toError();
}

/** Mail without a stream belongs to `outbound`. */
function streamIn({ messagestream }: PostmarkQuery): string | undefined {
  const stream = messagestream && fromPostmarkStream(messagestream);
  return stream === TRANSACTIONAL ? undefined : stream;
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

async function detailsOf(deps: PostmarkMessages, principal: Principal, id: string) {
  const reach = reachOf(principal);
  const email: EmailRow = await deps.emails.find(reach, id);
  const mayRead = readsContent(principal);
  const [events, content, Body] = await Promise.all([
    eventsOfEmail(deps.db, reach.organizationId, email.id),
    mayRead ? orNothing(deps.emails.content(reach, id)) : null,
    mayRead ? sourceOf(deps, reach, id) : '',
  ]);
  return {
    ...messageView(email),
    Attachments: content?.attachments.map(({ filename }) => filename) ?? [],
    TextBody: content?.text ?? null,
    HtmlBody: content?.html ?? null,
    Body,
    MessageEvents: messageEvents(events),
  };
}

/** Only raw messages have a stored source; others are composed for each recipient when they are sent. */
async function sourceOf({ emails }: PostmarkMessages, reach: Reach, id: string): Promise<string> {
  return (await orNothing(emails.raw(reach, id)))?.toString('utf8') ?? '';
}

/** Retention removes content earlier than the email itself. */
async function orNothing<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    const isGone = error instanceof ServiceError && (error.code === 'NOT_FOUND' || error.code === 'CONFLICT');
    if (isGone) return null;
    throw error;
  }
}

/** Emails in Postmark's format: in lists, alone, and with their events. */
function messageView(email: EmailRow) {
  const { to, cc, bcc } = email.addresses;
  const all = [...to, ...cc, ...bcc].map((one) => one.email);
  return {
    MessageID: email.id,
    MessageStream: toPostmarkStream(streamOf(email.tags ?? [])),
    Tag: postmarkTag(email.tags ?? []),
    To: to.map(mailboxView),
    Cc: cc.map(mailboxView),
    Bcc: bcc.map(mailboxView),
    Recipients: [...new Set(all)],
    ReceivedAt: email.created_at,
    From: mailboxText({ email: email.from_email, name: email.from_name }),
    Subject: email.subject,
    Attachments: [] as string[],
    Status: email.status === 'queued' ? 'Queued' : 'Sent',
    TrackOpens: email.track_opens,
    TrackLinks: trackedLinks(email.options.track_clicks ?? 'off'),
    Metadata: metadataTexts(email.metadata ?? {}),
    Sandboxed: email.mode === 'sandbox',
  };
}

export function trackedLinks(clicks: ClickTracking): string {
  return { off: 'None', html: 'HtmlOnly', html_and_text: 'HtmlAndText' }[clicks];
}

function mailboxView({ email, name }: NamedAddress) {
  return { Email: email, Name: name ?? '' };
}

/** Omits events that Postmark does not have: queued mail and started attempts. */
function messageEvents(events: readonly EventRow[]) {
  return events.flatMap((event) => {
    const told = toldOf(event);
    if (told === null) return [];
    const [Type, Details] = told;
    return [{ Recipient: event.recipient, Type, ReceivedAt: event.created_at, Details }];
  });
}

function toldOf(event: EventRow): readonly [string, Record<string, unknown>] | null {
  switch (event.type) {
    case 'delivered':
      return ['Delivered', serverOf(event)];
    case 'deferred':
      return ['Transient', serverOf(event)];
    case 'bounced':
    case 'failed':
    case 'complained':
      return ['Bounced', { Summary: summaryOf(event), BounceID: eventNumber(event.id) }];
    case 'opened':
      return ['Opened', { Summary: `Email opened with ${event.user_agent ?? 'an unknown program'}` }];
    case 'clicked':
      return ['LinkClicked', { Summary: `Link clicked: ${event.url ?? ''}`, Link: event.url ?? '' }];
    case 'unsubscribed':
      return ['SubscriptionChanged', { Origin: 'Recipient', SuppressSending: 'True' }];
    case 'rejected':
      return ['Rejected', { Summary: summaryOf(event) }];
    default: // Postmark has no such event
      return null;
  }
}

function serverOf(event: EventRow) {
  return { DeliveryMessage: serverReply(event), DestinationServer: event.mx_host ?? '', DestinationIP: '' };
}

const UNKNOWN = { Name: '', Company: '', Family: '' };

/** Like `openView`. The position of the link in the mail is unknown. */
function clickView(event: StreamRow, email: EmailRow | undefined) {
  const { ReadSeconds: _seconds, ...common } = openView(event, email);
  return { ...common, RecordType: 'Click', ClickLocation: 'HTML', OriginalLink: event.url ?? '' };
}

/** `email` is undefined after its removal. Client and location are not derived from the request. */
function openView(event: StreamRow, email: EmailRow | undefined) {
  return {
    RecordType: 'Open',
    MessageID: event.email_id,
    MessageStream: toPostmarkStream(streamOf(email?.tags ?? [])),
    Tag: postmarkTag(email?.tags ?? []),
    Recipient: event.recipient,
    ReceivedAt: event.created_at,
    UserAgent: event.user_agent ?? '',
    Client: UNKNOWN,
    OS: UNKNOWN,
    Platform: 'Unknown',
    ReadSeconds: 0,
    Geo: {},
  };
}
