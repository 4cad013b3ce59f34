/** `/approvals/:id/message`, `/parts/:number` and `/raw`: the full message that an approval would send. */
import { Type } from 'typebox';
import { type UnsentMessageDeps, writeUnsentMessage } from '../../dry-run/unsent-message.ts';
import { emailAttachment } from '../../emails/schema.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { asFile, rawMessage } from '../../http/raw-message.ts';
import { outlining } from '../../protocols/message/reading/message-outline.ts';
import { decoding } from '../../protocols/message/reading/part-text.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { inTurns } from '../../runtime/sliced-work.ts';
import { approvalMessage } from './message-schema.ts';
import { viewingMessage } from './message-view.ts';
import { readApproval } from './service.ts';

const tags = ['Approvals'];
const params = Type.Object({ id: Type.String() });
const partParams = Type.Object({ id: Type.String(), number: Type.String() });
const config = { errors: ['NOT_FOUND', 'CONFLICT'] } as const;

const GONE =
  'The content of this email is no longer in the database, so its message cannot be shown. GET /emails/{id}/content may have it.';

type App = Parameters<ApiRoutes>[0];

export function approvalMessageRoutes(deps: UnsentMessageDeps): ApiRoutes {
  return async (app) => {
    routeMessage(app, deps);
    routePart(app, deps);
    routeRaw(app, deps);
  };
}

function routeMessage(app: App, deps: UnsentMessageDeps): void {
  const schema = {
    tags,
    summary: 'Read everything that leaves when an email is approved',
    description:
      'The message as it is written for its first recipient, taken apart: header fields, every part, text outside of the parts, and the links that are tracked. Other recipients get the same, with tracking and unsubscribe links of their own.',
    params,
    response: { 200: dataOf(approvalMessage) },
  };
  app.get('/approvals/:id/message', { config, schema }, async ({ principal, params: { id } }) => {
    const { wire, trackedLinks } = await written(deps, principal.organizationId, id);
    const outline = await inTurns(outlining(wire));
    return { data: await inTurns(viewingMessage(wire.length, outline, trackedLinks)) };
  });
}

function routePart(app: App, deps: UnsentMessageDeps): void {
  const schema = {
    tags,
    summary: 'Download one part of a message that waits for approval',
    description: 'By its `number` in the message.',
    params: partParams,
    response: { 200: dataOf(emailAttachment) },
  };
  app.get(
    '/approvals/:id/parts/:number',
    { config, schema },
    async ({ principal, params: { id, number } }) => {
      const { wire } = await written(deps, principal.organizationId, id);
      const { parts } = await inTurns(outlining(wire));
      const part = parts[Number(number)];
      if (!/^\d{1,4}$/.test(number) || part === undefined)
        throw new ServiceError('NOT_FOUND', 'The message has no such part.');
      const content = await inTurns(decoding(part, part.body.length));
      return {
        data: {
          filename: part.filename ?? `part-${number}`,
          content_type: part.content.type,
          content_id: part.contentId,
          size: content.length,
          content: content.toString('base64'),
        },
      };
    },
  );
}

function routeRaw(app: App, deps: UnsentMessageDeps): void {
  const schema = {
    tags,
    summary: 'Download the source of a message that waits for approval',
    params,
    response: { 200: { content: { 'text/plain': { schema: rawMessage } } } },
  };
  app.get('/approvals/:id/raw', { config, schema }, async ({ principal, params: { id } }, reply) => {
    const { wire } = await written(deps, principal.organizationId, id);
    return asFile(reply, id, wire);
  });
}

/** Only for mail that requires approval. */
async function written(deps: UnsentMessageDeps, organizationId: string, id: string) {
  await readApproval(deps.db, organizationId, id);
  const message = await writeUnsentMessage(deps, organizationId, id);
  if (message.kind === 'gone') throw new ServiceError('NOT_FOUND', GONE);
  if (message.kind === 'unrenderable')
    throw new ServiceError('CONFLICT', `It can no longer be rendered. ${message.message}`);
  return message;
}
