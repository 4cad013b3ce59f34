/** `POST /emails/:id/resend`: sends an email again as a new one, which is checked like every new email. */
import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../../database/database.ts';
import { reachOf } from '../../http/access.ts';
import { toAddress } from '../../http/address-field.ts';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { addDetails } from '../../http/audit.ts';
import { type BulkStep, bulkBody, bulkResultOf, forEachId } from '../../http/bulk.ts';
import { dataOf } from '../../http/envelope.ts';
import { ApiError } from '../../http/errors.ts';
import { nullable } from '../../http/schema.ts';
import type { Address } from '../../protocols/message/address.ts';
import type { Mode } from '../../runtime/config.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import type { Draft } from '../../submission/draft.ts';
import {
  answerIdempotently,
  honourIdempotencyKey,
  idempotencyHeaders,
  keysOfParts,
} from '../../submission/idempotency/key-header.ts';
import {
  findStoredAnswer,
  type KeyedRequest,
  runWithoutReservation,
} from '../../submission/idempotency/run.ts';
import type { IdempotencyRef, StoredAnswer } from '../../submission/idempotency/store.ts';
import type { Refused } from '../../submission/refused.ts';
import { resendDraft } from '../../submission/resend.ts';
import { type Accepted, type SubmissionDeps, submit } from '../../submission/submit.ts';
import type { TemplateLibrary } from '../../templates/library.ts';
import { readResendable } from '../resendable.ts';
import { resendEmailBody, sendResult } from '../schema.ts';
import type { EmailService } from '../service.ts';
import { refusalError, SENDING_ERRORS } from './refusal-errors.ts';
import { senderOf } from './send-request.ts';
import { sentAnswer } from './sent-answer.ts';

interface ResendDeps {
  readonly db: Database;
  readonly service: EmailService;
  readonly templates: TemplateLibrary;
  readonly submission: SubmissionDeps;
  readonly mode: Mode;
}

const tags = ['Emails'];
const audit = { action: 'email.resent' };

export function resendRoutes(deps: ResendDeps): ApiRoutes {
  return async (app) => {
    routeOne(app, deps);
    routeSeveral(app, deps);
  };
}

function routeOne(app: App, deps: ResendDeps): void {
  app.post(
    '/emails/:id/resend',
    {
      attachValidation: true,
      preValidation: [takeMissingBody, honourIdempotencyKey(deps.db)],
      config: { scope: 'send', tied: true, errors: [...SENDING_ERRORS], audit },
      schema: {
        tags,
        summary: 'Send an email again as a new email',
        description:
          'The new email has the content, the sender and the options of this one, and is sent now. It passes the same checks as any other email. It names this email in `resent_from`, and this email lists it in `resends`. Recipients whose delivery has not ended, mail of another mode, and mail whose content is no longer stored are refused with `CONFLICT`.',
        params: Type.Object({ id: Type.String() }),
        headers: idempotencyHeaders,
        body: resendEmailBody,
        response: { 201: dataOf(sendResult) },
      },
    },
    async (request, reply) =>
      answerIdempotently(deps.db, request, reply, async (run) => {
        const { id } = request.params;
        const draft = await draftOf(deps, request, id, request.body.recipients?.map(toAddress) ?? null);
        const accepted = acceptedOrThrow(await submitAgain(deps, request, draft, run));
        addDetails(request, { resent_as: accepted.id });
        return sentAnswer(accepted);
      }),
  );
}

/** Every field of the body is optional, and so is the body. */
const takeMissingBody: preValidationHookHandler = (request, _reply, done) => {
  request.body ??= {};
  done();
};

const several = bulkResultOf('ResendResults', {
  message_id: nullable(Type.String({ description: 'Id of the new email. Null if there is an error.' })),
});

function routeSeveral(app: App, deps: ResendDeps): void {
  app.post(
    '/emails/resend',
    {
      config: { scope: 'send', tied: true, errors: ['IDEMPOTENCY_CONFLICT'], audit },
      schema: {
        tags,
        summary: 'Send several emails again',
        description:
          'Sends each email again to all its recipients, as `POST /emails/{id}/resend` does. An email that cannot be sent again has an `error`, and does not affect the others. Requests with the same `Idempotency-Key` send each email again once.',
        headers: idempotencyHeaders,
        body: bulkBody('ResendEmails', 'Ids of the emails.', '01a1dd1c-a292-7088-82d5-cb934f4f4126'),
        response: { 200: dataOf(several) },
      },
    },
    async (request) => {
      const keyOf = keysOfParts(request);
      const none = { message_id: null as string | null };
      const act = (id: string) => resendOnce(deps, request, id, keyOf?.(`resend ${id}`) ?? null);
      return { data: await forEachId(request, request.body.ids, none, act) };
    },
  );
}

/** Each email has an idempotency key of its own, because each is accepted in a transaction of its own. */
async function resendOnce(
  deps: ResendDeps,
  request: FastifyRequest,
  id: string,
  keyed: KeyedRequest | null,
): Promise<BulkStep<{ message_id: string | null }>> {
  const again = async (run: IdempotencyRef | null) =>
    submitAgain(deps, request, await draftOf(deps, request, id, null), run);
  if (keyed === null) return sentAs(acceptedOrThrow(await again(null)).id);
  // A repeat gets the first answer even if the content was removed since, and only if the caller may see the email.
  await deps.service.find(reachOf(request.principal), id);
  const before = await findStoredAnswer(deps.db, keyed);
  if (before !== null) return replayed(before);
  const outcome = await runWithoutReservation(deps.db, keyed, again, ({ kind }) => kind !== 'accepted');
  if (outcome.kind === 'done') return sentAs(acceptedOrThrow(outcome.result).id);
  if (outcome.answer === null) throw new ApiError('IDEMPOTENCY_CONFLICT');
  return replayed(outcome.answer);
}

function sentAs(id: string): BulkStep<{ message_id: string | null }> {
  return { fields: { message_id: id }, details: { resent_as: id } };
}

function replayed({ body }: StoredAnswer): BulkStep<{ message_id: string | null }> {
  const { data } = body as ReturnType<typeof sentAnswer>['body'];
  return { fields: { message_id: data.message_id }, isReplayed: true };
}

async function draftOf(
  deps: ResendDeps,
  request: FastifyRequest,
  id: string,
  recipients: readonly Address[] | null,
): Promise<Draft> {
  const source = await readResendable(deps, reachOf(request.principal), id);
  return resendDraft(source, recipients, deps.mode);
}

function submitAgain(
  { submission }: ResendDeps,
  request: FastifyRequest,
  draft: Draft,
  run: IdempotencyRef | null,
): Promise<Accepted | Refused> {
  return submit(submission, senderOf(request), draft, run && { run, answer: sentAnswer });
}

function acceptedOrThrow(result: Accepted | Refused): Accepted {
  if (result.kind === 'accepted') return result;
  if (result.kind === 'template_not_found')
    throw new ServiceError('CONFLICT', 'The template of this email was deleted. Send a new email instead.');
  throw refusalError(result);
}
