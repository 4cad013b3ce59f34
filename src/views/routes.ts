/** `/views`: filters of the dashboard's lists, saved under a name. */
import { Type } from 'typebox';
import { mayChange } from '../http/access.ts';
import type { ApiRoutes, App } from '../http/api-routes.ts';
import { nameTarget } from '../http/audit.ts';
import { dataOf, deletedSchema } from '../http/envelope.ts';
import type { Principal } from '../http/principal.ts';
import { changeViewBody, createViewBody, viewSchema, viewsQuery } from './schema.ts';
import {
  changeView,
  createView,
  mayEdit,
  removeView,
  type ViewActor,
  type ViewDeps,
  viewsOf,
} from './service.ts';
import type { ViewRow } from './store.ts';

const tags = ['Views'];
const params = Type.Object({ id: Type.String() });

export function viewRoutes(deps: ViewDeps): ApiRoutes {
  return async (app) => {
    routeReading(app, deps);
    routeCreating(app, deps);
    routeChanging(app, deps);
  };
}

function routeReading(app: App, deps: ViewDeps): void {
  const schema = {
    tags,
    summary: 'List saved views',
    description:
      'Returns the shared views of the organization, and for a signed-in user also their own views.',
    querystring: viewsQuery,
    response: { 200: dataOf(Type.Array(viewSchema)) },
  };
  app.get('/views', { schema }, async ({ principal, query: { list = null } }) => {
    const actor = actorOf(principal);
    return { data: (await viewsOf(deps, actor, list)).map((row) => viewOf(actor, row)) };
  });
}

function routeCreating(app: App, deps: ViewDeps): void {
  app.post(
    '/views',
    {
      config: {
        ownData: true,
        errors: ['CONFLICT'],
        audit: { action: 'view.created', show: ['list', 'shared'] },
      },
      schema: {
        tags,
        summary: 'Save a view',
        description:
          'Every user may save views of their own. Users who may change data, and API keys of scope `full`, may share views.',
        body: createViewBody,
        response: { 201: dataOf(viewSchema) },
      },
    },
    async ({ principal, body: { shared = false, ...given } }, reply) => {
      const actor = actorOf(principal);
      const row = await createView(deps, actor, { ...given, shared });
      return reply.code(201).send({ data: viewOf(actor, row) });
    },
  );
}

function routeChanging(app: App, deps: ViewDeps): void {
  const errors = ['NOT_FOUND', 'CONFLICT'] as const;
  app.patch(
    '/views/:id',
    {
      config: { ownData: true, errors, audit: { action: 'view.updated', show: ['shared'] } },
      schema: {
        tags,
        summary: 'Change a saved view',
        description: 'A shared view is changed by its creator and by owners of the organization.',
        params,
        body: changeViewBody,
        response: { 200: dataOf(viewSchema) },
      },
    },
    async ({ principal, params: { id }, body }) => {
      const actor = actorOf(principal);
      return { data: viewOf(actor, await changeView(deps, actor, id, body)) };
    },
  );
  app.delete(
    '/views/:id',
    {
      config: { ownData: true, errors: ['NOT_FOUND'], audit: { action: 'view.deleted' } },
      schema: { tags, summary: 'Delete a saved view', params, response: { 200: dataOf(deletedSchema) } },
    },
    async (request) => {
      const { id } = request.params;
      nameTarget(request, (await removeView(deps, actorOf(request.principal), id)).name);
      return { data: { id, deleted: true } };
    },
  );
}

function actorOf(principal: Principal): ViewActor {
  const { organizationId, session, keyId, firstKeyId = keyId } = principal;
  return {
    organizationId,
    userId: session?.userId ?? null,
    // A rotated key changes what the key before it created.
    id: session?.userId ?? firstKeyId ?? '',
    mayShare: mayChange(principal),
    isOwner: session?.role === 'owner',
  };
}

function viewOf(actor: ViewActor, row: ViewRow) {
  const { owner_id, ...shown } = row;
  return { ...shown, shared: owner_id === null, editable: mayEdit(actor, row) };
}
