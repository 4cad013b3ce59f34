/** The suppression list over HTTP. */
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Sql } from '../database/sql.ts';
import { toAddress } from '../http/address-field.ts';
import type { ApiRoutes, App } from '../http/api-routes.ts';
import { nameTarget } from '../http/audit.ts';
import { readBody } from '../http/body-reader.ts';
import { bulkBody, forEachId, plainBulkResult } from '../http/bulk.ts';
import { dataOf, deletedSchema, pageOf } from '../http/envelope.ts';
import { paginated } from '../http/pagination.ts';
import { DAY_MS } from '../runtime/durations.ts';
import { csvLine } from './csv.ts';
import { getImport, importView, startImport } from './import-service.ts';
import {
  addBody,
  type ImportBody,
  importBody,
  importQuery,
  importSchema,
  suppressionSchema,
  suppressionsQuery,
} from './schema.ts';
import {
  addSuppression,
  listSuppressions,
  removeSuppression,
  type SuppressionDeps,
  suppressionView,
} from './service.ts';
import { nextSuppressions } from './store-read.ts';
import { publicId, type SuppressionRow } from './suppression.ts';

const tags = ['Suppressions'];
const idParams = Type.Object({ id: Type.String() });
const EXAMPLE_ID = 'sup_01a1dd1ca2a7709a867c8b135d323161';
/** A day: long enough to export a million entries over a slow connection. */
const EXPORT_TIMEOUT_MS = DAY_MS;

export function suppressionRoutes(deps: SuppressionDeps): ApiRoutes {
  return async (app) => {
    routeEntries(app, deps);
    routeExport(app, deps);
    // In its own scope, because no other route accepts CSV.
    app.register(async (scope) => routeImport(scope as App, deps));
  };
}

function routeEntries(app: App, deps: SuppressionDeps): void {
  routeListing(app, deps);
  routeChanging(app, deps);
  routeRemovingSeveral(app, deps);
}

function routeListing(app: App, deps: SuppressionDeps): void {
  app.get(
    '/suppressions',
    {
      config: { scope: 'agent', ofAllMail: true },
      schema: {
        tags,
        summary: 'List suppressed addresses, newest first',
        querystring: suppressionsQuery,
        response: { 200: pageOf(suppressionSchema) },
      },
    },
    async ({ principal, query: { email, ...query } }) => {
      const search = query.search?.trim() ?? null;
      const asked = { ...query, search, address: email === undefined ? null : toAddress(email) };
      const { rows, total } = await listSuppressions(deps, principal.organizationId, asked);
      return paginated(rows.map(suppressionView), { ...query, total });
    },
  );
}

function routeChanging(app: App, deps: SuppressionDeps): void {
  app.post(
    '/suppressions',
    {
      config: { audit: { action: 'suppression.created', show: ['reason'] } },
      schema: {
        tags,
        summary: 'Suppress an address',
        description: 'If the address is already on the list, its suppression gets the new reason.',
        body: addBody,
        response: { 201: dataOf(suppressionSchema) },
      },
    },
    async ({ principal, body }, reply) => {
      reply.code(201);
      const added = await addSuppression(deps, principal.organizationId, toAddress(body.email), body);
      return { data: suppressionView(added) };
    },
  );

  app.delete(
    '/suppressions/:id',
    {
      config: { errors: ['NOT_FOUND'], audit: { action: 'suppression.deleted' } },
      schema: {
        tags,
        summary: 'Remove an address from the suppression list',
        params: idParams,
        response: { 200: dataOf(deletedSchema) },
      },
    },
    async (request) => {
      const { id } = request.params;
      nameTarget(request, await removeSuppression(deps, request.principal.organizationId, id));
      return { data: { id, deleted: true } };
    },
  );
}

function routeRemovingSeveral(app: App, deps: SuppressionDeps): void {
  app.post(
    '/suppressions/delete',
    {
      config: { audit: { action: 'suppression.deleted' } },
      schema: {
        tags,
        summary: 'Remove several addresses from the suppression list',
        description: 'An id that does not exist has an `error`, and does not affect the others.',
        body: bulkBody('DeleteSuppressions', 'Ids of the suppressions.', EXAMPLE_ID),
        response: { 200: dataOf(plainBulkResult) },
      },
    },
    async (request) => ({
      data: await forEachId(request, request.body.ids, {}, async (id) => {
        const name = await removeSuppression(deps, request.principal.organizationId, id);
        return { fields: {}, name };
      }),
    }),
  );
}

const csvList = Type.Unsafe<Readable>({
  type: 'string',
  examples: [
    'id,email,reason,source,created_at,unsubscribe_group\r\n' +
      'sup_01a1dd1ca2a7709a867c8b135d323161,ada@example.org,hard_bounce,automatic,2026-11-15T02:50:03.964Z,\r\n',
  ],
});

function routeExport(app: App, deps: SuppressionDeps): void {
  app.get(
    '/suppressions/export',
    {
      handlerTimeout: EXPORT_TIMEOUT_MS,
      schema: {
        tags,
        summary: 'Download the suppression list as CSV',
        response: {
          200: { description: 'The suppression list as CSV', content: { 'text/csv': { schema: csvList } } },
        },
      },
    },
    async ({ principal }, reply) => {
      reply.type('text/csv; charset=utf-8');
      reply.header('Content-Disposition', 'attachment; filename="suppressions.csv"');
      return reply.send(exportCsv(deps.reads.of(principal.organizationId), principal.organizationId));
    },
  );
}

function routeImport(app: App, deps: SuppressionDeps): void {
  app.addContentTypeParser('text/csv', (request: FastifyRequest, payload: Readable) =>
    readBody(request, payload),
  );
  app.post(
    '/suppressions/import',
    {
      config: { errors: ['CONFLICT'], audit: { action: 'suppression.imported' } },
      schema: {
        tags,
        summary: 'Suppress up to 100,000 addresses',
        description:
          'As JSON, or as `text/csv`: one address per line, or with a header row that names the columns `email` and ' +
          '`reason`. The response is sent when the list is stored; it is imported in the background.',
        querystring: importQuery,
        body: {
          content: {
            'application/json': { schema: importBody },
            'text/csv': {
              schema: Type.Unsafe<Buffer>({
                description: 'The addresses as CSV.',
                examples: ['email,reason\nada@example.org,manual\n'],
              }),
            },
          },
        },
        response: { 202: dataOf(importSchema) },
      },
    },
    async ({ principal, body, query }, reply) => {
      const list = body as Buffer | ImportBody | null | undefined;
      const row = await startImport(deps, principal.organizationId, list, query.reason ?? null);
      reply.code(202);
      return { data: importView(row) };
    },
  );

  app.get(
    '/suppressions/imports/:id',
    {
      config: { errors: ['NOT_FOUND'] },
      schema: {
        tags,
        summary: 'Get the progress of an import of suppressions',
        params: idParams,
        response: { 200: dataOf(importSchema) },
      },
    },
    async ({ principal, params }) => ({
      data: importView(await getImport(deps, principal.organizationId, params.id)),
    }),
  );
}

const PAGE = 2_000;
const HEADING = ['id', 'email', 'reason', 'source', 'created_at', 'unsubscribe_group'];

/** Streams the whole list as CSV page by page at the reader's speed, so that memory use does not depend on its size. */
function exportCsv(db: Sql, organizationId: string): Readable {
  return Readable.from(pages(db, organizationId), { objectMode: false });
}

async function* pages(db: Sql, organizationId: string): AsyncGenerator<string> {
  yield csvLine(HEADING);
  for (let lastId: string | null = null; ; ) {
    const rows: SuppressionRow[] = await nextSuppressions(db, organizationId, lastId, PAGE);
    if (rows.length > 0) yield rows.map(line).join('');
    if (rows.length < PAGE) return;
    lastId = rows.at(-1)?.id ?? null;
  }
}

function line({ id, email, reason, source, created_at, unsubscribe_group }: SuppressionRow): string {
  return csvLine([publicId(id), email, reason, source, created_at.toISOString(), unsubscribe_group ?? '']);
}
