/** A forgotten password: the mail, its link, and who else can read it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { HOUR_MS } from '../../src/runtime/durations.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { MovableClock, PASSWORD, Person, signUpOwner, tokenOf } from './people.ts';

const clock = new MovableClock();
let server: TestApi;
let organization: TestOrganization;
let owner: Person;

beforeAll(async () => {
  server = await startApi({ clock });
  organization = await server.createOrganization();
  owner = await signUpOwner(server);
});
afterAll(() => server.stop());

const ask = (email: string) => server.api('POST', '/auth/password-reset', { email });
const confirm = (token: string, password: string) =>
  server.api('POST', '/auth/password-reset/confirm', { token, password });

const mails = () =>
  server.db.many(
    adHoc<{ id: string; from_email: string; text: string }>(
      `SELECT e.id, e.from_email, c.text FROM emails e
       JOIN email_contents c ON c.organization_id = e.organization_id AND c.email_id = e.id ORDER BY e.id`,
    ),
  );

/** The answer does not wait for the mail. */
async function untilMails(count: number) {
  for (;;) {
    const all = await mails();
    if (all.length >= count) return all;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function newToken(): Promise<string> {
  const before = (await mails()).length;
  await ask(owner.email);
  return tokenOf((await untilMails(before + 1)).at(-1)?.text ?? '');
}

describe('a forgotten password', () => {
  it('gets a mail from a verified domain of the first organization', async () => {
    const answer = await ask(owner.email.toUpperCase());
    expect([answer.status, answer.body]).toEqual([202, { data: { accepted: true } }]);
    const [mail] = await untilMails(1);
    expect(mail?.from_email).toBe(`postrider@${organization.domain}`);
    expect(mail?.text).toMatch(/http:\/\/localhost:\d+\/reset-password\?token=[\w-]{43}\n/);
  });

  it('answers the same for somebody unknown, and sends nothing', async () => {
    const unknown = await ask('unknown@example.org');
    expect([unknown.status, unknown.body]).toEqual([202, { data: { accepted: true } }]);
    await newToken();
    expect(await mails()).toHaveLength(2);
  });

  it('leaves nothing in the lists, events and numbers of any organization', async () => {
    const [mail] = await mails();
    for (const path of [
      `/emails/${mail?.id}`,
      `/emails/${mail?.id}/content`,
      `/emails/${mail?.id}/explain`,
    ]) {
      expect([path, (await owner.api('GET', path)).status]).toEqual([path, 404]);
      expect((await server.api('GET', path, undefined, organization.key)).status).toBe(404);
    }
    const lists = ['/emails', '/events', `/emails?to=${owner.email}`, '/suppressions', '/sandbox/messages'];
    for (const path of lists) {
      expect([path, (await owner.api('GET', path)).body.data]).toEqual([path, []]);
    }
    expect((await owner.api('GET', '/stats')).body.data.totals.sent).toBe(0);
    expect((await owner.api('GET', '/organization')).body.data.sending_limit.used_today).toBe(0);
  });

  it('is replaced with the link, once; every session ends and every other link', async () => {
    const [first, second] = (await mails()).map(({ text }) => tokenOf(text));
    const weak = await confirm(second ?? '', 'password123');
    expect([weak.status, weak.body.error.details[0].field]).toEqual([400, 'password']);
    const done = await confirm(second ?? '', 'a brand new password');
    expect([done.status, done.body]).toEqual([200, { data: { changed: true } }]);
    expect(done.headers.get('set-cookie')).not.toContain('postrider_session');
    expect(await owner.isSignedIn()).toBe(false);
    for (const token of [first, second, 'x', '']) {
      expect((await confirm(token ?? '', 'yet another password')).status).toBe(404);
    }
    expect((await owner.signIn(PASSWORD)).status).toBe(401);
    expect((await owner.signIn('a brand new password')).status).toBe(200);
  });

  it('takes a link once when it is used twice at once', async () => {
    clock.ms += HOUR_MS;
    const token = await newToken();
    const both = await Promise.all([
      confirm(token, 'the first new password'),
      confirm(token, 'the second new password'),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it('has links that are too old after an hour', async () => {
    const token = await newToken();
    clock.ms += HOUR_MS;
    expect((await confirm(token, 'a late new password')).status).toBe(404);
  });

  it('does not flood anybody’s mailbox', async () => {
    clock.ms += HOUR_MS;
    const before = (await mails()).length;
    for (let i = 0; i < 3; i += 1) await newToken();
    await ask(owner.email);
    // Somebody else's mail comes after it, so it would have been there.
    const other = new Person(server, 'other@example.org');
    await server.db.exec(
      adHoc(`INSERT INTO users (id, email, password, created_at) VALUES ('usr_x', $1, 'x', now())`),
      [other.email],
    );
    await ask(other.email);
    const all = await untilMails(before + 4);
    const tokens = await server.db.many(
      adHoc<{ user_id: string }>('SELECT user_id FROM account_links WHERE expires_at > $1'),
      [new Date(clock.ms)],
    );
    expect(all).toHaveLength(before + 4);
    expect(tokens.filter(({ user_id }) => user_id === owner.id)).toHaveLength(3);
  });

  it('is asked for a limited number of times from one address', async () => {
    clock.ms += HOUR_MS;
    const statuses = [];
    for (let i = 0; i < 11; i += 1) statuses.push((await ask(`nobody${i}@example.org`)).status);
    expect(statuses).toEqual([...Array(10).fill(202), 429]);
  });
});
