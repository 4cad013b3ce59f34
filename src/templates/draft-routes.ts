/** Drafts of templates, edited beside the version that is sent. */
import { Type } from 'typebox';
import type { ApiRoutes, App } from '../http/api-routes.ts';
import { dataOf, deletedSchema } from '../http/envelope.ts';
import type { Principal } from '../http/principal.ts';
import { template, templateDraft } from './answer-schema.ts';
import type { TemplateDrafts } from './draft-service.ts';
import { draftBody, lastChangeQuery } from './schema.ts';

const tags = ['Templates'];
const params = Type.Object({ id: Type.String({ description: 'Id or alias of the template.' }) });

export function templateDraftRoutes(drafts: TemplateDrafts): ApiRoutes {
  return async (app) => {
    routeSaving(app, drafts);
    routePublishing(app, drafts);
  };
}

function routeSaving(app: App, drafts: TemplateDrafts): void {
  app.put(
    '/templates/:id/draft',
    {
      config: { errors: ['NOT_FOUND', 'CONFLICT'], audit: { action: 'template.draft_saved' } },
      schema: {
        tags,
        summary: 'Save a draft of a template',
        description:
          'The published version does not change. The given fields are changed in the existing draft, or in a copy of the current version if there is no draft.',
        params,
        querystring: lastChangeQuery,
        body: draftBody,
        response: { 200: dataOf(templateDraft) },
      },
    },
    async ({ principal, params: { id }, query, body }) => ({
      data: await drafts.save(principal.organizationId, id, body, actorIdOf(principal), query),
    }),
  );
}

function routePublishing(app: App, drafts: TemplateDrafts): void {
  app.post(
    '/templates/:id/publish',
    {
      config: { errors: ['NOT_FOUND', 'CONFLICT'], audit: { action: 'template.published' } },
      schema: {
        tags,
        summary: 'Publish the draft of a template',
        description: 'The draft becomes the current version. Sends use it from then on.',
        params,
        querystring: lastChangeQuery,
        response: { 200: dataOf(template) },
      },
    },
    async ({ principal, params: { id }, query }) => ({
      data: await drafts.publish(principal.organizationId, id, actorIdOf(principal), query),
    }),
  );

  app.delete(
    '/templates/:id/draft',
    {
      config: { errors: ['NOT_FOUND', 'CONFLICT'], audit: { action: 'template.draft_discarded' } },
      schema: {
        tags,
        summary: 'Discard the draft of a template',
        params,
        querystring: lastChangeQuery,
        response: { 200: dataOf(deletedSchema) },
      },
    },
    async ({ principal, params: { id }, query }) => ({
      data: await drafts.discard(principal.organizationId, id, query),
    }),
  );
}

export function actorIdOf({ session, keyId }: Principal): string {
  return session?.userId ?? keyId ?? '';
}
