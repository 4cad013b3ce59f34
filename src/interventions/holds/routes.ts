/** `/holds`: mail that is accepted but not sent until a user decides about it. */
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { isAllowed } from '../../http/access.ts';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { nameTarget } from '../../http/audit.ts';
import { forEachId, plainBulkResult } from '../../http/bulk.ts';
import { dataOf, pageOf } from '../../http/envelope.ts';
import { ApiError } from '../../http/errors.ts';
import { paginated } from '../../http/pagination.ts';
import type { Principal } from '../../http/principal.ts';
import { holdName } from './hold.ts';
import {
  discardBody,
  discardSeveralBody,
  holdDetail,
  holdDetailView,
  holdItem,
  holdsQuery,
  holdView,
  placeBody,
  placedHold,
  placedHoldView,
  releaseSeveralBody,
} from './schema.ts';
import { decideHold, type HoldActor, type HoldDeps, holdsOf, readHold, requestHold } from './service.ts';

const tags = ['Holds'];
const params = Type.Object({ id: Type.String() });
export function holdRoutes(deps: HoldDeps): ApiRoutes {
  return async (app) => {
    routeReading(app, deps);
    routePlacing(app, deps);
    routeEnding(app, deps);
    routeEndingSeveral(app, deps);
  };
}

function routeReading(app: App, deps: HoldDeps): void {
  app.get(
    '/holds',
    {
      schema: {
        tags,
        summary: 'List holds, active ones first',
        querystring: holdsQuery,
        response: { 200: pageOf(holdItem) },
      },
    },
    async ({ principal, query }) => {
      const actor = holdActorOf(principal);
      if (query.view === 'installation' && !actor.isOperator)
        throw new ApiError(
          'FORBIDDEN',
          [],
          'Only operators of this installation can see the holds of operators. Leave out the filter, or sign in as an operator.',
        );
      const { rows, total } = await holdsOf(deps, actor, query);
      return paginated(rows.map(holdView), { ...query, total });
    },
  );
  app.get(
    '/holds/:id',
    {
      config: { errors: ['NOT_FOUND'] },
      schema: {
        tags,
        summary: 'Get a hold and the amount of held mail',
        params,
        response: { 200: dataOf(holdDetail) },
      },
    },
    async ({ principal, params: { id } }) => ({
      data: holdDetailView(await readHold(deps, holdActorOf(principal), id)),
    }),
  );
}

function routePlacing(app: App, deps: HoldDeps): void {
  app.post(
    '/holds',
    {
      config: { errors: ['CONFLICT'], audit: { action: 'hold.placed', show: ['scope', 'value', 'reason'] } },
      schema: {
        tags,
        summary: 'Hold mail',
        description:
          'Mail that the hold covers is accepted but not sent. The hold takes effect at once, also for mail that a worker has already claimed. Mail whose transfer to a server is nearly complete still arrives. The lifetime of held mail does not run. A `value` that matches nothing is refused. `mail` shows how much mail the hold covers now.',
        body: placeBody,
        response: { 201: dataOf(placedHold) },
      },
    },
    async (request, reply) => {
      const { value = null, ...asked } = request.body;
      const placed = await requestHold(deps, holdActorOf(request.principal), { ...asked, value });
      nameTarget(request, holdName(placed.hold, null));
      return reply.code(201).send({ data: placedHoldView(placed) });
    },
  );
}

function routeEnding(app: App, deps: HoldDeps): void {
  app.post(
    '/holds/:id/release',
    {
      config: { errors: ['NOT_FOUND', 'CONFLICT'], audit: { action: 'hold.released' } },
      schema: {
        tags,
        summary: 'Release a hold and send its mail',
        description:
          'The mail is sent in the background, oldest first, at the pace of its destinations. Read the hold first: `mail` shows the number and the age of the emails.',
        params,
        response: { 200: dataOf(holdItem) },
      },
    },
    async (request) => {
      const {
        principal,
        params: { id },
      } = request;
      const released = await decideHold(deps, holdActorOf(principal), id, { how: 'release', reason: null });
      nameTarget(request, holdName(released, null));
      return { data: holdView(released) };
    },
  );
  app.post(
    '/holds/:id/discard',
    {
      config: { errors: ['NOT_FOUND', 'CONFLICT'], audit: { action: 'hold.discarded', show: ['reason'] } },
      schema: {
        tags,
        summary: 'Discard the mail of a hold so that it is never sent',
        description:
          'Runs in the background. All mail that the hold covers ends as `failed`, with a `rejected` event of reason `hold_discarded`, including mail that is scheduled or between two attempts. Mail that is accepted afterwards is sent.',
        params,
        body: discardBody,
        response: { 200: dataOf(holdItem) },
      },
    },
    async (request) => {
      const {
        principal,
        body,
        params: { id },
      } = request;
      const discarded = await decideHold(deps, holdActorOf(principal), id, {
        how: 'discard',
        reason: body.reason,
      });
      nameTarget(request, holdName(discarded, null));
      return { data: holdView(discarded) };
    },
  );
}

function routeEndingSeveral(app: App, deps: HoldDeps): void {
  const end = async (request: FastifyRequest, id: string, ending: Parameters<typeof decideHold>[3]) => {
    const ended = await decideHold(deps, holdActorOf(request.principal), id, ending);
    return { fields: {}, name: holdName(ended, null) };
  };
  const response = { 200: dataOf(plainBulkResult) };
  app.post(
    '/holds/release',
    {
      config: { audit: { action: 'hold.released' } },
      schema: {
        tags,
        summary: 'Release several holds and send their mail',
        description: 'A hold that has already ended has an `error`, and does not affect the others.',
        body: releaseSeveralBody,
        response,
      },
    },
    async (request) => ({
      data: await forEachId(request, request.body.ids, {}, (id) =>
        end(request, id, { how: 'release', reason: null }),
      ),
    }),
  );
  app.post(
    '/holds/discard',
    {
      config: { audit: { action: 'hold.discarded', show: ['reason'] } },
      schema: {
        tags,
        summary: 'Discard the mail of several holds so that it is never sent',
        description: 'A hold that has already ended has an `error`, and does not affect the others.',
        body: discardSeveralBody,
        response,
      },
    },
    async (request) => ({
      data: await forEachId(request, request.body.ids, {}, (id) =>
        end(request, id, { how: 'discard', reason: request.body.reason }),
      ),
    }),
  );
}

const OPERATOR = { access: 'operator' } as const;

/** The actor for holds, also for routes of other slices. */
export function holdActorOf(principal: Principal): HoldActor {
  const { organizationId, session, keyId } = principal;
  return {
    organizationId,
    isOperator: isAllowed(principal, OPERATOR, 'POST'),
    id: session?.userId ?? keyId ?? '',
  };
}
