/** Resend's `/emails/batch`: up to a hundred emails that have nothing in common. Strict: all of them or none. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerOnce, honourKey } from '../../emails/idempotency-key.ts';
import { type MixedEmails, readEmails } from '../../emails/mixed-routes.ts';
import { MAX_MIXED } from '../../emails/mixed-schema.ts';
import { emailsRefused, refusalError } from '../../emails/send-answer.ts';
import { senderOf } from '../../emails/send-request.ts';
import { Problems } from '../../kit/problems.ts';
import { type ManyAccepted, submitMany } from '../../submission/submit-many.ts';
import type { ResendEmailDeps } from './emails.ts';
import { resendMessage, resendRefusal } from './resend-error.ts';

export function routeResendBatch(app: FastifyInstance, { submission, draftOf, db }: ResendEmailDeps): void {
  app.post(
    '/emails/batch',
    { preValidation: honourKey(db), config: { scope: 'send', tied: true } },
    async (request, reply) =>
      answerOnce(
        db,
        request,
        reply,
        async (run) => {
          const isPermissive = request.headers['x-batch-validation'] === 'permissive';
          const mixed = await readEmails(draftOf, emailsIn(request));
          if (!isPermissive && mixed.wrong.length > 0) throw emailsRefused(mixed.wrong);
          const answer = (accepted: ManyAccepted) => batchAnswer(mixed, accepted, isPermissive);
          const keyed = run && { run, answer };
          const options = { allOrNone: !isPermissive };
          const sender = senderOf(request);
          const result = await submitMany(submission, sender, mixed.drafts, options, keyed);
          if (result.kind !== 'accepted') throw refusalError(result);
          return answer(result);
        },
        resendRefusal,
      ),
  );
}

function emailsIn({ body }: FastifyRequest): readonly unknown[] {
  if (Array.isArray(body) && body.length >= 1 && body.length <= MAX_MIXED) return body;
  throw new Problems().add('emails', `must be a list of 1 to ${MAX_MIXED} emails`).toError();
}

interface ResendBatch {
  readonly data: readonly { readonly id: string }[];
  readonly errors?: readonly { readonly index: number; readonly message: string }[];
}

/** What was refused has its place in the request; what was accepted is in its order. */
function batchAnswer(mixed: MixedEmails, { results }: ManyAccepted, isPermissive: boolean) {
  const data = results.flatMap((result) => (result.kind === 'accepted' ? [{ id: result.id }] : []));
  const body: ResendBatch = isPermissive ? { data, errors: errorsOf(mixed, results) } : { data };
  return { status: 200, body };
}

function errorsOf(
  { places, wrong }: MixedEmails,
  results: ManyAccepted['results'],
): NonNullable<ResendBatch['errors']> {
  const refused = results.flatMap((result, draft) =>
    result.kind === 'accepted' ? [] : [{ index: places[draft] as number, error: refusalError(result) }],
  );
  return [...wrong, ...refused]
    .sort((a, b) => a.index - b.index)
    .map(({ index, error }) => ({ index, message: resendMessage(error) }));
}
