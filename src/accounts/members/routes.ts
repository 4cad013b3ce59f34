/** `/members`, for owners. */
import { Type } from 'typebox';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { addDetails, nameTarget } from '../../http/audit.ts';
import { dataOf, deletedSchema } from '../../http/envelope.ts';
import { ApiError } from '../../http/errors.ts';
import { strictObject } from '../../http/schema.ts';
import { type AccountRoutesDeps, sessionOf } from '../sessions/routes.ts';
import { type CreatedByMember, createdView } from './created-by-member.ts';
import { type InviteRow, listInvites, removeInvite } from './invite-store.ts';
import { invite } from './invites.ts';
import {
  inviteBody,
  inviteSchema,
  madeSchema,
  memberSchema,
  newInviteSchema,
  removedSchema,
  roleBody,
} from './schema.ts';
import { changeRole, listCreated, removeMember } from './service.ts';
import { listMembers } from './store.ts';

const tags = ['Members'];
const params = Type.Object({ id: Type.String() });
const access = 'owner' as const;

export function memberRoutes(deps: AccountRoutesDeps): ApiRoutes {
  return async (app) => {
    routeMembers(app, deps);
    routeInvites(app, deps);
  };
}

function routeMembers(app: App, deps: AccountRoutesDeps): void {
  const { db, clock, gate } = deps;
  const list = { tags, summary: 'List the members', response: { 200: dataOf(Type.Array(memberSchema)) } };
  app.get('/members', { config: { access }, schema: list }, async ({ principal }) => ({
    data: await listMembers(db, principal.organizationId),
  }));

  const update = {
    tags,
    params,
    summary: 'Change the role of a member',
    body: roleBody,
    response: { 200: dataOf(memberSchema) },
  };
  app.patch(
    '/members/:id',
    {
      config: { access, errors: ['CONFLICT'], audit: { action: 'member.updated', show: ['role'] } },
      schema: update,
    },
    async ({ principal, params: { id }, body }) => {
      const data = await changeRole(db, principal.organizationId, id, body.role);
      gate.forgetAll();
      return { data };
    },
  );

  const made = {
    tags,
    params,
    summary: 'List the keys, invites and webhooks that a member created',
    response: { 200: dataOf(madeSchema) },
  };
  app.get(
    '/members/:id/made',
    { config: { access }, schema: made },
    async ({ principal, params: { id } }) => ({
      data: createdView(await listCreated(db, principal.organizationId, id, new Date(clock.nowMs()))),
    }),
  );
  routeRemoval(app, deps);
}

function routeRemoval(app: App, { db, clock, gate }: AccountRoutesDeps): void {
  const remove = {
    tags,
    params,
    summary: 'Remove a member',
    description:
      'The response lists the keys, invites and webhooks that the member created. They keep working unless `revoke` is true.',
    querystring: strictObject({
      revoke: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'Whether to revoke the keys, withdraw the invites and disable the webhooks that the member created.',
        }),
      ),
    }),
    response: { 200: dataOf(removedSchema) },
  };
  app.delete(
    '/members/:id',
    { config: { access, errors: ['CONFLICT'], audit: { action: 'member.removed' } }, schema: remove },
    async (request) => {
      const { id } = request.params;
      const { revoke = false } = request.query;
      const { organizationId } = request.principal;
      const now = new Date(clock.nowMs());
      const { member, made } = await removeMember(db, { organizationId, userId: id, revoke, now });
      nameTarget(request, member.email);
      if (revoke) addDetails(request, endedDetails(made));
      gate.forgetAll();
      return { data: { id, deleted: true, revoked: revoke, ...createdView(made) } };
    },
  );
}

function endedDetails({ keys, invites, webhooks }: CreatedByMember): Record<string, unknown> {
  return {
    revoked_keys: keys.map(({ name }) => name),
    withdrawn_invites: invites.map(({ email }) => email),
    disabled_webhooks: webhooks.map(({ url }) => url),
  };
}

function routeInvites(app: App, deps: AccountRoutesDeps): void {
  const { db, clock } = deps;
  const create = {
    tags,
    summary: 'Invite a person by mail',
    description:
      'A new invite for the same address replaces the older one. If no mail can be sent, `mailed` is false ' +
      'and the response contains the link.',
    body: inviteBody,
    response: { 201: dataOf(newInviteSchema) },
  };
  app.post(
    '/members/invites',
    {
      config: {
        access,
        errors: ['CONFLICT', 'RATE_LIMITED'],
        audit: { action: 'invite.created', show: ['role'] },
      },
      schema: create,
    },
    async ({ principal, body }, reply) => {
      const { organizationId } = principal;
      const made = await invite(deps, { ...body, organizationId, userId: sessionOf(principal).userId });
      return reply.code(201).send({ data: { ...view(made.row), link: made.link } });
    },
  );

  const list = { tags, summary: 'List open invites', response: { 200: dataOf(Type.Array(inviteSchema)) } };
  app.get('/members/invites', { config: { access }, schema: list }, async ({ principal }) => ({
    data: (await listInvites(db, principal.organizationId, new Date(clock.nowMs()))).map(view),
  }));

  const remove = { tags, params, summary: 'Withdraw an invite', response: { 200: dataOf(deletedSchema) } };
  app.delete(
    '/members/invites/:id',
    { config: { access, audit: { action: 'invite.deleted' } }, schema: remove },
    async (request) => {
      const { id } = request.params;
      const email = await removeInvite(db, request.principal.organizationId, id);
      if (email === undefined) throw new ApiError('NOT_FOUND');
      nameTarget(request, email);
      return { data: { id, deleted: true } };
    },
  );
}

function view({ organization_id: _, ...shown }: InviteRow) {
  return shown;
}
