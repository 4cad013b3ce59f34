/** `/auth`: signing in, signing out and the current session. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { principalIfAny } from '../../http/authenticate.ts';
import { dataOf } from '../../http/envelope.ts';
import { ApiError } from '../../http/errors.ts';
import type { Principal, PrincipalSession } from '../../http/principal.ts';
import { stringEnum } from '../../http/schema.ts';
import type { SessionGate } from '../../http/session-gate.ts';
import { MODES } from '../../runtime/config.ts';
import type { AccountDeps } from '../users/accounts.ts';
import { parseAccountEmail } from '../users/email.ts';
import { findUser, hasUsers, setLastOrganization } from '../users/store.ts';
import { meOf } from './me.ts';
import { type Me, meSchema, signInBody, signUpBody, switchBody } from './schema.ts';
import { openSession, type SignedIn } from './session.ts';
import { signIn, signUp } from './sign-in.ts';
import { moveSession, removeSession, removeSessionsOf, type SessionDevice } from './store.ts';

const tags = ['Accounts'];
const me = dataOf(meSchema);
const signedOut = dataOf(Type.Object({ signed_out: Type.Boolean({ description: 'Always true.' }) }));

export interface AccountRoutesDeps extends AccountDeps {
  readonly gate: SessionGate;
}

export function sessionRoutes(deps: AccountRoutesDeps): ApiRoutes {
  return async (app) => {
    routeState(app, deps);
    routeSigningIn(app, deps);
    routeSigningOut(app, deps);
    routeWhere(app, deps);
  };
}

/** Requires a route with `access` that refuses API keys. */
export function sessionOf({ session }: { readonly session?: PrincipalSession }): PrincipalSession {
  if (!session) throw new Error('this route is open to keys, so it has no session');
  return session;
}

export function sessionPrincipal({
  organizationId,
  userId,
  role,
  isOfFirst = false,
  hash,
}: SignedIn): Principal {
  const session = { userId, role, isOperator: isOfFirst && role === 'owner', hash };
  return { organizationId, keyId: null, scope: 'full', domain: null, session };
}

/** Starts a session for the browser and replaces its previous one. */
export async function startSession(
  { db, clock, gate, devices }: AccountRoutesDeps,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  userId: string,
  organizationId: string | null = null,
): Promise<Me> {
  const opened = await openSession(db, clock, userId, organizationId, deviceOf(request));
  if (!opened) throw await noSession(db, userId);
  const before = principalIfAny(request)?.session;
  if (before) {
    await removeSession(db, before.hash);
    gate.forgetAll();
  }
  const me = await meOf(db, userId, opened.organizationId);
  request.principal = sessionPrincipal({ ...opened, userId, role: me.role });
  gate.give(reply, opened.token);
  const user = await findUser(db, userId);
  if (user) gate.giveDevice(reply, devices.issue(user));
  return me;
}

async function noSession(db: AccountRoutesDeps['db'], userId: string): Promise<ApiError> {
  const isDisabled = (await findUser(db, userId))?.disabled === true;
  const message = isDisabled
    ? 'This account is disabled. Ask the operator of this installation.'
    : 'You are no longer a member of any organization. Ask an owner for an invite.';
  return new ApiError('FORBIDDEN', [], message);
}

const MAX_USER_AGENT = 300;

function deviceOf({ ip, headers }: FastifyRequest): SessionDevice {
  return { address: ip, userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null };
}

function routeState(app: App, { db, mode }: AccountRoutesDeps): void {
  const state = Type.Object(
    {
      setup_required: Type.Boolean({
        description: 'Whether the installation has no user yet. The setup link then creates the first user.',
      }),
      mode: stringEnum(MODES),
      signed_in: Type.Boolean(),
    },
    { $id: 'AuthState' },
  );
  app.get(
    '/auth/state',
    {
      config: { public: true },
      schema: { tags, summary: 'Get the settings of the sign-in page', response: { 200: dataOf(state) } },
    },
    async (request) => ({
      data: {
        setup_required: !(await hasUsers(db)),
        mode,
        signed_in: principalIfAny(request)?.session !== undefined,
      },
    }),
  );
}

function routeSigningIn(app: App, deps: AccountRoutesDeps): void {
  app.post(
    '/auth/sign-up',
    {
      config: {
        public: true,
        errors: ['CONFLICT', 'FORBIDDEN', 'SETUP_TOKEN_REQUIRED'],
        audit: { action: 'session.created' },
      },
      schema: {
        tags,
        summary: 'Create the first user, who owns the first organization',
        description:
          'Works only while the installation has no user, and only with the token of the setup link that `npm start` ' +
          'prints. The response sets the session cookie.',
        body: signUpBody,
        response: { 201: me },
      },
    },
    async (request, reply) => {
      deps.gate.assertNotForeign(request);
      const { email, password, name = null, setup_token: token } = request.body;
      const given = { email: canonical(email), password, name };
      const user = await signUp(deps, given, { token, ip: request.ip });
      const data = await startSession(deps, { request, reply }, user.id);
      return reply.code(201).send({ data });
    },
  );

  app.post(
    '/auth/sign-in',
    {
      config: {
        public: true,
        errors: ['UNAUTHORIZED', 'TOTP_REQUIRED', 'FORBIDDEN'],
        audit: { action: 'session.created' },
      },
      schema: {
        tags,
        summary: 'Sign in',
        description: 'The response sets the session cookie.',
        body: signInBody,
        response: { 200: me },
      },
    },
    async (request, reply) => {
      deps.gate.assertNotForeign(request);
      const from = { ip: request.ip, device: deps.gate.deviceOf(request) };
      const user = await signIn(deps, request.body, from);
      return { data: await startSession(deps, { request, reply }, user.id) };
    },
  );
}

function routeSigningOut(app: App, { db, gate }: AccountRoutesDeps): void {
  app.post(
    '/auth/sign-out',
    {
      config: { public: true, errors: ['FORBIDDEN'], audit: { action: 'session.ended' } },
      schema: { tags, summary: 'Sign out', response: { 200: signedOut } },
    },
    async (request, reply) => {
      const session = principalIfAny(request)?.session;
      if (session) await removeSession(db, session.hash);
      gate.forgetAll();
      gate.takeBack(reply);
      return { data: { signed_out: true } };
    },
  );

  app.post(
    '/auth/sign-out-everywhere',
    {
      config: { access: 'self', audit: { action: 'session.ended_everywhere' } },
      schema: {
        tags,
        summary: 'End all sessions of the user, including this one',
        response: { 200: signedOut },
      },
    },
    async ({ principal }, reply) => {
      await removeSessionsOf(db, sessionOf(principal).userId);
      gate.forgetAll();
      gate.takeBack(reply);
      return { data: { signed_out: true } };
    },
  );
}

function routeWhere(app: App, { db, gate }: AccountRoutesDeps): void {
  app.get(
    '/auth/me',
    {
      config: { access: 'self' },
      schema: {
        tags,
        summary: 'Get the signed-in user, the current organization and the role',
        response: { 200: me },
      },
    },
    async ({ principal }) => ({
      data: await meOf(db, sessionOf(principal).userId, principal.organizationId),
    }),
  );

  app.post(
    '/auth/organization',
    {
      config: { access: 'self', errors: ['NOT_FOUND'] },
      schema: {
        tags,
        summary: 'Switch the session to another organization',
        body: switchBody,
        response: { 200: me },
      },
    },
    async ({ principal, body: { organization_id } }) => {
      const { userId, hash } = sessionOf(principal);
      if (!(await moveSession(db, hash, organization_id))) {
        throw new ApiError(
          'NOT_FOUND',
          [],
          'You are not a member of an organization with this id. GET /auth/me lists your organizations.',
        );
      }
      await setLastOrganization(db, userId, organization_id);
      gate.forgetAll();
      return { data: await meOf(db, userId, organization_id) };
    },
  );
}

/** The schema has validated the address. */
function canonical(text: string): string {
  const parsed = parseAccountEmail(text);
  if (!parsed.ok) throw new ApiError('VALIDATION_ERROR', [{ field: 'email', message: parsed.message }]);
  return parsed.email;
}
