/** `POST /inbound/:id/reply`: an answer to a received mail, sent like any other email. */
import { createDraftOf } from '../doors/compat/draft-of.ts';
import { answerOnce, honourKey, idempotencyHeaders } from '../emails/idempotency-key.ts';
import { sendResult } from '../emails/schema.ts';
import { refusalError, SENDING_ERRORS, sentAnswer } from '../emails/send-answer.ts';
import { senderOf } from '../emails/send-request.ts';
import { findEmail } from '../emails/store-read.ts';
import type { Database } from '../kit/database/database.ts';
import type { ApiRoutes } from '../kit/http/api-routes.ts';
import { dataOf } from '../kit/http/envelope.ts';
import type { Clock } from '../kit/runtime/clock.ts';
import { ServiceError } from '../kit/service-error.ts';
import { type SubmissionDeps, submit } from '../submission/submit.ts';
import type { ReceivedMail } from './mail.ts';
import { type AnswerOutline, outlineOf } from './reply.ts';
import { receivedParams, replyBody } from './schema.ts';
import type { FullReceivedRow } from './store-read.ts';

export interface ReplyDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly mail: ReceivedMail;
  readonly submission: SubmissionDeps;
}

export function receivedReplyRoutes({ db, clock, mail, submission }: ReplyDeps): ApiRoutes {
  const draftOf = createDraftOf(clock);
  return async (app) => {
    app.post(
      '/inbound/:id/reply',
      {
        attachValidation: true,
        preValidation: honourKey(db),
        config: { errors: [...SENDING_ERRORS] },
        schema: {
          tags: ['Inbound'],
          summary: 'Answer a received mail',
          description:
            'Sent like any other email, from the address that the mail was sent to, which must be at a verified domain. It belongs to the same conversation.',
          params: receivedParams,
          headers: idempotencyHeaders,
          body: replyBody,
          response: { 201: dataOf(sendResult) },
        },
      },
      async (request, reply) =>
        answerOnce(db, request, reply, async (run) => {
          const { organizationId } = request.principal;
          const row = await mail.find(organizationId, request.params.id);
          const answer = await draftOf({ ...(await outline(db, row)), ...request.body });
          const draft = { ...answer, conversationId: row.conversation_id };
          const keyed = run && { run, answer: sentAnswer };
          const result = await submit(submission, senderOf(request), draft, keyed);
          if (result.kind !== 'accepted') throw refusalError(result);
          return sentAnswer(result);
        }),
    );
  };
}

async function outline(db: Database, row: FullReceivedRow) {
  const reach = { organizationId: row.organization_id, sentWith: null, domain: null };
  const email =
    row.reply_to_email_id === null ? undefined : await findEmail(db, reach, row.reply_to_email_id);
  const answered = email && { email: email.from_email, name: email.from_name };
  const { from, to, ...rest }: AnswerOutline = outlineOf(row, answered ?? null);
  if (to.length === 0) throw new ServiceError('CONFLICT', 'It does not say whom to answer to.');
  return { ...rest, to: to.map(named), ...(from === null ? {} : { from: named(from) }) };
}

function named({ email, name }: { readonly email: string; readonly name: string | null }) {
  return name === null ? { email } : { email, name };
}
