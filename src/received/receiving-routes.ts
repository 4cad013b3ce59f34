/** `/inbound/domains` and `/inbound/routes`: the names and addresses that receive mail. */
import { Type } from 'typebox';
import type { ApiRoutes } from '../http/api-routes.ts';
import { nameTarget } from '../http/audit.ts';
import { dataOf, deletedSchema } from '../http/envelope.ts';
import { checked, nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { canonicalDomain } from '../protocols/message/domain-name.ts';
import { mxValue } from './mx-check.ts';
import type { ReceivingName } from './receiving-names.ts';
import { addressOfRoute, parseRouteAddress } from './route-address.ts';
import type { ReceivingService } from './service.ts';
import { receivingNameView, routeView } from './view.ts';

const tags = ['Inbound'];

type App = Parameters<ApiRoutes>[0];

export function receivingRoutes(service: ReceivingService, host: string): ApiRoutes {
  return async (app) => {
    const view = (row: ReceivingName) => receivingNameView(row, mxValue(host));
    routeNames(app, service, view);
    routeOneName(app, service, view);
    routeRoutes(app, service);
    routeOneRoute(app, service);
  };
}

function routeNames(
  app: App,
  service: ReceivingService,
  view: (row: ReceivingName) => ReturnType<typeof receivingNameView>,
): void {
  app.get(
    '/inbound/domains',
    {
      schema: {
        tags,
        summary: 'List the domains that you receive mail at',
        response: { 200: dataOf(Type.Array(receivingDomain)) },
      },
    },
    async ({ principal }) => ({ data: (await service.names(principal.organizationId)).map(view) }),
  );

  app.post(
    '/inbound/domains',
    {
      config: { errors: ['CONFLICT'], audit: { action: 'receiving_domain.added' } },
      schema: {
        tags,
        summary: 'Receive mail at a domain',
        description:
          'The domain must be one of your verified domains or a name below one. No other organization can receive mail there. The response contains the MX record to publish.',
        body: addNameBody,
        response: { 201: dataOf(receivingDomain) },
      },
    },
    async (request, reply) => {
      const row = await service.addName(request.principal.organizationId, canonicalName(request.body.domain));
      nameTarget(request, row.name);
      return reply.code(201).send({ data: view(row) });
    },
  );
}

function routeOneName(
  app: App,
  service: ReceivingService,
  view: (row: ReceivingName) => ReturnType<typeof receivingNameView>,
): void {
  const one = { tags, params: nameParams, response: { 200: dataOf(receivingDomain) } };
  const errors = ['NOT_FOUND'] as const;
  app.get(
    '/inbound/domains/:domain/verify',
    { config: { errors }, schema: { ...one, summary: 'Check the MX record of a receiving domain now' } },
    async ({ principal, params }) => ({
      data: view(await service.checkName(principal.organizationId, canonicalName(params.domain))),
    }),
  );

  app.delete(
    '/inbound/domains/:domain',
    {
      config: { errors, audit: { action: 'receiving_domain.removed' } },
      schema: {
        ...one,
        summary: 'Stop receiving mail at a domain and delete its routes',
        response: { 200: dataOf(deletedSchema) },
      },
    },
    async (request) => {
      const name = canonicalName(request.params.domain);
      nameTarget(request, name);
      await service.removeName(request.principal.organizationId, name);
      return { data: { id: name, deleted: true } };
    },
  );
}

function routeRoutes(app: App, service: ReceivingService): void {
  app.get(
    '/inbound/routes',
    {
      schema: {
        tags,
        summary: 'List the addresses that you receive mail at',
        response: { 200: dataOf(Type.Array(inboundRoute)) },
      },
    },
    async ({ principal }) => ({ data: (await service.routes(principal.organizationId)).map(routeView) }),
  );

  app.post(
    '/inbound/routes',
    {
      config: { errors: ['CONFLICT'], audit: { action: 'inbound_route.created' } },
      schema: {
        tags,
        summary: 'Receive mail at an address',
        description: 'The most specific route applies: `support@` before `*@`.',
        body: addRouteBody,
        response: { 201: dataOf(inboundRoute) },
      },
    },
    async (request, reply) => {
      const { principal, body } = request;
      const address = parseRouteAddress(body.address);
      if (!address.ok) throw new Error('An address passed the schema that is none.');
      const { description = null, enabled = true } = body;
      const row = await service.addRoute(principal.organizationId, address, { description, enabled });
      nameTarget(request, addressOfRoute(row));
      return reply.code(201).send({ data: routeView(row) });
    },
  );
}

function routeOneRoute(app: App, service: ReceivingService): void {
  const one = { tags, params: routeParams, response: { 200: dataOf(inboundRoute) } };
  const errors = ['NOT_FOUND'] as const;
  app.get(
    '/inbound/routes/:id',
    { config: { errors }, schema: { ...one, summary: 'Get a route' } },
    async ({ principal, params }) => ({
      data: routeView(await service.route(principal.organizationId, params.id)),
    }),
  );

  app.patch(
    '/inbound/routes/:id',
    {
      config: { errors, audit: { action: 'inbound_route.updated', show: ['enabled'] } },
      schema: { ...one, summary: 'Change a route', body: changeRouteBody },
    },
    async (request) => {
      const { principal, params, body } = request;
      const row = await service.changeRoute(principal.organizationId, params.id, body);
      nameTarget(request, addressOfRoute(row));
      return { data: routeView(row) };
    },
  );

  app.delete(
    '/inbound/routes/:id',
    {
      config: { errors, audit: { action: 'inbound_route.deleted' } },
      schema: { ...one, summary: 'Delete a route', response: { 200: dataOf(deletedSchema) } },
    },
    async (request) => {
      const { principal, params } = request;
      nameTarget(request, addressOfRoute(await service.removeRoute(principal.organizationId, params.id)));
      return { data: { id: params.id, deleted: true } };
    },
  );
}

/** An invalid name counts as a name without a receiver. */
function canonicalName(text: string): string {
  const parsed = canonicalDomain(text);
  return parsed.ok ? parsed.domain : '';
}

/** The request and response schemas of receiving names and routes. */
const nameParams = Type.Object({
  domain: Type.String({ maxLength: 253, examples: ['reply.sandbox.test'] }),
});
const routeParams = Type.Object({ id: Type.String() });

const addNameBody = strictObject(
  {
    domain: checked(
      Type.String({
        maxLength: 253,
        description: 'One of your verified domains, or a name below one.',
        examples: ['reply.sandbox.test'],
      }),
      (text, problems) => {
        const parsed = canonicalDomain(text);
        if (!parsed.ok) problems.add('', parsed.message);
      },
    ),
  },
  { $id: 'AddReceivingDomain', examples: [{ domain: 'reply.sandbox.test' }] },
);

const description = nullable(
  Type.String({ maxLength: 500, description: 'Description of the route for your own use.' }),
);
const enabled = Type.Boolean({
  description: 'Whether the route accepts mail. If false, mail to the address is refused.',
});

const addRouteBody = strictObject(
  {
    address: checked(
      Type.String({
        maxLength: 320,
        description:
          'Address to receive mail at, such as `support@example.org`. It also receives mail to `support+note@example.org`. `*@example.org` stands for all addresses without their own route.',
        examples: ['support@reply.sandbox.test'],
      }),
      (text, problems) => {
        const parsed = parseRouteAddress(text);
        if (!parsed.ok) problems.add('', parsed.message);
      },
    ),
    description: Type.Optional(description),
    enabled: Type.Optional(enabled),
  },
  { $id: 'AddInboundRoute', examples: [{ address: 'support@reply.sandbox.test' }] },
);

const changeRouteBody = strictObject(
  { description: Type.Optional(description), enabled: Type.Optional(enabled) },
  { $id: 'ChangeInboundRoute', minProperties: 1, examples: [{ enabled: false }] },
);

const inboundRoute = Type.Object(
  {
    id: Type.String({ description: 'Id of the route. Starts with `rte_`.' }),
    address: Type.String(),
    description: nullable(Type.String()),
    enabled: Type.Boolean(),
    created_at: timestamp(),
  },
  { $id: 'InboundRoute' },
);

const receivingDomain = Type.Object(
  {
    domain: Type.String(),
    domain_id: Type.String({
      description: 'Id of the sending domain that is the same or a parent of this name.',
    }),
    is_verified: Type.Boolean({
      description: 'Whether the sending domain is verified now. If it is not, no mail is received.',
    }),
    mx: Type.Object({
      type: stringEnum(['MX']),
      name: Type.String(),
      expected: Type.String({ description: 'MX record to publish: priority and host name.' }),
      status: stringEnum(['pass', 'fail', 'pending']),
      found: Type.Array(Type.String(), { description: 'Mail hosts in the MX record of the domain now.' }),
      message: Type.String({ description: 'Result of the check in words, with the necessary change.' }),
      checked_at: nullable(timestamp()),
    }),
    created_at: timestamp(),
  },
  { $id: 'ReceivingDomain' },
);
