/** `/inbound`: received mail. */
import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { emailAttachment } from '../emails/schema.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf, deletedSchema } from '../http/envelope.ts';
import { cursorPage, cursorPageOf } from '../http/pagination.ts';
import { asFile, rawMessageResponse } from '../http/raw-message.ts';
import type { Clock } from '../runtime/clock.ts';
import type { DerivedKeys } from '../runtime/key-ring.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { FILE_PATH, readFileLink } from './download-link.ts';
import type { DownloadedFile, ReceivedMail } from './mail.ts';
import { receivedDetail, receivedFileParams, receivedItem, receivedParams, receivedQuery } from './schema.ts';
import type { ReceivedFilter } from './store-read.ts';
import { receivedItemView } from './view.ts';

const tags = ['Inbound'];
const errors = ['NOT_FOUND'] as const;
/** Agents with permission: see `inbound` of their policy. */
const FOR_AGENTS = { scope: 'agent', ofReceivedMail: true } as const;

type App = Parameters<ApiRoutes>[0];

export function receivedRoutes(mail: ReceivedMail): ApiRoutes {
  return async (app) => {
    routeReceived(app, mail);
    routeReceivedFiles(app, mail);
    app.delete(
      '/inbound/:id',
      {
        config: { errors, audit: { action: 'received_email.deleted' } },
        schema: {
          tags,
          summary: 'Delete a received mail with all of its content',
          params: receivedParams,
          response: { 200: dataOf(deletedSchema) },
        },
      },
      async ({ principal, params }) => {
        await mail.remove(principal.organizationId, params.id);
        return { data: { id: params.id, deleted: true } };
      },
    );
  };
}

function routeReceived(app: App, mail: ReceivedMail): void {
  app.get(
    '/inbound',
    {
      config: FOR_AGENTS,
      schema: {
        tags,
        summary: 'List received mail, newest first',
        querystring: receivedQuery,
        response: { 200: cursorPageOf(receivedItem) },
      },
    },
    async ({ principal, query }) => {
      const rows = await mail.list(principal.organizationId, toReceivedFilter(query));
      return cursorPage(rows, query.limit, { view: receivedItemView, cursor: ({ id }) => id });
    },
  );

  app.get(
    '/inbound/:id',
    {
      config: { ...FOR_AGENTS, confidential: true, errors },
      schema: {
        tags,
        summary: 'Get a received mail',
        params: receivedParams,
        response: { 200: dataOf(receivedDetail) },
      },
    },
    async ({ principal, params }) => ({ data: await mail.get(principal.organizationId, params.id) }),
  );
}

function routeReceivedFiles(app: App, mail: ReceivedMail): void {
  app.get(
    '/inbound/:id/raw',
    {
      config: { confidential: true, errors },
      schema: {
        tags,
        summary: 'Get the source of a received mail',
        params: receivedParams,
        response: {
          200: rawMessageResponse,
        },
      },
    },
    async ({ principal, params }, reply) =>
      asFile(reply, params.id, await mail.source(principal.organizationId, params.id)),
  );

  app.get(
    '/inbound/:id/attachments/:number',
    {
      config: { confidential: true, errors },
      schema: {
        tags,
        summary: 'Get one attachment of a received mail',
        description:
          '`number` is the position in `attachments`, from 0. The `download_url` there returns the file itself.',
        params: receivedFileParams,
        response: { 200: dataOf(emailAttachment) },
      },
    },
    async ({ principal, params: { id, number } }, reply) =>
      asJson(reply, await mail.file(principal.organizationId, id, number)),
  );
}

/** Encodes piece by piece, because 25 MB in base64 take a tenth of a second in one go. */
function asJson(reply: FastifyReply, { filename, contentType, contentId, content }: DownloadedFile) {
  const about = { filename, content_type: contentType, content_id: contentId, size: content.length };
  reply.type('application/json; charset=utf-8');
  return reply.send(Readable.from(jsonPieces(about, content), { objectMode: false }));
}

/** A multiple of three, because each piece is encoded separately. */
const ENCODED_AT_ONCE = 96 * 1024;

function* jsonPieces(about: object, content: Buffer): Generator<Buffer> {
  yield Buffer.from(`{"data":${JSON.stringify(about).slice(0, -1)},"content":"`);
  for (let at = 0; at < content.length; at += ENCODED_AT_ONCE)
    yield Buffer.from(content.toString('base64', at, at + ENCODED_AT_ONCE), 'latin1');
  yield Buffer.from('"}}');
}

interface FileLinkDeps {
  readonly mail: ReceivedMail;
  readonly keys: DerivedKeys;
  readonly clock: Clock;
}

/** Serves attachments through the links in webhooks and answers. */
export function receivedFileRoutes({ mail, keys, clock }: FileLinkDeps): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { '*': string } }>(`${FILE_PATH}*`, async (request, reply) => {
      const file = readFileLink(request.params['*'], keys, clock.nowMs());
      if (file === null)
        throw new ServiceError(
          'NOT_FOUND',
          'The link is invalid or has expired. Get a new one with GET /inbound/:id.',
        );
      return asDownload(reply, await mail.file(file.organizationId, file.id, String(file.position)));
    });
  };
}

/** The content is untrusted: the file is always saved, never displayed, and its type is hidden from browsers. */
function asDownload(reply: FastifyReply, { filename, content }: DownloadedFile): Buffer {
  reply.type('application/octet-stream');
  reply.header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`);
  reply.header('X-Content-Type-Options', 'nosniff');
  reply.header('Content-Security-Policy', "default-src 'none'; sandbox");
  reply.header('Cache-Control', 'private, no-store');
  return content;
}

function toReceivedFilter(asked: Static<typeof receivedQuery>): ReceivedFilter {
  return {
    beforeId: asked.cursor ?? null,
    routeId: asked.route ?? null,
    from: asked.from ?? null,
    to: asked.to ?? null,
    conversationId: asked.conversation ?? null,
    search: asked.search ?? null,
    limit: asked.limit + 1,
  };
}
