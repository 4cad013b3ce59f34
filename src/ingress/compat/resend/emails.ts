/** Resend's `/emails`: sending, reading, and changing scheduled emails. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Sql } from '../../../database/sql.ts';
import { repliesOf } from '../../../emails/email.ts';
import { MAX_MIXED } from '../../../emails/http/batch-schema.ts';
import { noteRefusedEmails, readEmails, refusedAmong } from '../../../emails/http/mixed-routes.ts';
import { emailsRefused, type RefusedEmail, refusalError } from '../../../emails/http/refusal-errors.ts';
import { type DraftOf, senderOf } from '../../../emails/http/send-request.ts';
import type { EmailItemRow } from '../../../emails/lists/store-list.ts';
import { rescheduleBody } from '../../../emails/schema.ts';
import type { EmailService } from '../../../emails/service.ts';
import type { EmailContent, EmailView } from '../../../emails/view.ts';
import { type EventType, TYPES_WITHOUT_STATE } from '../../../events/append.ts';
import type { LastEvent } from '../../../events/read.ts';
import { reachOf, readsContent } from '../../../http/access.ts';
import { addDetails } from '../../../http/audit.ts';
import { ApiError } from '../../../http/errors.ts';
import { judgedBy } from '../../../http/judged-by.ts';
import type { Principal } from '../../../http/principal.ts';
import { halvesOf } from '../../../protocols/message/address.ts';
import { messageId } from '../../../protocols/message/compose.ts';
import { mailboxText } from '../../../protocols/message/mailbox-text.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { isUuid } from '../../../runtime/ids.ts';
import type { Reach } from '../../../runtime/permissions.ts';
import { Problems } from '../../../runtime/problems.ts';
import { ServiceError } from '../../../runtime/service-error.ts';
import {
  answerIdempotently,
  honourIdempotencyKey,
  type Work,
} from '../../../submission/idempotency/key-header.ts';
import type { StoredAnswer } from '../../../submission/idempotency/store.ts';
import { type Accepted, type SubmissionDeps, submit } from '../../../submission/submit.ts';
import { type ManyAccepted, submitMany } from '../../../submission/submit-many.ts';
import { placeIn, resendList } from './cursor.ts';
import { resendMessage, resendRefusal } from './resend-error.ts';
import { resendFields, resendMoment } from './send-body.ts';

export interface ResendEmailDeps {
  readonly emails: EmailService;
  readonly submission: SubmissionDeps;
  /** Converts an email in Resend's format to a draft. */
  readonly draftOf: DraftOf;
  readonly db: Sql;
  readonly clock: Clock;
}

interface OfEmail {
  Params: { readonly id: string };
}

export function routeResendEmails(app: FastifyInstance, deps: ResendEmailDeps): void {
  routeSending(app, deps);
  routeReading(app, deps);
  routeAttachments(app, deps);
  routeChanging(app, deps);
}

function routeSending(app: FastifyInstance, { submission, draftOf, db }: ResendEmailDeps): void {
  const answer = ({ id }: Accepted) => ({ status: 200, body: { id } });
  routeResendSend(app, db, '/emails', (request) => async (run) => {
    const draft = await draftOf(request.body);
    const keyed = run && { run, answer };
    const result = await submit(submission, senderOf(request), draft, keyed);
    if (result.kind !== 'accepted') throw refusalError(result);
    return answer(result);
  });
}

/** A sending route. Calls with the same Idempotency-Key send only once. */
function routeResendSend(
  app: FastifyInstance,
  db: Sql,
  path: string,
  workOf: (request: FastifyRequest) => Work<StoredAnswer<object>>,
): void {
  app.post(
    path,
    { preValidation: honourIdempotencyKey(db), config: { scope: 'send', tied: true } },
    async (request, reply) => answerIdempotently(db, request, reply, workOf(request), resendRefusal),
  );
}

function routeReading(app: FastifyInstance, { emails }: ResendEmailDeps): void {
  app.get('/emails', { config: { tied: true } }, async ({ principal, query }) =>
    resendList(await emails.listFrom(reachOf(principal), placeIn(query, isUuid)), resendEmailItem),
  );

  app.get<OfEmail>(
    '/emails/:id',
    { config: { scope: 'send', tied: true } },
    async ({ principal, params }) => {
      const reach = reachOf(principal);
      const email = await emails.get(reach, emailId(params));
      const content = readsContent(principal) ? await keptContent(emails, reach, email.id) : null;
      return resendEmail(email, content);
    },
  );
}

function routeAttachments(app: FastifyInstance, { emails }: ResendEmailDeps): void {
  const filesOf = async (principal: Principal, params: OfEmail['Params']) =>
    (await emails.content(reachOf(principal), emailId(params))).attachments.map(attachmentView);

  app.get<OfEmail>('/emails/:id/attachments', { config: { tied: true } }, async ({ principal, params }) => ({
    object: 'list',
    has_more: false,
    data: await filesOf(principal, params),
  }));

  app.get<OfEmail & { Params: { readonly file: string } }>(
    '/emails/:id/attachments/:file',
    { config: { tied: true } },
    async ({ principal, params }) => {
      const file = (await filesOf(principal, params)).find(({ id }) => id === params.file);
      if (file === undefined) throw new ApiError('NOT_FOUND');
      return { object: 'attachment', ...file };
    },
  );
}

function routeChanging(app: FastifyInstance, { emails, clock }: ResendEmailDeps): void {
  const judge = judgedBy(rescheduleBody(clock));
  const rescheduled = { config: { tied: true, audit: { action: 'email.rescheduled' } } };
  app.patch<OfEmail>('/emails/:id', rescheduled, async (request) => {
    const { scheduled_at: when } = resendFields(request.body);
    const asked = judge({ scheduled_at: resendMoment(when, clock.nowMs()) });
    const reach = reachOf(request.principal);
    const { id } = await emails.reschedule(reach, emailId(request.params), asked.scheduled_at);
    addDetails(request, asked);
    return { object: 'email', id };
  });

  const cancelled = { config: { tied: true, audit: { action: 'email.cancelled' } } };
  app.post<OfEmail>('/emails/:id/cancel', cancelled, async ({ principal, params }) => {
    const { id } = await emails.cancel(reachOf(principal), emailId(params));
    return { object: 'email', id };
  });
}

/** Unsupported parts of Resend's API, whose paths would otherwise be taken for ids. */
const NOT_OFFERED: ReadonlySet<string> = new Set(['metrics', 'receiving']);

function emailId({ id }: OfEmail['Params']): string {
  if (NOT_OFFERED.has(id)) throw new ServiceError('NOT_FOUND', 'Not found.');
  if (!isUuid(id)) throw new Problems().add('id', 'must be a UUID').toError();
  return id;
}

/** Null when the content was removed or can no longer be rendered: the rest of the email stays readable. */
async function keptContent(emails: EmailService, reach: Reach, id: string): Promise<EmailContent | null> {
  try {
    return await emails.content(reach, id);
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'UNAVAILABLE') return null;
    throw error;
  }
}

/** Attachments cannot be downloaded again. */
function attachmentView(file: EmailContent['attachments'][number], index: number) {
  const { filename, size, content_type, content_id } = file;
  return {
    id: String(index),
    filename,
    size,
    content_type,
    content_disposition: content_id === null ? 'attachment' : 'inline',
    ...(content_id === null ? {} : { content_id }),
    download_url: '',
    expires_at: null,
  };
}

type Named = Parameters<typeof mailboxText>[0];

/** An email in Resend's format. */
function resendEmailItem(row: EmailItemRow & { readonly last: LastEvent | undefined }) {
  const { addresses, from_email: email, from_name: name } = row;
  return itemView(
    { ...row, ...addresses, from: { email, name }, reply_to_list: repliesOf(addresses) },
    row.last,
  );
}

/** `content` is null after its removal. */
function resendEmail(email: EmailView, content: EmailContent | null) {
  return {
    object: 'email',
    ...itemView(email, lastOf(email)),
    html: content?.html ?? null,
    text: content?.text ?? null,
    tags: email.tags,
  };
}

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly subject: string;
  readonly from: Named;
  readonly to: readonly Named[];
  readonly cc: readonly Named[];
  readonly bcc: readonly Named[];
  readonly reply_to_list: readonly Named[];
  readonly created_at: Date;
  readonly scheduled_at: Date | null;
}

function itemView(email: Shown, last: LastEvent | undefined) {
  return {
    id: email.id,
    message_id: messageId({ id: email.id, messageIdDomain: halvesOf(email.from.email).domain }),
    from: mailboxText(email.from),
    to: email.to.map(mailboxText),
    cc: textsOf(email.cc),
    bcc: textsOf(email.bcc),
    reply_to: textsOf(email.reply_to_list),
    subject: email.subject,
    created_at: email.created_at,
    scheduled_at: email.scheduled_at,
    last_event: lastEvent(email, last),
  };
}

function textsOf(mailboxes: readonly Named[]): string[] | null {
  return mailboxes.length === 0 ? null : mailboxes.map(mailboxText);
}

function lastOf({ events }: EmailView): LastEvent | undefined {
  return events.findLast(({ type, machine }) => !TYPES_WITHOUT_STATE.includes(type) && machine !== true);
}

/** Event types with another name in Resend. */
const WORDS: Partial<Record<EventType, string>> = { processing: 'sent', deferred: 'delivery_delayed' };

/** Falls back to the status when the events have been removed. */
function lastEvent({ status, scheduled_at }: Shown, last: LastEvent | undefined): string {
  if (last === undefined) return status;
  if (last.type === 'queued') return scheduled_at === null ? 'queued' : 'scheduled';
  if (last.type === 'rejected') return rejection(last.reason);
  return WORDS[last.type] ?? last.type;
}

function rejection(reason: string | null): string {
  if (reason === 'cancelled') return 'canceled';
  return reason === 'suppressed' ? 'suppressed' : 'failed';
}

/** Resend's `/emails/batch`: up to a hundred independent emails. In strict mode, all are accepted or none. */
export function routeResendBatch(app: FastifyInstance, { submission, draftOf, db }: ResendEmailDeps): void {
  routeResendSend(app, db, '/emails/batch', (request) => async (run) => {
    const isPermissive = request.headers['x-batch-validation'] === 'permissive';
    const emails = emailsIn(request);
    const mixed = await readEmails(draftOf, emails);
    if (!isPermissive && mixed.wrong.length > 0) throw emailsRefused(mixed.wrong);
    const answer = (accepted: ManyAccepted) =>
      batchAnswer(accepted, isPermissive ? refusedAmong(mixed, accepted) : null);
    const keyed = run && { run, answer };
    const options = { allOrNone: !isPermissive };
    const result = await submitMany(submission, senderOf(request), mixed.drafts, options, keyed);
    if (result.kind !== 'accepted') throw refusalError(result);
    noteRefusedEmails(request, emails, refusedAmong(mixed, result));
    return answer(result);
  });
}

function emailsIn({ body }: FastifyRequest): readonly unknown[] {
  if (Array.isArray(body) && body.length >= 1 && body.length <= MAX_MIXED) return body;
  throw new Problems().add('emails', `must be a list of 1 to ${MAX_MIXED} emails`).toError();
}

interface ResendBatch {
  readonly data: readonly { readonly id: string }[];
  readonly errors?: readonly { readonly index: number; readonly message: string }[];
}

/**
 * Refused emails have their index in the request; accepted ones keep their order. `refused` is null in strict
 * mode.
 */
function batchAnswer({ results }: ManyAccepted, refused: readonly RefusedEmail[] | null) {
  const data = results.flatMap((result) => (result.kind === 'accepted' ? [{ id: result.id }] : []));
  const errors = refused?.map(({ index, error }) => ({ index, message: resendMessage(error) }));
  const body: ResendBatch = errors ? { data, errors } : { data };
  return { status: 200, body };
}
