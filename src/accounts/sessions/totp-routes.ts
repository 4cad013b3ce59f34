/** `/auth/totp`: enables and disables the second factor. */
import { Type } from 'typebox';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { ApiError } from '../../http/errors.ts';
import type { Principal } from '../../http/principal.ts';
import { strictObject } from '../../http/schema.ts';
import { Problems } from '../../runtime/problems.ts';
import { findUser, type UserRow } from '../users/store.ts';
import { type AccountRoutesDeps, sessionOf } from './routes.ts';
import { code } from './schema.ts';

const tags = ['Accounts'];
const codeBody = strictObject({ code }, { $id: 'TotpCode' });

const begun = Type.Object({
  secret: Type.String({ description: 'The secret, for typing into an authenticator app.' }),
  uri: Type.String({ description: 'The secret as an `otpauth://totp/…` URI, to show as a QR code.' }),
});
const confirmed = Type.Object({
  totp_enabled: Type.Boolean({ description: 'Always true.' }),
  recovery_codes: Type.Array(Type.String(), {
    description:
      'Recovery codes. Each can be used once instead of a code from the app. They are shown only in this response.',
  }),
});
const disabled = Type.Object({ totp_enabled: Type.Boolean({ description: 'Always false.' }) });

export function totpRoutes(deps: AccountRoutesDeps): ApiRoutes {
  return async (app) => {
    const begin = {
      tags,
      summary: 'Start setting up a second factor',
      description:
        'Signing in requires a code only after you confirm the setup with `POST /auth/totp/confirm`.',
      response: { 200: dataOf(begun) },
    };
    app.post(
      '/auth/totp',
      { config: { access: 'self', errors: ['CONFLICT'] }, schema: begin },
      async ({ principal }) => {
        const data = await deps.secondFactor.begin(await userOf(deps, principal));
        if (!data)
          throw new ApiError(
            'CONFLICT',
            [],
            'The second factor is already on. Turn it off before you set up a new one.',
          );
        return { data };
      },
    );

    const confirm = {
      tags,
      summary: 'Confirm the second factor with a code',
      body: codeBody,
      response: { 200: dataOf(confirmed) },
    };
    app.post(
      '/auth/totp/confirm',
      { config: { access: 'self', audit: { action: 'user.totp_enabled' } }, schema: confirm },
      async ({ principal, body, ip }) => {
        const user = await userOf(deps, principal);
        const codes = await withAttemptLimit(deps, user, ip, () =>
          deps.secondFactor.confirm(user, body.code),
        );
        return { data: { totp_enabled: true, recovery_codes: [...codes] } };
      },
    );

    routeRemoval(app, deps);
  };
}

function routeRemoval(app: App, deps: AccountRoutesDeps): void {
  const remove = {
    tags,
    summary: 'Turn off the second factor',
    body: codeBody,
    response: { 200: dataOf(disabled) },
  };
  app.delete(
    '/auth/totp',
    { config: { access: 'self', audit: { action: 'user.totp_disabled' } }, schema: remove },
    async (request) => {
      const { principal, body, ip } = request;
      const user = await userOf(deps, principal);
      const knownDevice = deps.devices.recognise(deps.gate.deviceOf(request), user) !== undefined;
      const check = async () => (await deps.secondFactor.accepts(user, body.code)) || null;
      await withAttemptLimit(deps, user, ip, () => deps.ceiling.guarded({ user, knownDevice, ip }, check));
      await deps.secondFactor.disable(user);
      return { data: { totp_enabled: false } };
    },
  );
}

async function userOf({ db }: AccountRoutesDeps, principal: Principal): Promise<UserRow> {
  const user = await findUser(db, sessionOf(principal).userId);
  if (!user) throw new ApiError('UNAUTHORIZED');
  return user;
}

/** Six digits can be guessed, so attempts count like those at sign-in. */
async function withAttemptLimit<T>(
  { throttle }: AccountRoutesDeps,
  user: UserRow,
  ip: string,
  check: () => Promise<T | null>,
): Promise<T> {
  const attempt = await throttle.begin(ip, user.email, `session of ${user.id}`);
  const result = await check();
  if (result === null)
    throw new Problems()
      .add('code', 'is not valid or was already used: enter the next code of your authenticator app')
      .toError();
  await attempt.refund();
  return result;
}
