/** Saved templates: their content, versions and previews. */
import { Type } from 'typebox';
import type { ApiRoutes, App } from '../http/api-routes.ts';
import { dataOf, deletedSchema, pageOf } from '../http/envelope.ts';
import { pageQuery, paginated } from '../http/pagination.ts';
import { preview, template, templateDetail, templateVersion } from './answer-schema.ts';
import { actorIdOf } from './draft-routes.ts';
import {
  createTemplateBody,
  lastChangeQuery,
  previewBody,
  templatesQuery,
  updateTemplateBody,
  validateTemplateBody,
} from './schema.ts';
import type { TemplateService } from './service.ts';

const tags = ['Templates'];
const id = Type.String({ description: 'Id or alias of the template.' });
const idParams = Type.Object({ id });
const versionParams = Type.Object({ id, version: Type.String() });
const notFound = { errors: ['NOT_FOUND'] } as const;

export function templateRoutes(service: TemplateService): ApiRoutes {
  return async (app) => {
    routeReading(app, service);
    routeValidating(app, service);
    routeWriting(app, service);
    routeVersions(app, service);
  };
}

function routeReading(app: App, service: TemplateService): void {
  app.get(
    '/templates',
    {
      config: { scope: 'agent', tied: true },
      schema: {
        tags,
        summary: 'List templates',
        querystring: templatesQuery,
        response: { 200: pageOf(template) },
      },
    },
    async ({ principal, query }) => {
      const filter = {
        isActive: query.is_active ?? null,
        search: query.search ?? null,
        kind: query.kind ?? null,
      };
      const { rows, total } = await service.list(principal.organizationId, filter, query);
      return paginated(rows, { ...query, total });
    },
  );

  app.get(
    '/templates/:id',
    {
      config: { ...notFound, scope: 'agent', tied: true },
      schema: {
        tags,
        summary: 'Get a template, its variables and the number of its sends',
        params: idParams,
        response: { 200: dataOf(templateDetail) },
      },
    },
    async ({ principal, params }) => ({ data: await service.get(principal.organizationId, params.id) }),
  );

  app.post(
    '/templates/:id/preview',
    {
      config: { ...notFound, scope: 'agent', reads: true, tied: true },
      schema: {
        tags,
        summary: 'Render a template without sending it',
        description:
          'Renders the saved template, or the template with the subject, bodies or rules of the request.',
        params: idParams,
        body: previewBody,
        response: { 200: dataOf(preview) },
      },
    },
    async ({ principal, params, body }) => ({
      data: await service.preview(principal.organizationId, params.id, body),
    }),
  );
}

function routeValidating(app: App, service: TemplateService): void {
  app.post(
    '/templates/validate',
    {
      config: { reads: true, tied: true },
      schema: {
        tags,
        summary: 'Check a template without saving it',
        description:
          'Returns all errors at once, as saving does. Without errors it returns the rendered result, the variables, and the problems for which a send would be refused.',
        body: validateTemplateBody,
        response: { 200: dataOf(preview) },
      },
    },
    async ({ principal, body }) => ({ data: await service.validate(principal.organizationId, body) }),
  );
}

function routeWriting(app: App, service: TemplateService): void {
  app.post(
    '/templates',
    {
      config: { errors: ['CONFLICT'], audit: { action: 'template.created' } },
      schema: {
        tags,
        summary: 'Create a template',
        body: createTemplateBody,
        response: { 201: dataOf(template) },
      },
    },
    async ({ principal, body }, reply) =>
      reply
        .code(201)
        .send({ data: await service.create(principal.organizationId, body, actorIdOf(principal)) }),
  );

  app.put(
    '/templates/:id',
    {
      config: { errors: ['NOT_FOUND', 'CONFLICT'], audit: { action: 'template.updated' } },
      schema: {
        tags,
        summary: 'Change a template',
        description:
          'Only the given fields change. Sends use the saved version from then on. To save changes without sending them, use `PUT /templates/{id}/draft`. Mail that is queued or scheduled keeps the version that it was accepted with.',
        params: idParams,
        querystring: lastChangeQuery,
        body: updateTemplateBody,
        response: { 200: dataOf(template) },
      },
    },
    async ({ principal, params, query, body }) => ({
      data: await service.update(principal.organizationId, params.id, body, actorIdOf(principal), query),
    }),
  );

  app.delete(
    '/templates/:id',
    {
      config: { errors: ['NOT_FOUND', 'CONFLICT'], audit: { action: 'template.deleted' } },
      schema: {
        tags,
        summary: 'Delete a template',
        description:
          'A layout or partial that templates use cannot be deleted. The error names the templates.',
        params: idParams,
        response: { 200: dataOf(deletedSchema) },
      },
    },
    async ({ principal, params }) => ({ data: await service.remove(principal.organizationId, params.id) }),
  );
}

function routeVersions(app: App, service: TemplateService): void {
  app.get(
    '/templates/:id/versions',
    {
      config: { ...notFound, tied: true },
      schema: {
        tags,
        summary: 'List the versions of a template, newest first',
        params: idParams,
        querystring: pageQuery,
        response: { 200: pageOf(templateVersion) },
      },
    },
    async ({ principal, params, query }) => {
      const { rows, total } = await service.versions(principal.organizationId, params.id, query);
      return paginated(rows, { ...query, total });
    },
  );

  app.post(
    '/templates/:id/versions/:version/restore',
    {
      config: { errors: ['NOT_FOUND', 'CONFLICT'], audit: { action: 'template.restored' } },
      schema: {
        tags,
        summary: 'Restore an earlier version of a template',
        params: versionParams,
        response: { 200: dataOf(template) },
      },
    },
    async ({ principal, params }) => ({
      data: await service.restore(principal.organizationId, params.id, params.version, actorIdOf(principal)),
    }),
  );
}
