/** The client as a browser has it: a session in a cookie instead of a key. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Postrider } from '../../sdk/src/index.ts';
import { mailedToken } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { SETUP_TOKEN } from '../support/secret-key.ts';

const PASSWORD = 'correct horse battery';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization('Acme');
});
afterAll(() => server.stop());

/** Keeps cookies and says where a request comes from, as browsers do. */
function browser(): Postrider {
  let cookie = '';
  return new Postrider({
    baseUrl: server.url,
    credentials: 'same-origin',
    fetch: async (url, init) => {
      const headers = {
        ...(init.headers as Record<string, string>),
        cookie,
        'sec-fetch-site': 'same-origin',
      };
      const response = await fetch(url, { ...init, headers });
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
      return response;
    },
  });
}

it('signs up, invites, changes roles, reads the log and signs out', async () => {
  const ada = browser();
  expect(await ada.auth.state()).toMatchObject({ setup_required: true, signed_in: false });
  const body = { email: 'ada@example.org', password: PASSWORD, name: 'Ada' };
  await expect(ada.auth.signUp(body)).rejects.toMatchObject({ code: 'SETUP_TOKEN_REQUIRED', status: 403 });
  const me = await ada.auth.signUp({ ...body, setup_token: SETUP_TOKEN });
  expect(me).toMatchObject({ role: 'owner', organization: { id: org.id } });
  expect((await ada.auth.updateMe({ name: 'Ada L.' })).user.name).toBe('Ada L.');

  const { mailed, id: inviteId } = await ada.members.invite({ email: 'bob@example.org', role: 'member' });
  expect((await ada.members.invites()).map(({ id }) => id)).toEqual([inviteId]);
  expect(mailed).toBe(true);
  const token = await mailedToken(server, 'bob@example.org');
  const bob = browser();
  expect(await bob.invites.get(token)).toMatchObject({ email: 'bob@example.org', has_account: false });
  expect((await bob.invites.accept(token, { password: PASSWORD })).role).toBe('member');
  expect((await bob.domains.list()).map(({ domain }) => domain)).toEqual([org.domain]);
  await expect(bob.members.list()).rejects.toMatchObject({ name: 'PermissionError', code: 'FORBIDDEN' });

  const { user } = await bob.auth.me();
  expect((await ada.members.update(user.id, { role: 'read_only' })).role).toBe('read_only');
  expect(await ada.members.remove(user.id)).toMatchObject({ id: user.id, deleted: true, api_keys: [] });
  expect((await ada.members.list()).map(({ email }) => email)).toEqual(['ada@example.org']);
  const spare = await ada.members.invite({ email: 'eve@example.org', role: 'member' });
  expect(await ada.members.withdrawInvite(spare.id)).toEqual({ id: spare.id, deleted: true });

  const actions: string[] = [];
  for await (const { action } of ada.auditLog.all({ limit: 2 })) actions.push(action);
  expect(actions).toEqual(expect.arrayContaining(['invite.created', 'member.joined', 'member.removed']));
  await ada.auth.signOut();
  await expect(ada.auth.me()).rejects.toMatchObject({ name: 'AuthenticationError', status: 401 });
});

it('signs in again, works in another organization and changes what is its own', async () => {
  const ada = browser();
  const wrong = ada.auth.signIn({ email: 'ada@example.org', password: 'wrong horse battery' });
  await expect(wrong).rejects.toMatchObject({ code: 'UNAUTHORIZED', attempts: 1 });
  await ada.auth.signIn({ email: 'ada@example.org', password: PASSWORD });
  expect((await ada.organization.update({ name: 'Acme Ltd' })).name).toBe('Acme Ltd');
  const other = await ada.organization.create({ name: 'Other' });
  expect((await ada.auth.switchOrganization(other.id)).organization.name).toBe('Other');
  expect((await ada.organization.get()).id).toBe(other.id);
  expect(await ada.settings.updateTracking(await ada.settings.tracking())).toEqual(
    await ada.settings.tracking(),
  );

  expect((await ada.auth.beginTotp()).uri).toMatch(/^otpauth:/);
  await expect(ada.auth.confirmTotp('000')).rejects.toMatchObject({ details: [{ field: 'code' }] });
  await expect(ada.auth.disableTotp('000000')).rejects.toMatchObject({
    name: expect.stringMatching(/Error$/),
  });
  const weak = ada.auth.changePassword({ current: PASSWORD, new: 'short' });
  await expect(weak).rejects.toMatchObject({ name: 'ValidationError', details: [{ field: 'new' }] });
  expect(await ada.auth.requestPasswordReset('nobody@example.org')).toEqual({ accepted: true });
  const stale = ada.auth.confirmPasswordReset({ token: 'x'.repeat(43), password: PASSWORD });
  await expect(stale).rejects.toMatchObject({ name: 'NotFoundError' });
  expect(await ada.auth.signOutEverywhere()).toEqual({ signed_out: true });
});
