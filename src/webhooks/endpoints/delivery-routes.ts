/** `/webhooks/:id/deliveries` and their actions: for keys of scope `full` only. */
import { Type } from 'typebox';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import type { ErrorCode } from '../../http/errors.ts';
import { cursorPage, cursorPageOf } from '../../http/pagination.ts';
import { strictObject, stringEnum } from '../../http/schema.ts';
import { parseMoment } from '../../runtime/timestamp.ts';
import { EVENTS_JUDGED } from '../log-stats.ts';
import type { WebhookDeliveries } from './deliveries.ts';
import {
  deliveriesQuery,
  deliverySchema,
  deliveryWithRequestSchema,
  replayBody,
  replayedSchema,
  webhookStatsSchema,
} from './delivery-schema.ts';
import { TEST_TYPE, WEBHOOK_TYPES } from './schema.ts';
import { deliveryView, deliveryWithRequestView, statsView, storedType } from './view.ts';

const tags = ['Webhooks'];
const params = Type.Object({ id: Type.String() });
const deliveryParams = Type.Object({ id: Type.String(), delivery_id: Type.String() });
const mayBeUnknown = { errors: ['NOT_FOUND'] as readonly ErrorCode[] };
const mayConflict = { errors: ['NOT_FOUND', 'CONFLICT'] as readonly ErrorCode[] };

type App = Parameters<ApiRoutes>[0];

export function webhookDeliveryRoutes(deliveries: WebhookDeliveries): ApiRoutes {
  return async (app) => {
    routeReading(app, deliveries);
    routeTests(app, deliveries);
    routeReplays(app, deliveries);
  };
}

function routeReading(app: App, deliveries: WebhookDeliveries): void {
  const list = {
    tags,
    params,
    summary: 'List the deliveries to a webhook in the last 30 days, newest first',
    querystring: deliveriesQuery,
    response: { 200: cursorPageOf(deliverySchema) },
  };
  app.get(
    '/webhooks/:id/deliveries',
    { config: mayBeUnknown, schema: list },
    async ({ principal: { organizationId }, params: { id: endpointId }, query }) => {
      const rows = await deliveries.page({ organizationId, endpointId }, query);
      return cursorPage(rows, query.limit, { view: deliveryView, cursor: (row) => deliveryView(row).id });
    },
  );

  const read = {
    tags,
    params: deliveryParams,
    summary: 'Get a delivery with its request',
    response: { 200: dataOf(deliveryWithRequestSchema) },
  };
  app.get(
    '/webhooks/:id/deliveries/:delivery_id',
    { config: mayBeUnknown, schema: read },
    async ({ principal: { organizationId }, params: { id: endpointId, delivery_id } }) => ({
      data: deliveryWithRequestView(await deliveries.one({ organizationId, endpointId }, delivery_id)),
    }),
  );

  const stats = {
    tags,
    params,
    summary: 'Get the statistics of a webhook',
    description: `The statistics cover the newest ${EVENTS_JUDGED.toLocaleString('en')} events of the webhook.`,
    response: { 200: dataOf(webhookStatsSchema) },
  };
  app.get(
    '/webhooks/:id/stats',
    { config: mayBeUnknown, schema: stats },
    async ({ principal: { organizationId }, params: { id: endpointId } }) => ({
      data: statsView(await deliveries.stats({ organizationId, endpointId })),
    }),
  );
}

function routeTests(app: App, deliveries: WebhookDeliveries): void {
  const test = {
    tags,
    params,
    summary: 'Send a test event to a webhook',
    description:
      'Sends an event of type `webhook.test`, or of the requested type with an invented email or domain. The event is sent even if the webhook does not subscribe to its type.',
    querystring: strictObject({
      type: Type.Optional(
        stringEnum(WEBHOOK_TYPES, { description: 'Type of the event. The default is `webhook.test`.' }),
      ),
    }),
    response: { 202: dataOf(deliverySchema) },
  };
  app.post(
    '/webhooks/:id/test',
    { config: mayConflict, schema: test },
    async ({ principal: { organizationId }, params: { id: endpointId }, query: { type } }, reply) => {
      const tested = type === undefined ? TEST_TYPE : storedType(type);
      const row = await deliveries.test({ organizationId, endpointId }, tested);
      return reply.code(202).send({ data: deliveryView(row) });
    },
  );
}

function routeReplays(app: App, deliveries: WebhookDeliveries): void {
  const replay = {
    tags,
    params: deliveryParams,
    summary: 'Resend a delivery with the same webhook-id',
    response: { 202: dataOf(deliverySchema) },
  };
  app.post(
    '/webhooks/:id/deliveries/:delivery_id/replay',
    { config: mayConflict, schema: replay },
    async ({ principal: { organizationId }, params: { id: endpointId, delivery_id } }, reply) => {
      const row = await deliveries.replay({ organizationId, endpointId }, delivery_id);
      return reply.code(202).send({ data: deliveryView(row) });
    },
  );

  const replayRange = {
    tags,
    params,
    summary: 'Resend the failed deliveries of a period, or all deliveries',
    body: replayBody,
    response: { 202: dataOf(replayedSchema) },
  };
  app.post(
    '/webhooks/:id/replay',
    { config: mayConflict, schema: replayRange },
    async ({ principal: { organizationId }, params: { id: endpointId }, body }, reply) => {
      const sinceMs = parseMoment(body.since) ?? 0;
      const untilMs = body.until === undefined ? null : parseMoment(body.until);
      const span = { sinceMs, untilMs };
      const which = body.status ?? 'failed';
      const { count, nextMs } = await deliveries.replayRange({ organizationId, endpointId }, which, span);
      const next_since = nextMs === null ? null : new Date(nextMs);
      return reply.code(202).send({ data: { replayed: count, next_since } });
    },
  );
}
