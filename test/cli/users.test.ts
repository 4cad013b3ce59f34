import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeAt } from '../../src/accounts/users/second-factor.ts';
import { decodedBase32, mailedToken, type Person, signUpOwner, tokenOf } from '../accounts/people.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { createTestDatabase } from '../support/database.ts';
import { SETUP_TOKEN, TEST_SECRET_KEY } from '../support/secret-key.ts';

let server: TestApi;
let owner: Person;
let firstId: string;
beforeAll(async () => {
  server = await startApi();
  firstId = (await server.createOrganization()).id;
  owner = await signUpOwner(server);
});
afterAll(() => server.stop());

const run = (...argv: string[]) => runOn(server.database, 'user', ...argv);

function runOn({ url }: { readonly url: string }, ...argv: string[]) {
  return runCommand(argv, {
    DATABASE_URL: url,
    POSTRIDER_PUBLIC_URL: 'https://mail.example.org',
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
  });
}

describe('users on the command line', () => {
  it('are listed, without what lets them in', async () => {
    const { code, out } = await run('list');
    expect(code).toBe(0);
    expect(out).toMatch(/usr_\w+ +owner@example\.org +- +off/);
    expect((await run('list', '--json')).out).not.toContain('scrypt');
  });

  it('are given a new organization by the operator', async () => {
    const made = await runOn(server.database, 'org', 'create', 'Second', '--owner', 'Owner@example.org');
    expect(made).toMatchObject({ code: 0, err: '' });
    const { organizations } = (await owner.api('GET', '/auth/me')).body.data;
    expect(organizations).toMatchObject([{}, { name: 'Second', role: 'owner' }]);
    const nobody = await runOn(server.database, 'org', 'create', 'Third', '--owner', 'nobody@example.org');
    expect(nobody).toMatchObject({ code: 1, out: '' });
    expect((await runOn(server.database, 'org', 'list')).out).not.toContain('Third');
  });

  it('get a link that sets a new password', async () => {
    const { code, out } = await run('link', 'Owner@example.org');
    expect(code).toBe(0);
    expect(out).toMatch(/^https:\/\/mail\.example\.org\/reset-password\?token=[\w-]{43}$/);
    const body = { token: tokenOf(out), password: 'made on the command line' };
    expect((await server.api('POST', '/auth/password-reset/confirm', body)).status).toBe(200);
    expect((await owner.signIn('made on the command line')).status).toBe(200);
  });

  it('lose a second factor that they have lost', async () => {
    const { secret } = (await owner.api('POST', '/auth/totp')).body.data;
    const code = codeAt(decodedBase32(secret), Date.now());
    expect((await owner.api('POST', '/auth/totp/confirm', { code })).status).toBe(200);
    expect((await owner.signIn('made on the command line')).body.error.code).toBe('TOTP_REQUIRED');
    expect((await run('totp-off', owner.email)).code).toBe(0);
    expect((await owner.signIn('made on the command line')).status).toBe(200);
  });

  it('are told apart from nobody', async () => {
    for (const command of ['link', 'totp-off']) {
      const { code, err } = await run(command, 'nobody@example.org');
      expect([code, err]).toEqual([1, expect.stringContaining('There is no user nobody@example.org.')]);
    }
  });
});

describe('people an operator lets in', () => {
  it('are created with a link that sets their password, and sign in with it', async () => {
    const { code, out } = await run('create', 'Ada@example.org', '--role', 'member', '--org', firstId);
    expect(code).toBe(0);
    const body = { token: tokenOf(out), password: 'chosen by ada herself' };
    expect((await server.api('POST', '/auth/password-reset/confirm', body)).status).toBe(200);
    const signedIn = await ada('chosen by ada herself');
    expect(signedIn.status).toBe(200);
    expect(signedIn.body.data.role).toBe('member');
  });

  it('are not created twice, nor with a role that does not exist', async () => {
    const twice = await run('create', 'ada@example.org', '--role', 'member', '--org', firstId);
    expect(twice).toMatchObject({ code: 1, out: '' });
    expect(twice.err).toContain('The user ada@example.org already exists.');
    const wrong = await run('create', 'bob@example.org', '--role', 'admin', '--org', firstId);
    expect(wrong).toMatchObject({ code: 2, out: '', err: '--role must be owner, member, read_only.' });
  });

  it('are invited by mail, with a link that joins them', async () => {
    const { code, out } = await run('invite', 'bob@example.org', '--role', 'read_only', '--org', firstId);
    expect(code).toBe(0);
    expect(out).toContain('The invite is sent by mail');
    const token = await mailedToken(server, 'bob@example.org');
    const joined = await server.api('POST', `/invites/${token}/accept`, {
      password: 'chosen by bob himself',
    });
    expect(joined.body.data).toMatchObject({ role: 'read_only' });
    const again = await run('invite', 'bob@example.org', '--role', 'member', '--org', firstId);
    expect(again).toMatchObject({
      code: 1,
      err: 'bob@example.org is already a member of this organization.',
    });
  });

  it('get another role, but the last owner keeps theirs', async () => {
    expect((await run('role', 'ada@example.org', 'owner', '--org', firstId)).code).toBe(0);
    expect((await ada('chosen by ada herself')).body.data.role).toBe('owner');
    expect((await run('role', 'ada@example.org', 'member', '--org', firstId)).code).toBe(0);
    const last = await run('role', owner.email, 'member', '--org', firstId);
    expect(last).toMatchObject({ code: 1, out: '' });
    expect(last.err).toContain('An organization needs an owner.');
    const stranger = await run('role', 'nobody@example.org', 'member', '--org', firstId);
    expect(stranger.err).toContain('There is no user nobody@example.org.');
  });
});

describe('a disabled user', () => {
  it('is signed out, cannot sign in or set a password, and comes back when enabled', async () => {
    const session = await ada('chosen by ada herself');
    const cookie = session.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const me = () => fetch(`${server.url}/api/v1/auth/me`, { headers: { cookie } });
    expect((await me()).status).toBe(200);
    expect((await run('disable', 'ada@example.org')).out).toContain(
      'ada@example.org is signed out everywhere',
    );
    await expect.poll(async () => (await me()).status, { timeout: 30_000 }).toBe(401);
    const refused = await ada('chosen by ada herself');
    expect(refused.status).toBe(403);
    expect(refused.body.error.message).toContain('This account is disabled.');
    expect((await run('link', 'ada@example.org')).err).toContain('user enable ada@example.org');
    expect((await run('list')).out).toMatch(/ada@example\.org .* disabled$/m);
    expect((await run('enable', 'ada@example.org')).code).toBe(0);
    expect((await ada('chosen by ada herself')).status).toBe(200);
  });

  it('is listed among the members as disabled until enabled', async () => {
    const listed = async () => {
      const { data } = (await owner.api('GET', '/members')).body;
      return data.find(({ email }: { email: string }) => email === 'ada@example.org');
    };
    expect(await listed()).toMatchObject({ disabled: false });
    expect((await run('disable', 'ada@example.org')).code).toBe(0);
    expect(await listed()).toMatchObject({ role: 'member', disabled: true });
    expect((await run('enable', 'ada@example.org')).code).toBe(0);
    expect(await listed()).toMatchObject({ disabled: false });
  });

  it('does not count as the owner that an organization needs', async () => {
    expect((await run('role', 'ada@example.org', 'owner', '--org', firstId)).code).toBe(0);
    expect((await run('disable', 'ada@example.org')).code).toBe(0);
    const me = (await owner.api('GET', '/auth/me')).body.data.user.id;
    const demoted = await owner.api('PATCH', `/members/${me}`, { role: 'member' });
    expect([demoted.status, demoted.body.error?.code]).toEqual([409, 'CONFLICT']);
    expect((await run('enable', 'ada@example.org')).code).toBe(0);
    expect((await run('role', 'ada@example.org', 'member', '--org', firstId)).code).toBe(0);
  });

  it('is said to have keys that still work, which --revoke ends', async () => {
    const made = await owner.api('POST', '/api-keys', { name: 'Left behind', scope: 'full' });
    const { key } = made.body.data;
    const disabled = await run('disable', owner.email);
    expect(disabled.out).toContain('key Left behind');
    expect((await server.api('GET', '/api-keys', undefined, key)).status).toBe(200);
    expect((await run('disable', owner.email, '--revoke')).out).toContain('no longer works:');
    await expect
      .poll(async () => (await server.api('GET', '/api-keys', undefined, key)).status, { timeout: 30_000 })
      .toBe(401);
    expect((await run('enable', owner.email)).code).toBe(0);
  });
});

const ada = (password: string) => server.api('POST', '/auth/sign-in', { email: 'ada@example.org', password });

describe('the setup link', () => {
  it('is printed while there is no user', async () => {
    const empty = await createTestDatabase();
    expect(await runOn(empty, 'setup-link')).toEqual({
      code: 0,
      out: `https://mail.example.org/#setup=${SETUP_TOKEN}`,
      err: '',
    });
    await empty.drop();
  });

  it('is not printed any more when there is one', async () => {
    const { code, out, err } = await runOn(server.database, 'setup-link');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/The first user already exists/);
  });
});
