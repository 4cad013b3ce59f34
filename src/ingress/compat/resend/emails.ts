/** Resend's `/emails`: sending, reading, and changing scheduled emails. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Sql } from '../../../database/sql.ts';
import type { DraftOf } from '../../../emails/http/draft-of.ts';
import { refusalError } from '../../../emails/http/send-answer.ts';
import { senderOf } from '../../../emails/http/send-request.ts';
import { rescheduleBody } from '../../../emails/schema.ts';
import type { EmailService } from '../../../emails/service.ts';
import type { EmailContent } from '../../../emails/view.ts';
import { reachOf, readsContent } from '../../../http/access.ts';
import { addDetails } from '../../../http/audit.ts';
import { ApiError } from '../../../http/errors.ts';
import { judgedBy } from '../../../http/judged-by.ts';
import type { Principal } from '../../../http/principal.ts';
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
import { placeIn, resendList } from './cursor.ts';
import { resendEmail, resendEmailItem } from './email-view.ts';
import { resendRefusal } from './resend-error.ts';
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
export function routeResendSend(
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
