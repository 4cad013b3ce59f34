/** Signing up, in and out, and what a session is worth. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpToken } from '../../src/accounts/users/first-user.ts';
import { Passwords } from '../../src/accounts/users/password.ts';
import { ACCOUNT_LIMIT } from '../../src/accounts/users/sign-in-throttle.ts';
import { adHoc } from '../../src/database/sql.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/durations.ts';
import { SecretKey } from '../../src/runtime/secret-key.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { SETUP_TOKEN } from '../support/secret-key.ts';
import { MovableClock, mailedToken, PASSWORD, Person, signUpOwner } from './people.ts';

const clock = new MovableClock();
let server: TestApi;
let owner: Person;
let organizationId: string;

beforeAll(async () => {
  server = await startApi({ clock, env: { POSTRIDER_TRUST_PROXY: 'true' } });
});
afterAll(() => server.stop());

describe('the first user', () => {
  it('needs an organization to own', async () => {
    const state = await server.api('GET', '/auth/state');
    expect(state.body).toEqual({ data: { setup_required: true, mode: 'sandbox', signed_in: false } });
    const body = { email: 'a@example.org', password: PASSWORD, setup_token: SETUP_TOKEN };
    const answer = await server.api('POST', '/auth/sign-up', body);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT']);
    organizationId = (await server.createOrganization('Default')).id;
  });

  it.each([
    ['short', { email: 'nobody', password: 'short' }],
    ['nothing that is text', { email: {}, password: { toString: 1 } }],
  ])('must give an address and a password that will do, not %s', async (_what, body) => {
    const answer = await server.api('POST', '/auth/sign-up', body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details.map((one: { field: string }) => one.field).sort()).toEqual([
      'email',
      'password',
    ]);
  });

  it.each([
    ['no setup token', {}],
    ['an empty one', { setup_token: '' }],
    ['a wrong one', { setup_token: 'A'.repeat(22) }],
    ['one that goes on', { setup_token: `${SETUP_TOKEN}A` }],
    ['the token of another installation', { setup_token: setUpToken(new SecretKey(Buffer.alloc(32, 1))) }],
  ])('is nobody who has %s, and is told where it is', async (_, given) => {
    const body = { email: 'thief@example.org', password: PASSWORD, ...given };
    const { status, body: answer, headers } = await server.api('POST', '/auth/sign-up', body);
    expect([status, answer.error.code]).toEqual([403, 'SETUP_TOKEN_REQUIRED']);
    expect(answer.error.message).toMatch(/npm start.*npx postrider setup-link/);
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('is not found by guessing, and guessing keeps nobody out', async () => {
    const guess = { email: 'thief@example.org', password: PASSWORD, setup_token: 'guess' };
    const statuses = new Set<number>();
    for (let i = 0; i < 11; i += 1) statuses.add((await server.api('POST', '/auth/sign-up', guess)).status);
    expect([...statuses]).toEqual([403, 429]);
    // The next test signs up from the same address.
  });

  it('owns the first organization, of many that sign up at once only one', async () => {
    const all = await Promise.all(
      Array.from({ length: 5 }, (_, i) => {
        const person = new Person(server, i === 0 ? 'Ada@Example.org' : `user${i}@example.org`);
        const body = {
          email: person.email,
          password: PASSWORD,
          name: 'Somebody',
          setup_token: SETUP_TOKEN,
        };
        return person.api('POST', '/auth/sign-up', body).then((answer) => ({ person, answer }));
      }),
    );
    const made = all.filter(({ answer }) => answer.status === 201);
    expect(made).toHaveLength(1);
    expect(all.filter(({ answer }) => answer.status === 409)).toHaveLength(4);
    const { data } = made[0]?.answer.body ?? {};
    expect(data).toMatchObject({
      user: { name: 'Somebody', totp_enabled: false },
      organization: { id: organizationId, name: 'Default' },
      role: 'owner',
      is_operator: true,
      organizations: [{ id: organizationId, name: 'Default', role: 'owner' }],
    });
    owner = made[0]?.person as Person;
    expect(await owner.isSignedIn()).toBe(true);
  });

  it('is the only one who signs up', async () => {
    const body = { email: 'late@example.org', password: PASSWORD, setup_token: SETUP_TOKEN };
    expect((await server.api('POST', '/auth/sign-up', body)).status).toBe(409);
    const state = await owner.api('GET', '/auth/state');
    expect(state.body).toEqual({ data: { setup_required: false, mode: 'sandbox', signed_in: true } });
  });
});

describe('signing in', () => {
  it('gives a cookie that scripts cannot read and other sites do not send', async () => {
    expect((await owner.signIn()).status).toBe(200);
    expect(owner.setCookie).toMatch(
      /^postrider_session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it('takes the address in any spelling', async () => {
    const body = { email: ` ${owner.email.toUpperCase()} `, password: PASSWORD };
    expect((await server.api('POST', '/auth/sign-in', body)).status).toBe(200);
  });

  it('tells nobody whether the address or the password was wrong', async () => {
    const wrong = await new Person(server, owner.email).signIn('wrong password');
    const unknown = await new Person(server, 'unknown@example.org').signIn();
    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual(unknown.body);
    expect(wrong.body.error.code).toBe('UNAUTHORIZED');
    expect(wrong.headers.get('set-cookie')).toBeNull();
  });

  it('stores nothing that lets one in', async () => {
    const rows = await server.db.many(adHoc('SELECT to_jsonb(s)::text AS row FROM sessions s'));
    const users = await server.db.many(adHoc('SELECT to_jsonb(u)::text AS row FROM users u'));
    const text = JSON.stringify([rows, users]);
    expect(text).not.toContain(owner.cookie?.split('=')[1] ?? 'none');
    expect(text).not.toContain(PASSWORD);
    expect(text).toContain('scrypt$ln=4,r=8,p=1$');
  });

  it('hashes the password again when its parameters are not those of today', async () => {
    const old = await new Passwords({ ln: 3, r: 8, p: 1 }).hash(PASSWORD, '127.0.0.1');
    await server.db.exec(adHoc('UPDATE users SET password = $1'), [old]);
    expect((await owner.signIn()).status).toBe(200);
    const { password } = await server.db.one(adHoc<{ password: string }>('SELECT password FROM users'));
    expect(password).toMatch(/^scrypt\$ln=4,/);
    expect((await owner.signIn()).status).toBe(200);
  });

  it('ends the session that the browser had before', async () => {
    const before = new Person(server, owner.email);
    await before.signIn();
    const old = new Person(server, owner.email);
    old.cookie = before.cookie;
    await before.signIn();
    expect(await old.isSignedIn()).toBe(false);
  });

  it('is slowed down after failures, and only for who fails', async () => {
    const guesser = new Person(server, 'guessed@example.org');
    const answers = [];
    for (let i = 0; i < 11; i += 1) answers.push(await guesser.signIn('wrong password'));
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429]);
    expect(answers[10]?.body.error.code).toBe('RATE_LIMITED');
    expect(Number(answers[10]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await owner.signIn()).status).toBe(200);
    clock.ms += 15 * 60_000;
    expect((await guesser.signIn('wrong password')).status).toBe(401);
  });
});

describe('guessing at one account', () => {
  /** From a network of its own each, at once as far as passwords are hashed at once. */
  const guess = (i: number, email = owner.email) =>
    new Person(server, email).api(
      'POST',
      '/auth/sign-in',
      { email, password: 'wrong password' },
      { 'x-forwarded-for': `2001:db8:${i.toString(16)}::1` },
    );
  interface Refused {
    at: string;
    details: { reason: string; count: number; addresses: string[] };
    actor: { id: string; name: string };
    address: string;
  }
  /** What was refused since the hour that this begins with. */
  let hourMs = 0;
  const refused = async (): Promise<Refused[]> => {
    const { data } = (await owner.api('GET', '/audit-log?action=session.refused')).body;
    return data.filter(({ at }: Refused) => Date.parse(at) >= hourMs);
  };
  it('is one entry in the audit log also where several fail at the same moment', async () => {
    hourMs = (Math.floor(clock.ms / HOUR_MS) + 1) * HOUR_MS;
    clock.ms = hourMs;
    await Promise.all([1, 2, 3, 4, 5].map((i) => guess(i)));
    await expect.poll(async () => (await refused()).map(({ details }) => details.count)).toEqual([5]);
  });

  it('ends at a ceiling, from however many networks; a browser that was there before still gets in', async () => {
    hourMs = (Math.floor(clock.ms / HOUR_MS) + 2) * HOUR_MS;
    clock.ms = hourMs;
    const statuses: number[] = [];
    for (let i = 0; i < 60; i += 1) statuses.push((await guess(i)).status);
    expect(statuses).toEqual([...Array(50).fill(401), ...Array(10).fill(429)]);
    expect((await new Person(server, owner.email).signIn()).status).toBe(429);
    expect((await owner.signIn()).status).toBe(200);
    const wrong = [];
    for (let i = 0; i < 11; i += 1) wrong.push((await owner.signIn('wrong password')).status);
    expect(wrong).toEqual([...Array(10).fill(401), 429]);
  });

  it('is in the audit log, one entry for each kind and hour, with the addresses', async () => {
    await expect
      .poll(async () => (await refused()).map(({ details }) => details.reason).sort())
      .toEqual(['throttled', 'wrong_password']);
    const entry = async () => (await refused()).find(({ details }) => details.reason === 'wrong_password');
    await expect.poll(async () => (await entry())?.details.count).toBeGreaterThanOrEqual(60);
    expect(await entry()).toMatchObject({
      actor: { name: owner.email.toLowerCase() },
      address: '2001:db8:0::1',
    });
    expect((await entry())?.details.addresses).toHaveLength(20);
  });

  it('is counted by reason, also where there is no such user', async () => {
    clock.ms += 15 * 60_000;
    await guess(1, 'nobody@example.org');
    const text = await (await fetch(`${server.url}/metrics`)).text();
    const count = (reason: string) =>
      Number(
        new RegExp(`postrider_sign_in_failures_total\\{reason="${reason}"[^}]*\\} (\\d+)`).exec(text)?.[1],
      );
    expect(count('wrong_password')).toBeGreaterThanOrEqual(60);
    expect(count('throttled')).toBeGreaterThanOrEqual(11);
    expect(count('unknown_user')).toBeGreaterThanOrEqual(1);
  });

  it('keeps nobody from a new password: who asks for those of others is counted apart', async () => {
    const ask = (i: number, email: string) =>
      new Person(server, email).api(
        'POST',
        '/auth/password-reset',
        { email },
        { 'x-forwarded-for': `2001:db8:${i.toString(16)}::1` },
      );
    for (let i = 0; i < ACCOUNT_LIMIT; i += 1) await ask(i, `nobody-${i}@example.org`);
    expect((await ask(ACCOUNT_LIMIT, owner.email)).status).toBe(202);
  });

  it('ends for a user who resets the password by mail, whose browser is known from then on', async () => {
    for (let i = 0; i < 60; i += 1) await guess(i);
    const there = new Person(server, owner.email);
    expect((await there.signIn()).status).toBe(429);
    await there.api('POST', '/auth/password-reset', { email: owner.email });
    await expect.poll(() => mailedToken(server, owner.email)).not.toBe('');
    const token = await mailedToken(server, owner.email);
    await there.api('POST', '/auth/password-reset/confirm', { token, password: PASSWORD });
    expect((await there.signIn()).status).toBe(200);
    clock.ms += 15 * 60_000;
    await owner.signIn();
  });
});

describe('a session', () => {
  it('works on every path of the API like a key', async () => {
    for (const path of ['/emails', '/domains', '/api-keys', '/api/v1/organization', '/templates']) {
      expect([path, (await owner.api('GET', path)).status]).toEqual([path, 200]);
    }
    const made = await owner.api('POST', '/api-keys', { name: 'Made in a browser', scope: 'full' });
    expect(made.status).toBe(201);
    expect((await server.api('GET', '/organization', undefined, made.body.data.key)).body.data.id).toBe(
      organizationId,
    );
  });

  it('is not asked for where a key is given, be the key good or bad', async () => {
    const answer = await owner.api('GET', '/emails', undefined, {
      authorization: 'Bearer wrong-key-of-the-tests',
    });
    expect(answer.status).toBe(401);
  });

  it.each([
    'postrider_session=x',
    `postrider_session=${'A'.repeat(43)}`,
    'other=1; ; =',
    `x${'y'.repeat(5000)}`,
  ])('is not %s', async (cookie) => {
    const person = new Person(server, owner.email);
    person.cookie = cookie;
    expect((await person.api('GET', '/emails')).status).toBe(401);
  });

  it('ends when its owner signs out, at once', async () => {
    const person = new Person(server, owner.email);
    await person.signIn();
    const { cookie } = person;
    const answer = await person.api('POST', '/auth/sign-out');
    expect(answer.body).toEqual({ data: { signed_out: true } });
    expect(person.cookie).toBeUndefined();
    person.cookie = cookie;
    expect(await person.isSignedIn()).toBe(false);
    expect((await person.api('POST', '/auth/sign-out')).status).toBe(200);
  });

  it('ends everywhere when its owner wants that', async () => {
    const browsers = [1, 2, 3].map(() => new Person(server, owner.email));
    for (const browser of browsers) await browser.signIn();
    expect((await browsers[0]?.api('POST', '/auth/sign-out-everywhere'))?.status).toBe(200);
    for (const browser of browsers) expect(await browser.isSignedIn()).toBe(false);
    expect(await owner.isSignedIn()).toBe(false);
    await owner.signIn();
  });

  it('ends in every process within a second', async () => {
    const other = await startApi({ clock, database: server.database });
    const there = new Person(other, owner.email);
    there.cookie = owner.cookie;
    expect(await there.isSignedIn()).toBe(true);
    await owner.api('POST', '/auth/sign-out');
    clock.ms += 800;
    expect(await there.isSignedIn()).toBe(false);
    await other.stop();
    await owner.signIn();
  });

  it('lasts while it is used, and a fortnight beyond that', async () => {
    for (let day = 0; day < 20; day += 5) {
      clock.ms += 5 * DAY_MS;
      expect(await owner.isSignedIn()).toBe(true);
    }
    clock.ms += 14 * DAY_MS - 1000;
    expect(await owner.isSignedIn()).toBe(true);
    clock.ms += 14 * DAY_MS;
    expect(await owner.isSignedIn()).toBe(false);
    await owner.signIn();
  });

  it('never lasts longer than 90 days', async () => {
    let days = 0;
    while (await owner.isSignedIn()) {
      clock.ms += 6 * DAY_MS;
      days += 6;
      expect(days).toBeLessThan(120);
    }
    expect(days).toBe(90);
    await owner.signIn();
  });
});

describe('one’s own account', () => {
  it('gets another name, or none', async () => {
    expect((await owner.api('PATCH', '/auth/me', { name: 'Ada L.' })).body.data.user.name).toBe('Ada L.');
    expect((await owner.api('PATCH', '/auth/me', { name: null })).body.data.user.name).toBeNull();
    expect((await owner.api('PATCH', '/auth/me', { name: '  ' })).status).toBe(400);
  });

  it('gets another password with the old one, and other sessions end', async () => {
    const elsewhere = new Person(server, owner.email);
    await elsewhere.signIn();
    const wrong = await owner.api('POST', '/auth/password', { current: 'wrong', new: 'another good one' });
    expect(wrong.body.error.details).toEqual([{ field: 'current', message: 'is not your password' }]);
    const weak = await owner.api('POST', '/auth/password', { current: PASSWORD, new: 'password123' });
    expect(weak.body.error.details[0].field).toBe('new');
    const good = await owner.api('POST', '/auth/password', { current: PASSWORD, new: 'another good one' });
    expect(good.body).toEqual({ data: { changed: true } });
    expect(await owner.isSignedIn()).toBe(true);
    expect(await elsewhere.isSignedIn()).toBe(false);
    expect((await elsewhere.signIn()).status).toBe(401);
    expect((await elsewhere.signIn('another good one')).status).toBe(200);
  });
});

describe('with https in front', () => {
  it('the cookie is for https only, and for this host only', async () => {
    const secure = await startApi({ env: { POSTRIDER_PUBLIC_URL: 'https://mail.example.org' } });
    await secure.createOrganization();
    const person = await signUpOwner(secure);
    expect(person.setCookie).toMatch(
      /^__Host-postrider_session=[\w-]{43}; .*; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(await person.isSignedIn()).toBe(true);
    await secure.stop();
  });
});
