/** Postmark's bounces: failed deliveries and spam reports. */
import type { FastifyInstance } from 'fastify';
import { REASON_MEANINGS } from '../../../delivery/policy/reason-meanings.ts';
import { type EmailRow, findEmails } from '../../../emails/store-read.ts';
import { streamOf, TRANSACTIONAL, toPostmarkStream } from '../../../emails/stream.ts';
import type { EventType } from '../../../events/append.ts';
import { eventsNumbered, recipientKeyOf } from '../../../events/numbered.ts';
import { eventNumber, type LastEvent, serverReply } from '../../../events/read.ts';
import type { StreamRow } from '../../../events/stream.ts';
import { reachOf } from '../../../http/access.ts';
import { nameTarget } from '../../../http/audit.ts';
import { parseAddress } from '../../../protocols/message/address.ts';
import type { Reach } from '../../../runtime/permissions.ts';
import { Problems } from '../../../runtime/problems.ts';
import { ServiceError } from '../../../runtime/service-error.ts';
import type { SuppressionDeps } from '../../../suppressions/service.ts';
import { countSuppressions } from '../../../suppressions/store-read.ts';
import { suppressionReasons } from '../../../suppressions/suppression.ts';
import {
  POSTMARK_BOUNCES,
  postmarkActivity,
  postmarkBounce,
  postmarkDescription,
  postmarkServerId,
  postmarkTag,
} from '../../../webhooks/dispatch/formats/postmark-bounce-types.ts';
import { ALL_EVENTS, countEvents, type EventsRequest, eventWindow } from './event-window.ts';
import { addressIn, momentIn, type PostmarkQuery, postmarkQuery, refuseFilters, windowOf } from './query.ts';
import { unsuppressIn } from './suppression-routes.ts';

/** The events that Postmark counts as bounces. */
const BOUNCE_EVENTS = ['bounced', 'failed', 'complained'] as const satisfies readonly EventType[];

type IdParams = { Params: { id: string } };
const ALL_BOUNCES: EventsRequest = { ...ALL_EVENTS, types: BOUNCE_EVENTS };

export function routePostmarkBounces(app: FastifyInstance, deps: SuppressionDeps): void {
  app.get('/bounces', async (request) => {
    const query = postmarkQuery(request);
    const reach = reachOf(request.principal);
    const db = deps.reads.lately(reach.organizationId);
    const { rows, total } = await eventWindow(db, reach.organizationId, askedIn(query), windowOf(query));
    return { TotalCount: total, Bounces: await bounceViews(deps, reach, rows) };
  });

  app.get<IdParams>('/bounces/:id', ({ principal, params }) =>
    oneBounce(deps, reachOf(principal), params.id),
  );

  // Bounce reports are parsed on arrival and not stored. Postmark returns this value when it has no dump.
  app.get<IdParams>('/bounces/:id/dump', async ({ principal, params }) => {
    await findBounce(deps, principal.organizationId, params.id);
    return { Body: '' };
  });

  const activation = { config: { audit: { action: 'suppression.deleted' } } };
  app.put<IdParams>('/bounces/:id/activate', activation, async (request) => {
    const reach = reachOf(request.principal);
    const { recipient } = await findBounce(deps, reach.organizationId, request.params.id);
    const address = parseAddress(recipient);
    if (address.ok) await unsuppressIn(deps, reach.organizationId, toPostmarkStream(TRANSACTIONAL), address);
    nameTarget(request, recipient);
    return { Message: 'OK', Bounce: await oneBounce(deps, reach, request.params.id) };
  });

  // Postmark's documentation and its clients spell the path differently.
  for (const path of ['/deliverystats', '/deliveryStats'])
    app.get(path, ({ principal }) => deliveryStatistics(deps, principal.organizationId));
}

function askedIn(query: PostmarkQuery): EventsRequest {
  refuseFilters(query, ['tag', 'inactive', 'messagestream']);
  const { type, messageid } = query;
  if (type !== undefined && !Object.hasOwn(POSTMARK_BOUNCES, type))
    throw new Problems().add('type', `must be one of ${Object.keys(POSTMARK_BOUNCES).join(', ')}`).toError();
  return {
    types: BOUNCE_EVENTS,
    emailId: messageid ?? null,
    recipient: addressIn(query, 'emailfilter')?.email ?? null,
    fromMs: momentIn(query, 'fromdate'),
    toMs: momentIn(query, 'todate'),
    isMeant: type === undefined ? null : (event) => bounceTypeOf(event).Type === type,
  };
}

async function findBounce({ db }: SuppressionDeps, organizationId: string, id: string): Promise<StreamRow> {
  const number = /^\d{1,16}$/.test(id) ? Number(id) : Number.NaN;
  const found = await eventsNumbered(db, organizationId, number);
  const bounces = found.filter(({ type }) => (BOUNCE_EVENTS as readonly string[]).includes(type));
  // Ambiguous numbers are treated as unknown.
  if (bounces.length !== 1) throw new ServiceError('NOT_FOUND', 'There is no such bounce.');
  return bounces[0] as StreamRow;
}

async function oneBounce(deps: SuppressionDeps, reach: Reach, id: string) {
  const event = await findBounce(deps, reach.organizationId, id);
  return (await bounceViews(deps, reach, [event]))[0];
}

async function bounceViews({ db }: SuppressionDeps, reach: Reach, events: readonly StreamRow[]) {
  const keys = events.map(recipientKeyOf);
  const [emails, suppressed] = await Promise.all([
    findEmails(db, reach, [...new Set(events.map((event) => event.email_id))]),
    suppressionReasons(db, reach.organizationId, [...new Set(keys)]),
  ]);
  return events.map((event, index) => {
    const isInactive = suppressed.has(keys[index] as (typeof keys)[number]);
    return bounceView(reach.organizationId, event, emails.get(event.email_id), isInactive);
  });
}

function bounceView(
  organizationId: string,
  event: StreamRow,
  email: EmailRow | undefined,
  isInactive: boolean,
) {
  return {
    RecordType: 'Bounce',
    ID: eventNumber(event.id),
    ...bounceTypeOf(event),
    Tag: postmarkTag(email?.tags ?? []),
    MessageID: event.email_id,
    ServerID: postmarkServerId(organizationId),
    MessageStream: toPostmarkStream(streamOf(email?.tags ?? [])),
    Description: summaryOf(event),
    Details: serverReply(event) || summaryOf(event),
    Email: event.recipient,
    From: email?.from_email ?? '',
    BouncedAt: event.created_at,
    DumpAvailable: false,
    ...postmarkActivity(event, isInactive),
    Subject: email?.subject ?? '',
  };
}

async function deliveryStatistics({ reads }: SuppressionDeps, organizationId: string) {
  const db = reads.lately(organizationId);
  const [inactive, counts] = await Promise.all([
    countSuppressions(db, organizationId, null),
    countEvents(db, organizationId, ALL_BOUNCES),
  ]);
  const sums = new Map<string, { Type: string; Name: string; Count: number }>();
  for (const one of counts) {
    const { Type, Name } = bounceTypeOf(one);
    sums.set(Type, { Type, Name, Count: (sums.get(Type)?.Count ?? 0) + one.count });
  }
  const all = { Name: 'All', Count: counts.reduce((sum, { count }) => sum + count, 0) };
  return { InactiveMails: inactive, Bounces: [all, ...sums.values()] };
}

const { meaningOf, provesDead } = REASON_MEANINGS;

/** The reason of a bounce, in the terms that Postmark's webhooks also use. */
function bounceTypeOf(event: LastEvent) {
  return postmarkBounce(event, event.reason !== null && provesDead(event.reason));
}

/** The reason as a sentence. */
export function summaryOf(event: LastEvent): string {
  const { reason } = event;
  return postmarkDescription(event, reason === null ? '' : (meaningOf(reason) ?? reason));
}
