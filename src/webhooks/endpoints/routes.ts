/** `/webhooks`: for keys of scope `full` only. */
import { Type } from 'typebox';
import { parseEventId } from '../../events/read.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { nameTarget } from '../../http/audit.ts';
import { dataOf, deletedSchema } from '../../http/envelope.ts';
import { ApiError, type ErrorCode } from '../../http/errors.ts';
import { mapOf, strictObject, stringEnum } from '../../http/schema.ts';
import { isUuid } from '../../runtime/ids.ts';
import type { DescribeRequest } from './described-request.ts';
import { createWebhookBody, endpointSchema, endpointWithSecretSchema, updateWebhookBody } from './schema.ts';
import type { WebhookService } from './service.ts';
import { WEBHOOK_FORMATS } from './store.ts';
import { endpointView, endpointWithSecretView } from './view.ts';

const tags = ['Webhooks'];
const params = Type.Object({ id: Type.String() });
const mayBeUnknown = { errors: ['NOT_FOUND'] as readonly ErrorCode[] };

type App = Parameters<ApiRoutes>[0];

export function webhookRoutes(webhooks: WebhookService): ApiRoutes {
  return async (app) => {
    routeCollection(app, webhooks);
    routeEndpoint(app, webhooks);
    routeSecret(app, webhooks);
  };
}

function routeCollection(app: App, webhooks: WebhookService): void {
  const create = {
    tags,
    summary: 'Create a webhook that sends events to a URL',
    description: 'The signing secret is shown only in this response.',
    body: createWebhookBody,
    response: { 201: dataOf(endpointWithSecretSchema) },
  };
  app.post(
    '/webhooks',
    { config: { errors: ['CONFLICT'], audit: { action: 'webhook.created' } }, schema: create },
    async ({ principal, body }, reply) => {
      const { row, secret } = await webhooks.create(principal.organizationId, body);
      return reply.code(201).send({ data: endpointWithSecretView(row, secret) });
    },
  );

  const list = {
    tags,
    summary: 'List all webhooks, newest first',
    response: { 200: dataOf(Type.Array(endpointSchema)) },
  };
  app.get('/webhooks', { schema: list }, async ({ principal }) => ({
    data: (await webhooks.list(principal.organizationId)).map(endpointView),
  }));
}

function routeEndpoint(app: App, webhooks: WebhookService): void {
  const one = { tags, params, response: { 200: dataOf(endpointSchema) } };
  const read = { ...one, summary: 'Get a webhook' };
  app.get('/webhooks/:id', { config: mayBeUnknown, schema: read }, async ({ principal, params: { id } }) => ({
    data: endpointView(await webhooks.find(principal.organizationId, id)),
  }));

  const update = { ...one, summary: 'Change a webhook, enable or disable it', body: updateWebhookBody };
  app.patch(
    '/webhooks/:id',
    {
      config: {
        ...mayBeUnknown,
        audit: { action: 'webhook.updated', show: ['url', 'enabled', 'event_types', 'streams', 'format'] },
      },
      schema: update,
    },
    async ({ principal, params: { id }, body }) => ({
      data: endpointView(await webhooks.update(principal.organizationId, id, body)),
    }),
  );

  const remove = {
    tags,
    params,
    summary: 'Delete a webhook with the log of its deliveries',
    response: { 200: dataOf(deletedSchema) },
  };
  app.delete(
    '/webhooks/:id',
    { config: { ...mayBeUnknown, audit: { action: 'webhook.deleted' } }, schema: remove },
    async (request) => {
      const { principal, params: asked } = request;
      const { id, url } = await webhooks.find(principal.organizationId, asked.id);
      await webhooks.remove(principal.organizationId, id);
      nameTarget(request, url);
      return { data: { id, deleted: true } };
    },
  );
}

function routeSecret(app: App, webhooks: WebhookService): void {
  const rotate = {
    tags,
    params,
    summary: 'Create a new signing secret for a webhook',
    description:
      'For 24 hours every request is signed with both the old and the new secret, so that you have time to switch.',
    response: { 200: dataOf(endpointWithSecretSchema) },
  };
  app.post(
    '/webhooks/:id/rotate-secret',
    { config: { ...mayBeUnknown, audit: { action: 'webhook.secret_rotated' } }, schema: rotate },
    async ({ principal, params: { id } }) => {
      const { row, secret } = await webhooks.rotate(principal.organizationId, id);
      return { data: endpointWithSecretView(row, secret) };
    },
  );
}

const preview = {
  tags: ['Webhooks'],
  summary: 'Preview the webhook request for an event',
  description:
    'Returns 404 also if the format has no type for the event. `npx postrider listen` uses this route to forward events.',
  params: Type.Object({ id: Type.String(), event_id: Type.String() }),
  querystring: strictObject({
    format: Type.Optional(
      stringEnum(WEBHOOK_FORMATS, { default: 'postrider', description: 'Format of the request.' }),
    ),
  }),
  response: {
    200: dataOf(
      Type.Object(
        {
          headers: mapOf(Type.String(), {
            description:
              'Headers of the request, without the timestamp and the signatures, which the sender of the request adds.',
          }),
          body: Type.String({ description: 'Body of the request, exactly as it is sent.' }),
        },
        { $id: 'WebhookPreview' },
      ),
    ),
  },
};

/** Previews the webhook message of an event, for clients that forward events themselves. */
export function webhookPreviewRoutes(describe: DescribeRequest): ApiRoutes {
  return async (app) => {
    app.get(
      '/emails/:id/events/:event_id/webhook',
      { config: { errors: ['NOT_FOUND'] }, schema: preview },
      async ({ principal: { organizationId }, params, query: { format = 'postrider' } }) => {
        const [emailId, eventId] = [params.id, parseEventId(params.event_id)];
        if (!isUuid(emailId) || eventId === null) throw new ApiError('NOT_FOUND');
        const mail = { organizationId, emailId, eventId, endpointId: '', eventType: '', tries: 0 };
        const told = await describe({ ...mail, createdAt: new Date(0), payload: null }, { format });
        if (told === null) throw new ApiError('NOT_FOUND');
        return { data: { headers: { ...told.headers }, body: told.body } };
      },
    );
  };
}
