/** `/domains`. A key restricted to a domain sees only that domain. */
import { type Static, Type } from 'typebox';
import { clickTrackingOf } from '../emails/email.ts';
import { mayChange } from '../http/access.ts';
import type { ApiRoutes, App } from '../http/api-routes.ts';
import { nameTarget } from '../http/audit.ts';
import { dataOf, deletedSchema } from '../http/envelope.ts';
import { ApiError, type ErrorCode } from '../http/errors.ts';
import type { DomainName } from '../protocols/message/domain-name.ts';
import { parseDomainName } from './name.ts';
import { createDomainBody, domainParams, domainSchema, newDomainSchema } from './schema.ts';
import type { DomainService, DomainWithRotation } from './service.ts';
import { setDomainTrackingBody } from './tracking/schema.ts';
import type { TrackingChange } from './tracking/service.ts';
import { presentDomain, presentNewDomain } from './view.ts';

const tags = ['Domains'];

const create = {
  tags,
  summary: 'Register a sending domain',
  description: 'The response contains the DNS records to publish.',
  body: createDomainBody,
  response: { 201: dataOf(newDomainSchema) },
};

const list = {
  tags,
  summary: 'List all sending domains, newest first',
  response: { 200: dataOf(Type.Array(domainSchema)) },
};

const one = { tags, params: domainParams, response: { 200: dataOf(domainSchema) } };
const read = { ...one, summary: 'Get a sending domain with the results of its last check' };
const verify = {
  ...one,
  summary: 'Check DNS now and update the domain',
  description:
    'For callers that can only read, the response has the current answers of DNS in `checks`, but the result is not stored.',
};

const rotate = {
  ...one,
  summary: 'Rotate the DKIM key of a domain',
  description: 'Creates a new DKIM key. It is used as soon as its DNS record, in `dkim_rotation`, is found.',
};
const cancel = {
  ...one,
  summary: 'Cancel a DKIM rotation',
  description: 'Works only while the rotation waits for its DNS record.',
};

const track = {
  ...one,
  summary: 'Change the tracking settings of a sending domain',
  description:
    'Omitted fields do not change. A host is checked at once. It is used while its DNS record points to this installation and it answers over https.',
  body: setDomainTrackingBody,
};

const remove = {
  tags,
  summary: 'Delete a sending domain',
  description: 'Deletes the DKIM key of the domain too. No mail can be sent from the domain afterwards.',
  params: domainParams,
  response: { 200: dataOf(deletedSchema) },
};

const mayConflict = { errors: ['NOT_FOUND', 'CONFLICT'] as readonly ErrorCode[] };
const mayBeUnknown = { errors: ['NOT_FOUND'] as readonly ErrorCode[] };

export function domainRoutes(domains: DomainService): ApiRoutes {
  const { host } = domains;
  const shown = shower(domains);
  return async (app) => {
    app.post(
      '/domains',
      { config: { errors: ['CONFLICT'], audit: { action: 'domain.created' } }, schema: create },
      async ({ principal, body }, reply) => {
        const row = await domains.register(principal.organizationId, canonical(body.domain));
        return reply
          .code(201)
          .send({ data: presentNewDomain(row, host, domains.reportsTo(row), domains.sts) });
      },
    );

    app.get('/domains', { config: { scope: 'agent', tied: true }, schema: list }, async ({ principal }) => {
      const rows = await domains.list(principal);
      return { data: rows.map(shown) };
    });

    app.get(
      '/domains/:id',
      { config: { ...mayBeUnknown, tied: true }, schema: read },
      async ({ principal, params }) => ({
        data: shown(await domains.find(principal, params.id)),
      }),
    );

    app.get(
      '/domains/:id/verify',
      { config: { ...mayBeUnknown, tied: true }, schema: verify },
      async ({ principal, params }) => {
        const ask = mayChange(principal)
          ? domains.verify(principal, params.id)
          : domains.look(principal, params.id);
        return { data: shown(await ask) };
      },
    );

    routeRotation(app, domains);
    routeTracking(app, domains);

    app.delete(
      '/domains/:id',
      { config: { ...mayBeUnknown, audit: { action: 'domain.deleted' } }, schema: remove },
      async (request) => {
        const { principal, params } = request;
        nameTarget(request, await domains.remove(principal.organizationId, params.id));
        return { data: { id: params.id, deleted: true } };
      },
    );
  };
}

function shower(domains: DomainService) {
  return (row: DomainWithRotation) => presentDomain(row, domains.host, domains.reportsTo(row), domains.sts);
}

function routeTracking(app: App, domains: DomainService): void {
  const shown = shower(domains);
  app.put(
    '/domains/:id/tracking',
    {
      config: {
        ...mayBeUnknown,
        audit: { action: 'domain.tracking_changed', show: Object.keys(setDomainTrackingBody.properties) },
      },
      schema: track,
    },
    async (request) => {
      const { principal, params, body } = request;
      const row = await domains.setTracking(principal.organizationId, params.id, trackingChange(body));
      nameTarget(request, row.domain);
      return { data: shown(row) };
    },
  );
}

function routeRotation(app: App, domains: DomainService): void {
  const shown = shower(domains);
  app.post(
    '/domains/:id/dkim/rotate',
    { config: { ...mayConflict, audit: { action: 'domain.dkim_rotation_started' } }, schema: rotate },
    async ({ principal, params }) => ({
      data: shown(await domains.rotateDkim(principal.organizationId, params.id)),
    }),
  );

  app.delete(
    '/domains/:id/dkim/rotate',
    { config: { ...mayConflict, audit: { action: 'domain.dkim_rotation_cancelled' } }, schema: cancel },
    async ({ principal, params }) => ({
      data: shown(await domains.cancelDkimRotation(principal.organizationId, params.id)),
    }),
  );
}

function trackingChange({ track_clicks, ...rest }: Static<typeof setDomainTrackingBody>): TrackingChange {
  if (track_clicks === undefined) return rest;
  return { ...rest, track_clicks: track_clicks === null ? null : clickTrackingOf(track_clicks) };
}

/** The schema has validated the name. */
function canonical(text: string): DomainName {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new ApiError('VALIDATION_ERROR', [{ field: 'domain', message: parsed.message }]);
  return parsed.domain;
}
