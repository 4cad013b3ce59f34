/** `/approvals/:id/message`, `/parts/:number` and `/raw`: the full message that an approval would send. */
import { type Static, Type } from 'typebox';
import { type UnsentMessageDeps, writeUnsentMessage } from '../../dry-run/unsent-message.ts';
import { emailAttachment } from '../../emails/schema.ts';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { asFile, rawMessageResponse } from '../../http/raw-message.ts';
import { nullable } from '../../http/schema.ts';
import { findingHiddenTexts } from '../../protocols/message/plain-text/hidden-text.ts';
import {
  type MessageOutline,
  type OutlinedPart,
  outlining,
  outliningFields,
} from '../../protocols/message/reading/message-outline.ts';
import { decoding, decodingCharset } from '../../protocols/message/reading/part-text.ts';
import { readingText, removingNul, sizing } from '../../protocols/message/reading/shown-message.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { inTurns, type SlicedWork } from '../../runtime/sliced-work.ts';
import { readApproval } from './service.ts';

const fields = (description: string) =>
  Type.Array(
    Type.Object({
      name: Type.String({
        description: 'Name of the header field as written. Empty for a line that is not a field.',
        examples: ['Subject'],
      }),
      value: Type.String({
        description: 'Value of the header field in one line, with encoded words decoded.',
        examples: ['Your receipt'],
      }),
    }),
    { description },
  );

const part = Type.Object(
  {
    number: Type.Integer({
      description: 'Number of the part, from 0, for `GET /approvals/{id}/parts/{number}`.',
      examples: [0],
    }),
    content_type: Type.String({ examples: ['text/html'] }),
    disposition: Type.String({
      description: 'Content disposition: `attachment`, `inline`, or empty.',
      examples: ['attachment'],
    }),
    filename: nullable(Type.String({ examples: ['receipt.pdf'] })),
    content_id: nullable(
      Type.String({
        description:
          'Content id of an inline image, which the html refers to as `cid:…`. Null if the part has none.',
        examples: ['logo'],
      }),
    ),
    is_container: Type.Boolean({
      description:
        'Whether the part is a multipart container and has no content except the parts that follow it.',
    }),
    size: Type.Integer({ description: 'Size of the decoded part in bytes.', examples: [1024] }),
    headers: fields('All header fields of the part, in order.'),
    text: nullable(
      Type.String({
        description:
          'The complete decoded text, if the part is text or an included message; html as its source. Null otherwise.',
        examples: ['<p>Thank you, Ada.</p>'],
      }),
    ),
    hidden_text: Type.Array(Type.String({ examples: ['Read this first'] }), {
      description:
        'Text of an html part that most mail clients do not show: comments and elements that are hidden by their own style. Style sheets can hide more.',
    }),
  },
  { $id: 'ApprovalPart' },
);

/** The schema of a message that waits for approval. */
const approvalMessage = Type.Object(
  {
    size: Type.Integer({ description: 'Size of the message in bytes.', examples: [2048] }),
    headers: fields(
      'All header fields of the message, in order. When it is sent, `Date` and the reference for bounces are set again, and a DKIM signature is added.',
    ),
    parts: Type.Array(part, {
      description:
        'All MIME parts at every level, in order, including alternatives that few mail clients show.',
    }),
    outside: Type.Array(Type.String({ examples: ['This is a message in MIME format.'] }), {
      description: 'Text before, between or after the parts. Most mail clients do not show it.',
    }),
    tracked_links: Type.Array(Type.String({ examples: ['https://example.org/receipt'] }), {
      description: 'Original URLs of the links that are replaced by tracked links.',
    }),
  },
  { $id: 'ApprovalMessage' },
);

const tags = ['Approvals'];
const params = Type.Object({ id: Type.String() });
const partParams = Type.Object({ id: Type.String(), number: Type.String() });
const config = { confidential: true, errors: ['NOT_FOUND', 'CONFLICT'] } as const;

const GONE =
  'The content of this email is no longer in the database, so its message cannot be shown. GET /emails/{id}/content may still have the content.';

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
    summary: 'Get the complete message that an approval would send',
    description:
      'Returns the message as written for its first recipient, in parts: header fields, every MIME part, text outside the parts, and the tracked links. Other recipients get the same message with their own tracking and unsubscribe links.',
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
    summary: 'Get one part of a message that waits for approval',
    description: '`number` is the number of the part in `GET /approvals/{id}/message`.',
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
        throw new ServiceError(
          'NOT_FOUND',
          'The message has no part with this number. GET /approvals/:id/message lists the parts.',
        );
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
    summary: 'Get the source of a message that waits for approval',
    params,
    response: {
      200: rawMessageResponse,
    },
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
    throw new ServiceError('CONFLICT', `The email can no longer be rendered. ${message.message}`);
  return message;
}

type ApprovalMessage = Static<typeof approvalMessage>;
type ApprovalPart = ApprovalMessage['parts'][number];

const READABLE = /^(?:text|message)\//;

/** The public form of a message that waits for approval. */
export function* viewingMessage(
  size: number,
  { header, parts, outside }: MessageOutline,
  trackedLinks: readonly string[],
): SlicedWork<ApprovalMessage> {
  const views: ApprovalPart[] = [];
  for (const [number, part] of parts.entries()) views.push(yield* viewingPart(part, number));
  const texts: string[] = [];
  for (const bytes of outside) texts.push((yield* removingNul(yield* decodingCharset(bytes, ''))).trim());
  const headers = yield* outliningFields(header);
  return { size, headers, parts: views, outside: texts, tracked_links: [...trackedLinks] };
}

function* viewingPart(part: OutlinedPart, number: number): SlicedWork<ApprovalPart> {
  const { content, disposition, filename, contentId, isContainer, head } = part;
  const text = READABLE.test(content.type) && !isContainer ? yield* readingText(part) : null;
  return {
    number,
    content_type: content.type,
    disposition: disposition.type,
    filename,
    content_id: contentId,
    is_container: isContainer,
    size: yield* sizing(part),
    headers: yield* outliningFields(head),
    text,
    hidden_text: content.type === 'text/html' && text !== null ? yield* findingHiddenTexts(text) : [],
  };
}
