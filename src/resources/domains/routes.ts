/** `/domains`: for keys of scope `full` only. */
import { Type } from 'typebox';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { nameTarget } from '../../http/audit.ts';
import { dataOf, deletedSchema } from '../../http/envelope.ts';
import { ApiError, type ErrorCode } from '../../http/errors.ts';
import { parseDomainName } from './name.ts';
import { createDomainBody, domainParams, domainSchema, newDomainSchema } from './schema.ts';
import type { DomainService } from './service.ts';
import { presentDomain, presentNewDomain } from './view.ts';

const tags = ['Domains'];

const create = {
  tags,
  summary: 'Register a sending domain; the answer holds the DNS records to publish',
  body: createDomainBody,
  response: { 201: dataOf(newDomainSchema) },
};

const list = {
  tags,
  summary: 'List all sending domains, the newest first',
  response: { 200: dataOf(Type.Array(domainSchema)) },
};

const one = { tags, params: domainParams, response: { 200: dataOf(domainSchema) } };
const read = { ...one, summary: 'Read a sending domain with what its last check found' };
const verify = { ...one, summary: 'Ask DNS now, and update the domain to the result' };

const rotate = {
  ...one,
  summary: 'Make a new DKIM key; it signs once its record, in `dkim_rotation`, is found in DNS',
};
const cancel = { ...one, summary: 'Call off a DKIM rotation that still waits for its DNS record' };

const remove = {
  tags,
  summary: 'Delete a sending domain with its key; nothing can be sent from it any more',
  params: domainParams,
  response: { 200: dataOf(deletedSchema) },
};

const mayConflict = { errors: ['NOT_FOUND', 'CONFLICT'] as readonly ErrorCode[] };
const mayBeUnknown = { errors: ['NOT_FOUND'] as readonly ErrorCode[] };

export function domainRoutes(domains: DomainService): ApiRoutes {
  const { host } = domains;
  return async (app) => {
    app.post(
      '/domains',
      { config: { errors: ['CONFLICT'], audit: { action: 'domain.created' } }, schema: create },
      async ({ principal, body }, reply) => {
        const row = await domains.register(principal.organizationId, canonical(body.domain));
        return reply.code(201).send({ data: presentNewDomain(row, host) });
      },
    );

    app.get('/domains', { schema: list }, async ({ principal }) => {
      const rows = await domains.list(principal.organizationId);
      return { data: rows.map((row) => presentDomain(row, host)) };
    });

    app.get('/domains/:id', { config: mayBeUnknown, schema: read }, async ({ principal, params }) => ({
      data: presentDomain(await domains.find(principal.organizationId, params.id), host),
    }));

    app.get(
      '/domains/:id/verify',
      { config: mayBeUnknown, schema: verify },
      async ({ principal, params }) => ({
        data: presentDomain(await domains.verify(principal.organizationId, params.id), host),
      }),
    );

    app.post(
      '/domains/:id/dkim/rotate',
      { config: { ...mayConflict, audit: { action: 'domain.dkim_rotation_started' } }, schema: rotate },
      async ({ principal, params }) => ({
        data: presentDomain(await domains.rotateDkim(principal.organizationId, params.id), host),
      }),
    );

    app.delete(
      '/domains/:id/dkim/rotate',
      { config: { ...mayConflict, audit: { action: 'domain.dkim_rotation_cancelled' } }, schema: cancel },
      async ({ principal, params }) => ({
        data: presentDomain(await domains.cancelDkimRotation(principal.organizationId, params.id), host),
      }),
    );

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

/** The schema has checked it. */
function canonical(text: string): string {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new ApiError('VALIDATION_ERROR', [{ field: 'domain', message: parsed.message }]);
  return parsed.domain;
}
