/** Sends one message, or up to 500 different ones with separate results. */
import type { FastifyInstance } from 'fastify';
import { noteRefusedEmails } from '../../../emails/http/mixed-routes.ts';
import { senderOf } from '../../../emails/http/send-request.ts';
import { ApiError } from '../../../http/errors.ts';
import { Problems } from '../../../runtime/problems.ts';
import { postmarkErrorOfItem } from './error-answer.ts';
import { fieldsOfPostmark } from './message-body.ts';
import {
  type MessageKind,
  type PostmarkSending,
  sendPostmarkMessage,
  sendPostmarkMessages,
} from './sending.ts';

const MAX_MESSAGES = 500;
const config = { scope: 'send', tied: true } as const;

export function routePostmarkSending(app: FastifyInstance, deps: PostmarkSending): void {
  const single = (path: string, kind: MessageKind) =>
    app.post(path, { config }, (request) => sendPostmarkMessage(deps, senderOf(request), request.body, kind));
  const many = (path: string, kind: MessageKind, messagesOf: (body: unknown) => unknown) =>
    app.post(path, { config }, async (request) => {
      const onError = (error: unknown) => request.log.error({ err: error }, 'a part of a batch failed');
      const messages = messagesIn(messagesOf(request.body));
      const answers = await sendPostmarkMessages(deps, senderOf(request), messages, kind, onError);
      noteRefusedEmails(
        request,
        messages,
        answers.flatMap((one, index) => ('error' in one ? [{ index, error: one.error }] : [])),
      );
      return answers.map((one) => ('error' in one ? postmarkErrorOfItem(one.error) : one));
    });
  single('/email', 'plain');
  single('/email/withTemplate', 'templated');
  many('/email/batch', 'plain', (body) => body);
  many('/email/batchWithTemplates', 'templated', (body) => fieldsOfPostmark(body).Messages);
}

function messagesIn(list: unknown): readonly unknown[] {
  if (!Array.isArray(list)) throw new Problems().add('Messages', 'must be an array of messages').toError();
  if (list.length > MAX_MESSAGES)
    throw new ApiError(
      'PAYLOAD_TOO_LARGE',
      [],
      `A batch may have ${MAX_MESSAGES} messages, this has ${list.length}.`,
    );
  return list;
}
