/** Resend's `/emails/batch`: up to a hundred independent emails. In strict mode, all are accepted or none. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { noteRefusedEmails, readEmails, refusedAmong } from '../../../emails/http/mixed-routes.ts';
import { MAX_MIXED } from '../../../emails/http/mixed-schema.ts';
import { emailsRefused, type RefusedEmail, refusalError } from '../../../emails/http/send-answer.ts';
import { senderOf } from '../../../emails/http/send-request.ts';
import { Problems } from '../../../runtime/problems.ts';
import { type ManyAccepted, submitMany } from '../../../submission/submit-many.ts';
import { type ResendEmailDeps, routeResendSend } from './emails.ts';
import { resendMessage } from './resend-error.ts';

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
