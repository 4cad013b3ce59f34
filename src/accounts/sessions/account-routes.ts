/** `/auth`: the user's own name, password and second factor. */
import { Type } from 'typebox';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { strictObject } from '../../http/schema.ts';
import { membershipsOf } from '../members/store.ts';
import { changePassword } from '../users/change-password.ts';
import { confirmAddress, sendConfirmation } from '../users/confirm-address.ts';
import { accountEmail } from '../users/email.ts';
import { setUserName } from '../users/store.ts';
import { meOf } from './me.ts';
import { confirmReset, sendReset } from './password-reset.ts';
import { type AccountRoutesDeps, sessionOf, sessionPrincipal } from './routes.ts';
import { givenPassword, meSchema, newPassword, userName } from './schema.ts';
import { removeSessionsOf } from './store.ts';

const tags = ['Accounts'];
const changed = dataOf(Type.Object({ changed: Type.Boolean({ description: 'Always true.' }) }));

export function userRoutes(deps: AccountRoutesDeps): ApiRoutes {
  return async (app) => {
    routeName(app, deps);
    routePassword(app, deps);
    routeForgotten(app, deps);
    routeReset(app, deps);
    routeAddress(app, deps);
  };
}

function routeName(app: App, { db }: AccountRoutesDeps): void {
  app.patch(
    '/auth/me',
    {
      config: { access: 'self', audit: { action: 'user.updated', show: ['name'] } },
      schema: {
        tags,
        summary: 'Change your name',
        body: strictObject({ name: userName }, { $id: 'UpdateMe' }),
        response: { 200: dataOf(meSchema) },
      },
    },
    async ({ principal, body }) => {
      const { userId } = sessionOf(principal);
      await setUserName(db, userId, body.name === null ? null : body.name.trim());
      return { data: await meOf(db, userId, principal.organizationId) };
    },
  );
}

function routePassword(app: App, deps: AccountRoutesDeps): void {
  app.post(
    '/auth/password',
    {
      config: { access: 'self', audit: { action: 'user.password_changed' } },
      schema: {
        tags,
        summary: 'Change your password',
        description: 'Ends all your other sessions.',
        body: strictObject({ current: givenPassword, new: newPassword }, { $id: 'ChangePassword' }),
        response: { 200: changed },
      },
    },
    async ({ principal, body, ip }, reply) => {
      const { userId, hash } = sessionOf(principal);
      const user = await changePassword(deps, userId, { current: body.current, wanted: body.new }, ip);
      deps.gate.giveDevice(reply, deps.devices.issue(user));
      await removeSessionsOf(deps.db, userId, hash);
      deps.gate.forgetAll();
      return { data: { changed: true } };
    },
  );
}

function routeForgotten(app: App, deps: AccountRoutesDeps): void {
  app.post(
    '/auth/password-reset',
    {
      config: { public: true, errors: ['FORBIDDEN'] },
      schema: {
        tags,
        summary: 'Request a link to set a new password',
        description: 'The response is the same whether or not the user exists.',
        body: strictObject({ email: Type.String({ maxLength: 1_000 }) }, { $id: 'PasswordReset' }),
        response: { 202: dataOf(Type.Object({ accepted: Type.Boolean({ description: 'Always true.' }) })) },
      },
    },
    async (request, reply) => {
      deps.gate.assertNotForeign(request);
      await deps.throttle.beginReset(request.ip, accountEmail(request.body.email));
      sendReset(deps, request.body.email).catch((error: unknown) =>
        deps.log.error({ err: error }, 'could not send the link for a new password'),
      );
      return reply.code(202).send({ data: { accepted: true } });
    },
  );
}

function routeReset(app: App, deps: AccountRoutesDeps): void {
  app.post(
    '/auth/password-reset/confirm',
    {
      config: { public: true, errors: ['FORBIDDEN', 'NOT_FOUND'], audit: { action: 'user.password_reset' } },
      schema: {
        tags,
        summary: 'Set a new password with the link from the mail',
        description: 'Ends all sessions of the user.',
        body: strictObject(
          { token: Type.String({ maxLength: 200 }), password: newPassword },
          { $id: 'ConfirmPasswordReset' },
        ),
        response: { 200: changed },
      },
    },
    async (request, reply) => {
      deps.gate.assertNotForeign(request);
      const user = await confirmReset(deps, request.body, request.ip);
      deps.gate.forgetAll();
      // The owner of the mailbox may sign in with this browser even while others' guesses exhaust the account's
      // limit.
      deps.gate.giveDevice(reply, deps.devices.issue(user));
      const [first] = await membershipsOf(deps.db, user.id);
      // For the audit log: the holder of the link acts as its user.
      if (first) {
        const session = {
          userId: user.id,
          organizationId: first.id,
          role: first.role,
          hash: Buffer.alloc(0),
        };
        request.principal = sessionPrincipal(session);
      }
      return { data: { changed: true } };
    },
  );
}

function routeAddress(app: App, deps: AccountRoutesDeps): void {
  const mailed = Type.Boolean({
    description: 'Whether the mail with the link was sent. False if this installation cannot send mail.',
  });
  app.post(
    '/auth/email/confirmation',
    {
      config: { access: 'self', errors: ['CONFLICT', 'RATE_LIMITED'] },
      schema: {
        tags,
        summary: 'Request a link that confirms your address',
        response: { 202: dataOf(Type.Object({ mailed })) },
      },
    },
    async ({ principal }, reply) => {
      const sent = await sendConfirmation(deps, sessionOf(principal).userId);
      return reply.code(202).send({ data: { mailed: sent } });
    },
  );

  app.post(
    '/auth/email/confirm',
    {
      config: { access: 'self', errors: ['NOT_FOUND'], audit: { action: 'user.email_confirmed' } },
      schema: {
        tags,
        summary: 'Confirm your address with the link from the mail',
        body: strictObject({ token: Type.String({ maxLength: 200 }) }, { $id: 'ConfirmAddress' }),
        response: { 200: dataOf(meSchema) },
      },
    },
    async ({ principal, body }) => {
      const { userId } = sessionOf(principal);
      await confirmAddress(deps, userId, body.token);
      return { data: await meOf(deps.db, userId, principal.organizationId) };
    },
  );
}
