/** Resend's `/webhooks`. Endpoints created here get events in Resend's format. */
import type { FastifyInstance } from 'fastify';
import { addDetails, nameTarget } from '../../../http/audit.ts';
import type { JsonFields } from '../../../http/json-fields.ts';
import { judgedBy } from '../../../http/judged-by.ts';
import { Problems } from '../../../runtime/problems.ts';
import {
  createWebhookBody,
  updateWebhookBody,
  type WebhookType,
} from '../../../webhooks/endpoints/schema.ts';
import { secretText } from '../../../webhooks/endpoints/secret.ts';
import type { WebhookService } from '../../../webhooks/endpoints/service.ts';
import { endpointView } from '../../../webhooks/endpoints/view.ts';
import { pageOfAll, placeIn, resendList } from './cursor.ts';
import { resendFields } from './send-body.ts';

interface OfWebhook {
  Params: { readonly id: string };
}

/** Our equivalents of Resend's events. Others (contacts, …) do not occur. */
const EVENTS = new Map<unknown, WebhookType>([
  ['email.scheduled', 'email.queued'],
  ['email.sent', 'email.processing'],
  ['email.delivered', 'email.delivered'],
  ['email.delivery_delayed', 'email.deferred'],
  ['email.bounced', 'email.bounced'],
  ['email.complained', 'email.complained'],
  ['email.opened', 'email.opened'],
  ['email.clicked', 'email.clicked'],
  ['email.failed', 'email.failed'],
  ['email.suppressed', 'email.rejected'],
]);

export function routeResendWebhooks(app: FastifyInstance, webhooks: WebhookService): void {
  routeReading(app, webhooks);
  routeWriting(app, webhooks);
}

function routeReading(app: FastifyInstance, webhooks: WebhookService): void {
  app.get('/webhooks', async ({ principal, query }) => {
    const rows = await webhooks.list(principal.organizationId);
    return resendList(pageOfAll(rows, placeIn(query)), (row) => webhookItem(endpointView(row)));
  });

  // The secret is shown only at creation, because it allows forging events.
  app.get<OfWebhook>('/webhooks/:id', async ({ principal, params }) => ({
    object: 'webhook',
    ...webhookItem(endpointView(await webhooks.find(principal.organizationId, params.id))),
    signing_secret: '',
  }));
}

function routeWriting(app: FastifyInstance, webhooks: WebhookService): void {
  const judgeNew = judgedBy(createWebhookBody);
  const created = { config: { audit: { action: 'webhook.created' } } };
  app.post('/webhooks', created, async (request, reply) => {
    const asked = judgeNew({ ...ourFields(resendFields(request.body)), format: 'resend' });
    const { row, secret } = await webhooks.create(request.principal.organizationId, asked);
    nameTarget(request, row.url);
    return reply.code(201).send({ object: 'webhook', id: row.id, signing_secret: secretText(secret) });
  });

  const judgeChange = judgedBy(updateWebhookBody);
  const updated = { config: { audit: { action: 'webhook.updated' } } };
  app.patch<OfWebhook>('/webhooks/:id', updated, async (request) => {
    const asked = judgeChange(ourFields(resendFields(request.body)));
    const { id, url } = await webhooks.update(request.principal.organizationId, request.params.id, asked);
    nameTarget(request, url);
    addDetails(request, asked);
    return { object: 'webhook', id };
  });

  const rotated = { config: { audit: { action: 'webhook.secret_rotated' } } };
  app.post<OfWebhook>('/webhooks/:id/signing-secret/rotate', rotated, async (request) => {
    const { row, secret } = await webhooks.rotate(request.principal.organizationId, request.params.id);
    nameTarget(request, row.url);
    return { object: 'webhook', id: row.id, signing_secret: secretText(secret) };
  });

  const deleted = { config: { audit: { action: 'webhook.deleted' } } };
  app.delete<OfWebhook>('/webhooks/:id', deleted, async (request) => {
    const { organizationId } = request.principal;
    const { id, url } = await webhooks.find(organizationId, request.params.id);
    await webhooks.remove(organizationId, id);
    nameTarget(request, url);
    return { object: 'webhook', id, deleted: true };
  });
}

function ourFields({ endpoint, events, status }: JsonFields): JsonFields {
  const all = {
    url: endpoint,
    event_types: events === undefined ? undefined : ourEvents(events),
    enabled: status === undefined ? undefined : isEnabled(status),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function ourEvents(events: unknown): WebhookType[] {
  const asked = Array.isArray(events) ? events : [];
  const known = asked.flatMap((event) => EVENTS.get(event) ?? []);
  if (known.length > 0) return [...new Set(known)];
  throw new Problems().add('events', `must name at least one of ${[...EVENTS.keys()].join(', ')}`).toError();
}

function isEnabled(status: unknown): boolean {
  if (status === 'enabled' || status === 'disabled') return status === 'enabled';
  throw new Problems().add('status', 'must be enabled or disabled').toError();
}

function webhookItem({ id, url, event_types, enabled, created_at }: ReturnType<typeof endpointView>) {
  const theirs = [...EVENTS].flatMap(([event, ours]) => (event_types?.includes(ours) ? [event] : []));
  return {
    id,
    endpoint: url,
    created_at,
    status: enabled ? 'enabled' : 'disabled',
    events: event_types === null ? null : theirs,
  };
}
