/** The second factor, from setting it up to taking it off. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeAt } from '../../src/accounts/users/second-factor.ts';
import { adHoc } from '../../src/database/sql.ts';
import { HOUR_MS } from '../../src/runtime/durations.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { decodedBase32, MovableClock, mailedText, PASSWORD, Person, signUpOwner } from './people.ts';

const STEP_MS = 30_000;
const clock = new MovableClock();
let server: TestApi;
let owner: Person;
let secret: Buffer;
let recovery: string[] = [];

beforeAll(async () => {
  server = await startApi({ clock, env: { POSTRIDER_TRUST_PROXY: 'true' } });
  await server.createOrganization();
  owner = await signUpOwner(server);
});
afterAll(() => server.stop());

/** The next code that was not used yet. */
function nextCode(): string {
  clock.ms += STEP_MS;
  return codeAt(secret, clock.ms);
}

describe('a second factor', () => {
  it('changes nothing until a code of it confirms it', async () => {
    const begun = (await owner.api('POST', '/auth/totp')).body.data;
    expect(begun.uri).toBe(
      `otpauth://totp/Postrider:owner%40example.org?secret=${begun.secret}&issuer=Postrider`,
    );
    secret = decodedBase32(begun.secret);
    const wrong = await owner.api('POST', '/auth/totp/confirm', { code: '000000' });
    expect(wrong.body.error.details[0].field).toBe('code');
    expect((await owner.api('GET', '/auth/me')).body.data.user.totp_enabled).toBe(false);
    expect((await new Person(server, owner.email).signIn()).status).toBe(200);
  });

  it('is on with a code, and gives recovery codes this once', async () => {
    const { data } = (await owner.api('POST', '/auth/totp/confirm', { code: nextCode() })).body;
    expect(data.totp_enabled).toBe(true);
    recovery = data.recovery_codes;
    expect(new Set(recovery).size).toBe(10);
    for (const code of recovery) expect(code).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/);
    const me = (await owner.api('GET', '/auth/me')).body.data.user;
    expect(me).toMatchObject({ totp_enabled: true, recovery_codes_left: 10 });
    expect((await owner.api('POST', '/auth/totp')).status).toBe(409);
  });

  it('is asked for after the right password only', async () => {
    const person = new Person(server, owner.email);
    expect((await person.signIn('wrong password')).body.error.code).toBe('UNAUTHORIZED');
    const asked = await person.signIn();
    expect([asked.status, asked.body.error.code, asked.body.error.details]).toEqual([
      401,
      'TOTP_REQUIRED',
      [],
    ]);
    expect(person.cookie).toBeUndefined();
    expect((await person.signIn(undefined, nextCode())).status).toBe(200);
  });

  it('takes each code once, and none that is older than one it took', async () => {
    const code = nextCode();
    const person = new Person(server, owner.email);
    const both = await Promise.all([person.signIn(undefined, code), person.signIn(undefined, code)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    const again = await person.signIn(undefined, code);
    expect(again.body.error).toMatchObject({ code: 'TOTP_REQUIRED', details: [{ field: 'code' }] });
    const before = codeAt(secret, clock.ms - STEP_MS);
    expect((await person.signIn(undefined, before)).status).toBe(401);
  });

  it('takes each recovery code once, however it is typed', async () => {
    const person = new Person(server, owner.email);
    const typed = ` ${recovery[0]?.toUpperCase().replaceAll('-', ' ')} `;
    expect((await person.signIn(undefined, typed)).status).toBe(200);
    expect((await person.signIn(undefined, recovery[0])).status).toBe(401);
    expect((await person.api('GET', '/auth/me')).body.data.user.recovery_codes_left).toBe(9);
  });

  it('cannot be guessed without end', async () => {
    clock.ms += HOUR_MS;
    const person = new Person(server, owner.email);
    const statuses = [];
    // By codes of the app and recovery codes: both count.
    const guesses = ['000000', 'abcd-efgh-jkmn-pqrs'];
    for (let i = 0; i < 11; i += 1) statuses.push((await person.signIn(undefined, guesses[i % 2])).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });

  it('has a ceiling of its own, whatever the address, in every process and after a restart', async () => {
    const other = await startApi({ clock, database: server.database });
    // As from an address that has not guessed yet.
    await server.db.exec(adHoc('DELETE FROM sign_in_attempts'));
    const person = new Person(other, owner.email);
    const right = await person.signIn(undefined, nextCode());
    expect([right.status, right.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(10 * 60);
    expect((await person.signIn(undefined, recovery[1])).status).toBe(429);
    expect((await person.signIn()).body.error.code).toBe('TOTP_REQUIRED');
    await other.stop();
  });

  it('is not closed to a browser that has signed in before', async () => {
    const before = owner.device;
    expect((await owner.signIn(undefined, nextCode())).status).toBe(200);
    expect(owner.device).not.toBe(before);
  });

  it('tells its owner by mail that somebody knows the password, once a day', async () => {
    const notices = () =>
      server.db.many(
        adHoc<{ subject: string }>(`SELECT subject FROM emails WHERE metadata->>'kind' = 'security_notice'`),
      );
    await expect.poll(notices).toHaveLength(1);
    expect(await mailedText(server, owner.email)).toContain('the last code\nfrom 127.0.0.1');
    clock.ms += 16 * 60_000;
    const stranger = new Person(server, owner.email);
    for (let i = 0; i < 10; i += 1) await stranger.signIn(undefined, '000000');
    expect((await stranger.signIn(undefined, '000000')).status).toBe(429);
    expect(await notices()).toHaveLength(1);
  });

  it('cools down for twice as long each time', async () => {
    clock.ms += 16 * 60_000;
    const stranger = new Person(server, owner.email);
    expect((await stranger.signIn(undefined, nextCode())).status).toBe(429);
    clock.ms += 15 * 60_000;
    expect((await stranger.signIn(undefined, nextCode())).status).toBe(200);
  });

  it('counts many guesses at once one by one', async () => {
    clock.ms += 2 * HOUR_MS;
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        // Each from an address of its own, as through a proxy of many.
        new Person(server, owner.email).api(
          'POST',
          '/auth/sign-in',
          { email: owner.email, password: PASSWORD, code: '000000' },
          { 'x-forwarded-for': `198.51.100.${i}` },
        ),
      ),
    );
    const judged = answers.filter(({ status }) => status === 401);
    expect(judged.length).toBeGreaterThan(0);
    expect(judged.length).toBeLessThanOrEqual(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30 - judged.length);
  });

  it('starts over with a new password, which nobody knows yet', async () => {
    const changed = { current: PASSWORD, new: 'a password of today' };
    expect((await owner.api('POST', '/auth/password', changed)).status).toBe(200);
    const elsewhere = new Person(server, owner.email);
    expect((await elsewhere.signIn('a password of today', nextCode())).status).toBe(200);
    const back = { current: 'a password of today', new: PASSWORD };
    expect((await owner.api('POST', '/auth/password', back)).status).toBe(200);
  });

  it('is sealed at rest, and its recovery codes are hashed', async () => {
    const row = await server.db.one(
      adHoc<{ totp_secret: Buffer; all: string }>(
        'SELECT totp_secret, to_jsonb(u)::text AS all FROM users u',
      ),
    );
    expect(row.totp_secret.includes(secret)).toBe(false);
    for (const code of recovery) expect(row.all).not.toContain(code.replaceAll('-', ''));
  });

  it('is taken off with a code only', async () => {
    const wrong = await owner.api('DELETE', '/auth/totp', { code: '123456' });
    expect([wrong.status, wrong.body.error.details[0].field]).toEqual([400, 'code']);
    const off = await owner.api('DELETE', '/auth/totp', { code: nextCode() });
    expect(off.body).toEqual({ data: { totp_enabled: false } });
    expect((await new Person(server, owner.email).signIn()).status).toBe(200);
    expect((await owner.api('GET', '/auth/me')).body.data.user.recovery_codes_left).toBe(0);
  });
});
