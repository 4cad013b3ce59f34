/** `/invites/:token`, for the holder of the link. */
import { Type } from 'typebox';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { principalIfAny } from '../../http/authenticate.ts';
import { dataOf } from '../../http/envelope.ts';
import { meOf } from '../sessions/me.ts';
import { type AccountRoutesDeps, sessionPrincipal, startSession } from '../sessions/routes.ts';
import { meSchema } from '../sessions/schema.ts';
import { moveSession } from '../sessions/store.ts';
import { setLastOrganization } from '../users/store.ts';
import { acceptInvite, findOpenInvite } from './invites.ts';
import { acceptBody, openInviteSchema } from './schema.ts';

const tags = ['Members'];
const params = Type.Object({ token: Type.String() });

export function inviteRoutes(deps: AccountRoutesDeps): ApiRoutes {
  return async (app) => {
    routeReading(app, deps);
    routeAccepting(app, deps);
  };
}

function routeReading(app: App, deps: AccountRoutesDeps): void {
  const read = {
    tags,
    params,
    summary: 'Get the organization and role of an invite',
    response: { 200: dataOf(openInviteSchema) },
  };
  app.get('/invites/:token', { config: { public: true }, schema: read }, async ({ params: { token } }) => {
    const { row, user } = await findOpenInvite(deps, token);
    const { email, role, expires_at } = row;
    const organization = { name: row.organization_name };
    return { data: { email, role, organization, has_account: user !== undefined, expires_at } };
  });
}

function routeAccepting(app: App, deps: AccountRoutesDeps): void {
  const { db, gate } = deps;
  const accept = {
    tags,
    params,
    summary: 'Accept an invite and join the organization',
    description:
      'A person without an account sends a password. A person with an account signs in first and sends `{}`.',
    body: acceptBody,
    response: { 200: dataOf(meSchema) },
  };
  app.post(
    '/invites/:token/accept',
    {
      config: {
        public: true,
        errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'],
        audit: { action: 'member.joined' },
      },
      schema: accept,
    },
    async (request, reply) => {
      gate.assertNotForeign(request);
      const { name = null, password } = request.body;
      const session = principalIfAny(request)?.session;
      const joined = await acceptInvite(deps, {
        token: request.params.token,
        userId: session?.userId,
        name,
        password,
        ip: request.ip,
      });
      const { userId, organizationId } = joined;
      if (joined.isNew || !session) {
        return { data: await startSession(deps, { request, reply }, userId, organizationId) };
      }
      await moveSession(db, session.hash, organizationId);
      await setLastOrganization(db, userId, organizationId);
      gate.forgetAll();
      const me = await meOf(db, userId, organizationId);
      request.principal = sessionPrincipal({ userId, organizationId, role: me.role, hash: session.hash });
      return { data: me };
    },
  );
}
