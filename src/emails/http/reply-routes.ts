/** `POST /inbound/:id/reply`: a reply to a received mail, sent like any other email. */

import type { Database } from '../../database/database.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { halvesOf } from '../../protocols/message/address.ts';
import type { ReceivedMail } from '../../received/mail.ts';
import type { WrittenAddress } from '../../received/received-email.ts';
import { domainForName } from '../../received/receiving-names.ts';
import { type AnswerOutline, outlineOf } from '../../received/reply.ts';
import { receivedParams, replyBody } from '../../received/schema.ts';
import type { FullReceivedRow } from '../../received/store-read.ts';
import type { Clock } from '../../runtime/clock.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import {
  answerIdempotently,
  honourIdempotencyKey,
  idempotencyHeaders,
} from '../../submission/idempotency/key-header.ts';
import { type SubmissionDeps, submit } from '../../submission/submit.ts';
import { sendResult } from '../schema.ts';
import { findEmail } from '../store-read.ts';
import { refusalError, SENDING_ERRORS } from './refusal-errors.ts';
import { createDraftOf, senderOf } from './send-request.ts';
import { sentAnswer } from './sent-answer.ts';

interface ReplyDeps {
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
        preValidation: honourIdempotencyKey(db),
        config: { scope: 'agent', ofReceivedMail: true, errors: [...SENDING_ERRORS] },
        schema: {
          tags: ['Inbound'],
          summary: 'Reply to a received mail',
          description:
            'The reply is sent like any other email. The default sender is the sender of the email that the mail answers, or else the address that the mail was sent to, at its verified domain. Replies to it are received in the same conversation.',
          params: receivedParams,
          headers: idempotencyHeaders,
          body: replyBody,
          response: { 201: dataOf(sendResult) },
        },
      },
      async (request, reply) =>
        answerIdempotently(db, request, reply, async (run) => {
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
  const { from, to, ...rest }: AnswerOutline = outlineOf(row, await answeringSender(db, row));
  if (to.length === 0)
    throw new ServiceError(
      'CONFLICT',
      'The received message names no address to reply to. Send a new email instead.',
    );
  return { ...rest, to: to.map(named), ...(from === null ? {} : { from: named(from) }) };
}

/** The sender of the answered email, or else the address that received the mail, at the domain that may send for it. */
async function answeringSender(db: Database, row: FullReceivedRow): Promise<WrittenAddress | null> {
  const { organization_id: organizationId, token_email_id: answeredId, recipients } = row;
  if (answeredId !== null) {
    const email = await findEmail(db, { organizationId, sentWith: null, domain: null }, answeredId);
    return email === undefined ? null : { email: email.from_email, name: email.from_name };
  }
  for (const recipient of recipients) {
    const { local, domain } = halvesOf(recipient);
    const sending = await domainForName(db, organizationId, domain);
    if (sending !== undefined) return { email: `${local}@${sending.domain}`, name: null };
  }
  return null;
}

function named({ email, name }: { readonly email: string; readonly name: string | null }) {
  return name === null ? { email } : { email, name };
}
