/** Who has shown that an address is theirs, and what somebody who opened an account in another's name keeps. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeAt } from '../../src/accounts/users/second-factor.ts';
import { adHoc } from '../../src/database/sql.ts';
import { enterMode } from '../../src/operations/enter-mode.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import {
  decodedBase32,
  join,
  MovableClock,
  mailedText,
  mailedToken,
  PASSWORD,
  Person,
  signUpOwner,
  tokenOf,
} from './people.ts';

const clock = new MovableClock();
let server: TestApi;
let organization: TestOrganization;
let owner: Person;

beforeAll(async () => {
  server = await startApi({ clock });
  organization = await server.createOrganization('Default');
  owner = await signUpOwner(server);
});
afterAll(() => server.stop());

const isProven = async (person: Person): Promise<boolean> =>
  (await person.api('GET', '/auth/me')).body.data.user.email_verified;

/** As where nothing can be sent: there is no verified domain. */
async function withoutMail<T>(work: () => Promise<T>): Promise<T> {
  const set = (verified: boolean) =>
    server.db.exec(adHoc('UPDATE domains SET spf_verified = $1 WHERE organization_id = $2'), [
      verified,
      organization.id,
    ]);
  await set(false);
  return work().finally(() => set(true));
}

/** Joins by a link that the owner was shown. */
async function joinByHand(email: string): Promise<Person> {
  const made = await withoutMail(() =>
    owner.api('POST', '/members/invites', { email, role: 'member' }).then(({ body }) => body.data),
  );
  expect(made).toMatchObject({ mailed: false, link: expect.stringContaining('/invite/') });
  const person = new Person(server, email);
  const joined = await person.api('POST', `/invites/${tokenOf(made.link)}/accept`, { password: PASSWORD });
  person.id = joined.body.data.user.id;
  return person;
}

async function reset(email: string, password: string): Promise<void> {
  const before = await mailedText(server, email);
  await server.api('POST', '/auth/password-reset', { email });
  while ((await mailedText(server, email)) === before) await new Promise((done) => setImmediate(done));
  const token = await mailedToken(server, email);
  expect((await server.api('POST', '/auth/password-reset/confirm', { token, password })).status).toBe(200);
}

async function turnOnSecondFactor(person: Person): Promise<Buffer> {
  const { secret } = (await person.api('POST', '/auth/totp')).body.data;
  const bytes = decodedBase32(secret);
  const confirmed = await person.api('POST', '/auth/totp/confirm', { code: codeAt(bytes, clock.ms) });
  expect(confirmed.status).toBe(200);
  return bytes;
}

describe('an address', () => {
  it('is proven for the user who sets the installation up, and by a mailed invite', async () => {
    expect(await isProven(owner)).toBe(true);
    expect(await isProven(await join(server, owner, 'mailed@example.org', 'member'))).toBe(true);
  });

  it('is not proven by a link that an owner hands out, and owners see that', async () => {
    const person = await joinByHand('by-hand@example.org');
    expect(await isProven(person)).toBe(false);
    const { data } = (await owner.api('GET', '/members')).body;
    const shown = Object.fromEntries(
      data.map((one: { email: string; email_verified: boolean }) => [one.email, one.email_verified]),
    );
    expect(shown).toMatchObject({ [owner.email]: true, 'by-hand@example.org': false });
  });

  it('is confirmed by a mailed link, once, and by its user alone', async () => {
    const person = await joinByHand('confirms@example.org');
    const other = await joinByHand('somebody-else@example.org');
    const asked = await person.api('POST', '/auth/email/confirmation');
    expect([asked.status, asked.body]).toEqual([202, { data: { mailed: true } }]);
    const token = await mailedToken(server, person.email);
    const confirm = (by: Person) => by.api('POST', '/auth/email/confirm', { token });
    expect((await confirm(new Person(server, person.email))).status).toBe(401);
    expect((await confirm(other)).status).toBe(404);
    const done = await confirm(person);
    expect([done.status, done.body.data.user.email_verified]).toEqual([200, true]);
    expect((await confirm(person)).status).toBe(404);
    expect((await person.api('POST', '/auth/email/confirmation')).status).toBe(409);
  });

  it('is told when no mail can be sent, and after three mails in an hour', async () => {
    const person = await joinByHand('waits@example.org');
    const ask = () => person.api('POST', '/auth/email/confirmation');
    expect((await withoutMail(ask)).body).toEqual({ data: { mailed: false } });
    await ask();
    await ask();
    expect((await ask()).status).toBe(429);
  });

  it('that only the sandbox proved counts as unproven where mail goes out to the world', async () => {
    const person = await join(server, owner, 'sandboxed@example.org', 'member');
    await enterMode(server.db, 'sandbox', clock);
    expect(await isProven(person)).toBe(true);
    await enterMode(server.db, 'live', clock);
    expect([await isProven(person), await isProven(owner)]).toEqual([false, true]);
    await server.db.exec(adHoc('UPDATE domains SET spf_verified = true, dkim_verified = true'));
  });
});

describe('somebody who opened an account in another’s name', () => {
  it('loses every way in when the owner of the address sets a password', async () => {
    const intruder = await joinByHand('victim@example.org');
    await owner.api('PATCH', `/members/${intruder.id}`, { role: 'owner' });
    const secret = await turnOnSecondFactor(intruder);
    const key = (await intruder.api('POST', '/api-keys', { name: 'Back door', scope: 'full' })).body.data.key;
    const second = (await server.api('POST', '/api-keys', { name: 'Second back door', scope: 'full' }, key))
      .body.data.key;
    await intruder.api('POST', '/members/invites', { email: 'friend@example.org', role: 'owner' });
    const invited = await mailedToken(server, 'friend@example.org');

    await reset('victim@example.org', 'the victim’s own password');

    clock.ms += 30_000;
    expect(await intruder.isSignedIn()).toBe(false);
    expect((await intruder.signIn(PASSWORD, codeAt(secret, clock.ms))).status).toBe(401);
    for (const one of [key, second]) {
      expect((await server.api('GET', '/emails', undefined, one)).status).toBe(401);
    }
    expect((await server.api('GET', `/invites/${invited}`)).status).toBe(404);
    const victim = new Person(server, 'victim@example.org');
    expect((await victim.signIn('the victim’s own password')).body.data.user).toMatchObject({
      totp_enabled: false,
      recovery_codes_left: 0,
      email_verified: true,
    });
  });

  it('cannot have the victim confirm it by surprise: the mail says what to do instead', async () => {
    const intruder = await joinByHand('surprised@example.org');
    await intruder.api('POST', '/auth/email/confirmation');
    expect(await mailedText(server, 'surprised@example.org')).toContain('ask for a new password');
    const token = await mailedToken(server, 'surprised@example.org');
    expect((await server.api('POST', '/auth/email/confirm', { token })).status).toBe(401);
  });
});

it('a proven user who forgets the password keeps the second factor and the keys', async () => {
  const person = await join(server, owner, 'forgetful@example.org', 'member');
  const secret = await turnOnSecondFactor(person);
  const { key } = (await person.api('POST', '/api-keys', { name: 'Works on', scope: 'full' })).body.data;
  await reset(person.email, 'another good password');
  clock.ms += 30_000;
  expect((await person.signIn('another good password')).body.error.code).toBe('TOTP_REQUIRED');
  expect((await person.signIn('another good password', codeAt(secret, clock.ms))).status).toBe(200);
  expect((await server.api('GET', '/emails', undefined, key)).status).toBe(200);
});

it('an organization mails at most 50 invites an hour', async () => {
  const made = await owner.api('POST', '/organizations', { name: 'Flood' });
  await owner.api('POST', '/auth/organization', { organization_id: made.body.data.id });
  const statuses = new Set<number>();
  for (let i = 0; i < 50; i += 1) {
    statuses.add(
      (await owner.api('POST', '/members/invites', { email: `f${i}@example.org`, role: 'member' })).status,
    );
  }
  expect([...statuses]).toEqual([201]);
  const refused = await owner.api('POST', '/members/invites', {
    email: 'one-more@example.org',
    role: 'member',
  });
  expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
});
