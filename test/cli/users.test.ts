import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeAt } from '../../src/accounts/users/totp.ts';
import { decodedBase32, type Person, signUpOwner, tokenOf } from '../accounts/people.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { createTestDatabase } from '../support/database.ts';
import { SETUP_TOKEN, TEST_SECRET_KEY } from '../support/secret-key.ts';

let server: TestApi;
let owner: Person;
beforeAll(async () => {
  server = await startApi();
  await server.createOrganization();
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
    expect(err).toMatch(/There is already a user/);
  });
});
