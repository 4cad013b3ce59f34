/** What the link in List-Unsubscribe does, for mail services and for people. */

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unsubscribeUrl } from '../../src/protocols/message/tracking-links.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { address } from '../support/addresses.ts';
import { fieldsOf, letter } from '../support/emails.ts';
import { TrackingFixture } from './fixture.ts';

let fixture: TrackingFixture;
let emailId: string;
beforeAll(async () => {
  fixture = await TrackingFixture.start();
  emailId = await fixture.delivered('delivered');
});
afterAll(() => fixture.stop());

const list = async (key = fixture.org.key) =>
  (await fixture.server.api('GET', '/suppressions?limit=100', undefined, key)).body.data as {
    id: string;
    email: string;
    reason: string;
  }[];
const reasonsOf = async (email: string, key?: string) =>
  (await list(key)).filter((one) => one.email === email).map((one) => one.reason);
const suppress = (email: string, reason: string) =>
  fixture.server.api('POST', '/suppressions', { email, reason }, fixture.org.key);

/** Exactly what Gmail and Yahoo send: RFC 8058. */
const oneClick = (url: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });

/** Presses the one button of a page. */
async function press(page: Response): Promise<Response> {
  const action = /<form method="post"(?: action="([^"]*)")?>/.exec(await page.text());
  if (action === null) throw new Error('There is no form.');
  return fetch(new URL(action[1] ?? '', page.url), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
  });
}

describe('a POST by a mail service', () => {
  it('suppresses the address at once, as often as it comes', async () => {
    const url = fixture.unsubscribe('one@example.org', emailId);
    for (let i = 0; i < 3; i += 1) {
      const response = await oneClick(url);
      expect([response.status, await response.text()]).toEqual([200, 'Unsubscribed.\n']);
    }
    const [entry, ...rest] = (await list()).filter((one) => one.email === 'one@example.org');
    expect(entry).toMatchObject({
      reason: 'unsubscribe',
      source: 'automatic',
      email_id: emailId,
      cause: 'unsubscribed',
    });
    expect(rest).toEqual([]);
    const refused = await fixture.server.api(
      'POST',
      '/emails/send',
      letter(fixture.org, { to: [{ email: 'One@example.org' }], unsubscribe: true }),
      fixture.org.key,
    );
    expect(refused.body.error.code).toBe('RECIPIENTS_SUPPRESSED');
  });

  it('may be a multipart form', async () => {
    const body = new FormData();
    body.set('List-Unsubscribe', 'One-Click');
    const response = await fetch(fixture.unsubscribe('two@example.org', emailId), { method: 'POST', body });
    expect([response.status, await response.text()]).toEqual([200, 'Unsubscribed.\n']);
    expect(await reasonsOf('two@example.org')).toEqual(['unsubscribe']);
  });

  it('works when many come at the same time', async () => {
    const url = fixture.unsubscribe('many@example.org', emailId);
    const responses = await Promise.all(Array.from({ length: 8 }, () => oneClick(url)));
    expect(new Set(responses.map((one) => one.status))).toEqual(new Set([200]));
    expect(await reasonsOf('many@example.org')).toEqual(['unsubscribe']);
  });

  it('unsubscribes from this sender alone', async () => {
    const other = await fixture.server.createOrganization('Other');
    await oneClick(fixture.unsubscribe('both@example.org', emailId));
    expect(await reasonsOf('both@example.org')).toEqual(['unsubscribe']);
    expect(await reasonsOf('both@example.org', other.key)).toEqual([]);
  });

  it('leaves an entry that stops all mail as it is, and is remembered beside it', async () => {
    await suppress('gone@example.org', 'hard_bounce');
    expect((await oneClick(fixture.unsubscribe('gone@example.org', emailId))).status).toBe(200);
    expect(await reasonsOf('gone@example.org')).toEqual(['unsubscribe', 'hard_bounce']);
  });

  it('with a forged link changes nothing', async () => {
    const before = await list();
    const good = fixture.unsubscribe('forged@example.org', emailId);
    const { email } = address('forged@example.org');
    const ref = { organizationId: fixture.org.id, emailId, address: email, group: 'news' };
    const other = unsubscribeUrl({ ...fixture.links(), key: randomBytes(32) }, ref);
    const pixel = fixture.pixel(emailId).replace('/t/o/', '/u/').replace('.gif', '');
    for (const url of [`${good}A`, good.slice(0, -2), other, pixel, `${fixture.server.url}/u/`]) {
      expect((await oneClick(url)).status, url).toBe(404);
      expect((await fetch(url)).status, url).toBe(404);
    }
    expect(await list()).toEqual(before);
  });

  it('with a body larger than any form is refused', async () => {
    const response = await fetch(fixture.unsubscribe('large@example.org', emailId), {
      method: 'POST',
      body: 'x'.repeat(100_000),
    });
    expect(response.status).toBe(413);
    expect(await reasonsOf('large@example.org')).toEqual([]);
  });
});

describe('a person who follows the link', () => {
  it('is asked first: GET and HEAD change nothing', async () => {
    const url = fixture.unsubscribe('person@example.org', emailId);
    await fetch(url, { method: 'HEAD' });
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(await reasonsOf('person@example.org')).toEqual([]);
    const html = await page.text();
    expect(html).toContain('person@example.org');
    expect(html).toContain('<html lang="en">');
    expect(html).not.toMatch(/<script|javascript:|src=|https?:/i);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('unsubscribes with one button, comes back with another, and may change their mind again', async () => {
    const asked = await fetch(fixture.unsubscribe('mind@example.org', emailId));
    const gone = await press(asked);
    expect(await reasonsOf('mind@example.org')).toEqual(['unsubscribe']);
    const back = await press(gone);
    expect(await back.clone().text()).toContain('You are subscribed again');
    expect(await reasonsOf('mind@example.org')).toEqual([]);
    const askedAgain = await fetch(back.url);
    expect(await reasonsOf('mind@example.org')).toEqual([]);
    await press(back);
    expect(await reasonsOf('mind@example.org')).toEqual(['unsubscribe']);
    await press(askedAgain);
    expect(await reasonsOf('mind@example.org')).toEqual(['unsubscribe']);
  });

  it.each(['hard_bounce', 'complaint', 'manual'])('cannot undo a suppression for %s', async (reason) => {
    const email = `${reason}@example.org`;
    await suppress(email, reason);
    const page = await press(await fetch(fixture.unsubscribe(email, emailId)));
    expect((await press(page)).status).toBe(200);
    expect(await reasonsOf(email)).toEqual([reason]);
  });

  it('can undo an unsubscription from before there were groups, which stopped all mail', async () => {
    await suppress('before@example.org', 'unsubscribe');
    await fetch(`${fixture.unsubscribe('before@example.org', emailId)}/resubscribe`, { method: 'POST' });
    expect(await reasonsOf('before@example.org')).toEqual([]);
  });

  it('cannot subscribe somebody else', async () => {
    await oneClick(fixture.unsubscribe('a@example.org', emailId));
    await oneClick(fixture.unsubscribe('b@example.org', emailId));
    await fetch(`${fixture.unsubscribe('a@example.org', emailId)}/resubscribe`, { method: 'POST' });
    expect(await reasonsOf('a@example.org')).toEqual([]);
    expect(await reasonsOf('b@example.org')).toEqual(['unsubscribe']);
  });

  it('sees an address with odd characters as text', async () => {
    const page = await fetch(fixture.unsubscribe("o'neil&co@example.org", emailId));
    expect(await page.text()).toContain('o&#x27;neil&amp;co@example.org');
  });

  it('finds the list’s total right after all of this', async () => {
    const answer = await fixture.server.api('GET', '/suppressions?limit=100', undefined, fixture.org.key);
    expect(answer.body.pagination.total_count).toBe(answer.body.data.length);
  });
});

describe('a send with unsubscribe', () => {
  it.each(['/emails/send', '/emails/batch'])(
    'to %s refuses a List-Unsubscribe of the request’s own',
    async (path) => {
      const headers = {
        'list-unsubscribe': '<https://x.example/u>',
        'List-Unsubscribe-Post': 'x',
        'X-Fine': '1',
      };
      const body =
        path === '/emails/send'
          ? letter(fixture.org, { unsubscribe: true, headers })
          : {
              template_id: 'tmpl_x',
              from: { email: `a@${fixture.org.domain}` },
              recipients: [{ to: { email: 'a@example.org' } }],
              unsubscribe: true,
              headers,
            };
      const answer = await fixture.server.api('POST', path, body, fixture.org.key);
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer)).toEqual(['headers.list-unsubscribe', 'headers.List-Unsubscribe-Post']);
    },
  );
});

describe('an unsubscription from a group', () => {
  const reader = 'reader@example.org';
  const send = (more: object, to = reader) =>
    fixture.server.api(
      'POST',
      '/emails/send',
      letter(fixture.org, { to: [{ email: to }], ...more }),
      fixture.org.key,
    );
  let news: string;
  beforeAll(async () => {
    news = (await send({ unsubscribe_group: 'news' })).body.data.message_id;
    await oneClick(fixture.unsubscribe(reader, news, 'news'));
  });

  it('stops mail of that group, and says so', async () => {
    const refused = await send({ unsubscribe_group: 'news' });
    expect(refused.body.error).toMatchObject({
      code: 'RECIPIENTS_SUPPRESSED',
      details: [{ field: 'to[0].email', message: `${reader} has unsubscribed from the group \`news\`` }],
    });
    expect((await send({ unsubscribe_group: 'news', unsubscribe: false })).status).toBe(400);
  });

  it.each([
    ['a password reset', {}],
    ['another group', { unsubscribe_group: 'offers' }],
    ['a group that only begins alike', { unsubscribe_group: 'news.daily' }],
    ['no named group', { unsubscribe: true }],
  ])('does not stop mail of %s', async (_, more) => {
    expect((await send(more)).status).toBe(201);
  });

  it('of mail without a name stops such mail, and no other', async () => {
    const { message_id: id } = (await send({ unsubscribe: true }, 'plain@example.org')).body.data;
    await oneClick(fixture.unsubscribe('plain@example.org', id));
    expect((await send({ unsubscribe: true }, 'plain@example.org')).status).toBe(400);
    expect((await send({}, 'plain@example.org')).status).toBe(201);
    expect((await send({ unsubscribe_group: 'news' }, 'plain@example.org')).status).toBe(201);
  });

  it('is an event of the email it came from, once', async () => {
    await oneClick(fixture.unsubscribe(reader, news, 'news'));
    const email = await fixture.email(news);
    expect(email.unsubscribe_group).toBe('news');
    const unsubscribes = email.events.filter(({ type }: { type: string }) => type === 'unsubscribed');
    expect(unsubscribes).toMatchObject([{ recipient: reader, reason: null, smtp_code: null }]);
  });

  it('is found by the address, beside what stops all mail, and can be removed alone', async () => {
    const find = async () =>
      (await fixture.server.api('GET', `/suppressions?email=${reader}`, undefined, fixture.org.key)).body
        .data;
    const [entry, ...others] = await find();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ email: reader, reason: 'unsubscribe', unsubscribe_group: 'news' });
    await suppress(reader, 'manual');
    expect(await find()).toMatchObject([{ unsubscribe_group: null }, { unsubscribe_group: 'news' }]);
    await fixture.server.api('DELETE', `/suppressions/${entry.id}`, undefined, fixture.org.key);
    expect(await find()).toMatchObject([{ reason: 'manual' }]);
  });

  it('can be written down by the application, for the reason unsubscribe alone', async () => {
    const add = (reason: string, group: unknown) =>
      fixture.server.api(
        'POST',
        '/suppressions',
        { email: 'prefers@example.org', reason, unsubscribe_group: group },
        fixture.org.key,
      );
    const added = await add('unsubscribe', 'news');
    expect([added.status, added.body.data.unsubscribe_group]).toEqual([201, 'news']);
    expect((await send({ unsubscribe_group: 'news' }, 'prefers@example.org')).status).toBe(400);
    expect((await send({}, 'prefers@example.org')).status).toBe(201);
    expect(fieldsOf(await add('manual', 'news'))).toEqual(['unsubscribe_group']);
    expect(fieldsOf(await add('unsubscribe', 'no spaces'))).toEqual(['unsubscribe_group']);
  });

  it('is what the page says, before and after', async () => {
    const page = await fetch(fixture.unsubscribe('page@example.org', news, 'news'));
    const html = await page.clone().text();
    expect(html).toContain('mail of the kind <strong>news</strong>');
    expect(html).toContain('will still arrive');
    expect(await (await press(page)).text()).toContain('no more mail of the kind <strong>news</strong>');
  });

  it('outlives the email: then there is no event to write', async () => {
    const gone = uuidv7(Date.now() - 10 * 365 * 86_400_000);
    expect((await oneClick(fixture.unsubscribe('late@example.org', gone, 'news'))).status).toBe(200);
    expect(await reasonsOf('late@example.org')).toEqual(['unsubscribe']);
  });
});
