/** Sent messages and their outcome. */
import type { FastifyInstance } from 'fastify';
import type { Reads } from '../../../database/reads.ts';
import type { Sql } from '../../../database/sql.ts';
import { emailsQuery, toFilter } from '../../../emails/lists/list-schema.ts';
import type { EmailService } from '../../../emails/service.ts';
import { type EmailRow, findEmails } from '../../../emails/store-read.ts';
import { fromPostmarkStream, TRANSACTIONAL } from '../../../emails/stream.ts';
import { eventsOfEmail } from '../../../events/read.ts';
import { reachOf, readsContent } from '../../../http/access.ts';
import type { Principal } from '../../../http/principal.ts';
import { createValidatorCompiler } from '../../../http/validation.ts';
import type { Reach } from '../../../runtime/permissions.ts';
import { Problems } from '../../../runtime/problems.ts';
import { ServiceError } from '../../../runtime/service-error.ts';
import { ALL_EVENTS, eventWindow } from './event-window.ts';
import { clickView, messageEvents, messageView, openView } from './message-view.ts';
import {
  addressIn,
  type PostmarkQuery,
  postmarkQuery,
  readWindow,
  refuseFilters,
  windowOf,
} from './query.ts';

export interface PostmarkMessages {
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
