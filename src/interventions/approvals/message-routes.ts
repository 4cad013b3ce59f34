/** `/approvals/:id/message`, `/parts/:number` and `/raw`: the full message that an approval would send. */
import { type Static, Type } from 'typebox';
import { type UnsentMessageDeps, writeUnsentMessage } from '../../dry-run/unsent-message.ts';
import { emailAttachment } from '../../emails/schema.ts';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { asFile, rawMessage } from '../../http/raw-message.ts';
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
        description: 'As it is written; empty for a line that is no field.',
        examples: ['Subject'],
      }),
      value: Type.String({
        description: 'In one line, with encoded words decoded.',
        examples: ['Your receipt'],
      }),
    }),
    { description },
  );

const part = Type.Object(
  {
    number: Type.Integer({
      description: 'To download it by: `GET /approvals/{id}/parts/{number}`.',
      examples: [0],
    }),
    content_type: Type.String({ examples: ['text/html'] }),
    disposition: Type.String({ description: '`attachment`, `inline`, or empty.', examples: ['attachment'] }),
    filename: nullable(Type.String({ examples: ['receipt.pdf'] })),
    content_id: nullable(Type.String({ description: 'What html refers to as cid:…', examples: ['logo'] })),
    is_container: Type.Boolean({ description: 'It holds nothing but the parts that follow it.' }),
    size: Type.Integer({ description: 'Bytes, decoded.', examples: [1024] }),
    headers: fields('Every field of the header of the part, in order.'),
    text: nullable(
      Type.String({
        description: 'All of it, decoded, where it is text or an included message; html as its source.',
        examples: ['<p>Thank you, Ada.</p>'],
      }),
    ),
    hidden_text: Type.Array(Type.String({ examples: ['Read this first'] }), {
      description:
        'Of html: text that most mail clients do not show, in comments and in elements that hide themselves. Style sheets can hide more.',
    }),
  },
  { $id: 'ApprovalPart' },
);

/** The schema of a message that waits for approval. */
const approvalMessage = Type.Object(
  {
    size: Type.Integer({ description: 'Bytes of the message.', examples: [2048] }),
    headers: fields(
      'Every header field that leaves, in order. `Date` and the reference for bounces are set anew when it is sent; a signature (DKIM) is added.',
    ),
    parts: Type.Array(part, {
      description: 'Every MIME part, however deep, in order: alternatives that few mail clients show, too.',
    }),
    outside: Type.Array(Type.String({ examples: ['This is a message in MIME format.'] }), {
      description: 'Text that stands before, between or behind the parts. Most mail clients do not show it.',
    }),
    tracked_links: Type.Array(Type.String({ examples: ['https://example.org/receipt'] }), {
      description: 'The links that are replaced by tracked ones, as they were written.',
    }),
  },
  { $id: 'ApprovalMessage' },
);

const tags = ['Approvals'];
const params = Type.Object({ id: Type.String() });
const partParams = Type.Object({ id: Type.String(), number: Type.String() });
const config = { errors: ['NOT_FOUND', 'CONFLICT'] } as const;

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
