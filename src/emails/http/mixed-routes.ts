/** Sends several unrelated emails in one request. */
import type { FastifyRequest } from 'fastify';
import type { Sql } from '../../database/sql.ts';
import { dryMixedResult, sendQuery } from '../../dry-run/schema.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { ApiError, apiErrorOf, envelopeOf } from '../../http/errors.ts';
import { notePartialRefusal } from '../../http/refused-requests.ts';
import type { Clock } from '../../runtime/clock.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { Turns } from '../../runtime/turns.ts';
import type { Draft } from '../../submission/draft.ts';
import {
  answerIdempotently,
  honourIdempotencyKey,
  idempotencyHeaders,
} from '../../submission/idempotency/key-header.ts';
import type { Refused } from '../../submission/refused.ts';
import type { Accepted, SubmissionDeps } from '../../submission/submit.ts';
import { type ManyAccepted, submitMany } from '../../submission/submit-many.ts';
import { mixedBody, mixedResult } from './batch-schema.ts';
import { answerDryMixed, type DryRunDeps } from './dry-run-answer.ts';
import {
  emailsRefused,
  type RefusedEmail,
  refusalError,
  SENDING_ERRORS,
  someEmailsRefused,
} from './refusal-errors.ts';
import { createDraftOf, type DraftOf, senderOf } from './send-request.ts';
import { heldView } from './sent-answer.ts';

interface MixedRouteDeps {
  readonly submission: SubmissionDeps;
  readonly dryRun: DryRunDeps;
  readonly db: Sql;
  readonly clock: Clock;
}

export function mixedRoutes({ submission, dryRun, db, clock }: MixedRouteDeps): ApiRoutes {
  const draftOf = createDraftOf(clock);
  return async (app) => {
    app.post(
      '/emails/batch/mixed',
      {
        attachValidation: true,
        preValidation: honourIdempotencyKey(db),
        config: { scope: 'send', tied: true, hasDryRun: true, errors: [...SENDING_ERRORS] },
        schema: {
          tags: ['Emails'],
          summary: 'Send several different emails',
          description:
            'The accepted emails are stored in one transaction. The result of a refused email has an `error`. With `all_or_none`, one refused email refuses all.',
          headers: idempotencyHeaders,
          querystring: sendQuery,
          body: mixedBody(clock),
          response: { 200: dataOf(dryMixedResult), 201: dataOf(mixedResult) },
        },
      },
      async (request, reply) =>
        answerIdempotently(db, request, reply, async (run) => {
          const { emails, all_or_none: allOrNone = false } = request.body;
          const mixed = await readEmails(draftOf, emails);
          if (allOrNone && mixed.wrong.length > 0) throw emailsRefused(mixed.wrong);
          const sender = senderOf(request);
          const { drafts } = mixed;
          if (request.query.dry_run)
            return answerDryMixed(dryRun, request, mixed, (dry) =>
              submitMany(dry, sender, drafts, { allOrNone }),
            );
          const answer = (accepted: ManyAccepted) => mixedAnswer(mixed, accepted);
          const keyed = run && { run, answer };
          const result = await submitMany(submission, sender, drafts, { allOrNone }, keyed);
          if (result.kind !== 'accepted') throw refusalError(result);
          noteRefusedEmails(request, emails, refusedAmong(mixed, result));
          return answer(result);
        }),
    );
  };
}

interface MixedEmails {
  readonly drafts: readonly Draft[];
  /** The index of each draft in the request. */
  readonly places: readonly number[];
  /** Emails that are no drafts, because a field is invalid. */
  readonly wrong: readonly RefusedEmail[];
}

export async function readEmails(draftOf: DraftOf, emails: readonly unknown[]): Promise<MixedEmails> {
  const drafts: Draft[] = [];
  const places: number[] = [];
  const wrong: RefusedEmail[] = [];
  const turns = new Turns();
  for (const [index, email] of emails.entries()) {
    if (turns.isOver) await turns.next();
    try {
      drafts.push(await draftOf(email));
      places.push(index);
    } catch (error) {
      if (!(error instanceof ServiceError || error instanceof ApiError)) throw error;
      wrong.push({ index, error });
    }
  }
  return { drafts, places, wrong };
}

/** In the order of the request. */
export function refusedAmong({ places, wrong }: MixedEmails, { results }: ManyAccepted): RefusedEmail[] {
  const refused = results.flatMap((result, draft) =>
    result.kind === 'accepted' ? [] : [{ index: places[draft] as number, error: refusalError(result) }],
  );
  return [...wrong, ...refused].sort((a, b) => a.index - b.index);
}

export function noteRefusedEmails(
  request: FastifyRequest,
  emails: readonly unknown[],
  refused: readonly RefusedEmail[],
): void {
  const part = { emails: refused.map(({ index }) => emails[index]) };
  notePartialRefusal(request, someEmailsRefused(refused, emails.length), part);
}

function mixedAnswer({ places, wrong }: MixedEmails, { batchId, results }: ManyAccepted) {
  const judged = results.map((result, draft) => ({ index: places[draft] as number, ...resultView(result) }));
  const refused = wrong.map(({ index, error }) => ({ index, ...errorView(error) }));
  const all = [...judged, ...refused].sort((a, b) => a.index - b.index);
  const accepted = results.filter(({ kind }) => kind === 'accepted').length;
  return {
    status: 201,
    body: { data: { batch_id: batchId, total: all.length, accepted, results: all } },
  };
}

function resultView(result: Accepted | Refused) {
  return result.kind === 'accepted'
    ? { message_id: result.id, ...heldView(result.hold) }
    : errorView(refusalError(result));
}

/** The error that the email would get alone, with fields relative to the email. */
function errorView(error: ApiError | ServiceError) {
  const { code, message, details } = envelopeOf(apiErrorOf(error)).error;
  return { error: { code, message, details: [...details] } };
}
