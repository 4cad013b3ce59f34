/** What following a tracked link does, over HTTP and in the database. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { clickRedirect } from '../../src/protocols/message/tracking-links.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { countsDiffer } from '../support/counts.ts';
import { READER, TrackingFixture } from './fixture.ts';

let fixture: TrackingFixture;
beforeAll(async () => {
  fixture = await TrackingFixture.start();
});
afterAll(() => fixture.stop());

const SHOP = 'https://shop.example/basket?id=7&x=%2F%zz&q="<script>\'\\#top';
const OTHER = 'http://shop.example:8080/';

const allClicks = async () =>
  (
    await fixture.server.db.one(
      adHoc<{ count: number }>(`SELECT count(*) AS count FROM events WHERE type = 'clicked'`),
    )
  ).count;

describe('a tracked link', () => {
  it('leads to exactly the address that it had, and nothing on the way may keep that', async () => {
    const response = await fixture.click(await fixture.delivered('delivered'), SHOP);
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(SHOP);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await response.text()).toBe('');
  });

  it('can be asked about with HEAD, which follows nothing', async () => {
    const id = await fixture.delivered('delivered');
    const head = await fetch(fixture.link(id, SHOP), {
      method: 'HEAD',
      headers: { 'user-agent': READER },
      redirect: 'manual',
    });
    expect([head.status, head.headers.get('location')]).toEqual([302, SHOP]);
    await fixture.clicksCaughtUp();
    expect(await fixture.clicks(id)).toEqual([]);
  });

  it('works with what mail clients add to it in plain text', async () => {
    const id = await fixture.delivered('delivered');
    for (const end of [').', '?utm_source=x', '%3E']) {
      const response = await fetch(`${fixture.link(id, SHOP)}${end}`, { redirect: 'manual' });
      expect(response.headers.get('location'), end).toBe(SHOP);
    }
  });

  it('leads nowhere when it is forged, cut, or made for something else', async () => {
    const id = await fixture.delivered('delivered');
    const good = fixture.link(id, SHOP);
    const ref = { organizationId: fixture.org.id, emailId: id, position: 0 };
    const strange = { ...fixture.links(), key: randomBytes(32) };
    const open = fixture.pixel(id).replace('/t/o/', '/t/c/').replace('.gif', '');
    const urls = [
      good.slice(0, -1),
      good.replace(/\/t\/c\/./, (start) => start.slice(0, -1) + (start.endsWith('A') ? 'B' : 'A')),
      good.replace(/.$/, (char) => (char === 'A' ? 'B' : 'A')),
      `${fixture.server.url}/t/c/`,
      `${fixture.server.url}/t/c/https://evil.example/`,
      `${fixture.server.url}/t/c/${'x'.repeat(5_000)}`,
      `${fixture.server.url}/t/c/${Buffer.from(SHOP).toString('base64url')}`,
      clickRedirect(strange, ref, null)(SHOP) ?? '',
      open,
      open + Buffer.from('https://evil.example/').toString('base64url'),
      fixture.unsubscribe('r0@example.org', id).replace('/u/', '/t/c/'),
    ];
    await fixture.clicksCaughtUp();
    const before = await allClicks();
    for (const url of urls) {
      const response = await fetch(url, { headers: { 'user-agent': READER }, redirect: 'manual' });
      expect([response.status, response.headers.get('location')], url).toEqual([404, null]);
      expect(response.headers.get('content-type')).toContain('text/html');
      const page = await response.text();
      expect(page).toContain('This link does not lead anywhere');
      expect(page).not.toContain('evil.example');
    }
    await fixture.clicksCaughtUp();
    expect(await allClicks()).toBe(before + 1);
    expect((await fetch(good.replace('/t/c/', '/u/'))).status).toBe(404);
  });

  it('still leads there when the email is gone, and records nothing', async () => {
    const gone = uuidv7(Date.now());
    await fixture.clicksCaughtUp();
    const before = await allClicks();
    expect((await fixture.click(gone, SHOP)).headers.get('location')).toBe(SHOP);
    await fixture.clicksCaughtUp();
    expect(await allClicks()).toBe(before + 1);
  });
});

describe('a click', () => {
  it('becomes an event with the link, and makes recipient and email opened', async () => {
    const id = await fixture.delivered('delivered', 'delivered');
    await fixture.click(id, SHOP, { position: 1 });
    const [click] = await fixture.clicked(id, 1);
    expect(click).toMatchObject({
      recipient: 'r1@example.org',
      url: SHOP,
      machine: false,
      reason: null,
      user_agent: READER,
    });
    const email = await fixture.email(id);
    expect(email.status).toBe('opened');
    expect(email.recipients.map((one: { status: string }) => one.status)).toEqual(['delivered', 'opened']);
    expect(await countsDiffer(fixture.server.db)).toEqual([]);
  });

  it('is recorded at first for every link, and then once a minute', async () => {
    const id = await fixture.delivered('delivered');
    await fixture.click(id, SHOP);
    await fixture.clicked(id, 1);
    fixture.pass(30_000);
    await fixture.click(id, SHOP);
    await fixture.click(id, OTHER);
    await fixture.clicked(id, 2);
    expect((await fixture.clicks(id)).map(({ url }) => url)).toEqual([SHOP, OTHER]);
    fixture.pass(31_000);
    await Promise.all([fixture.click(id, SHOP), fixture.click(id, SHOP)]);
    await fixture.clicked(id, 3);
    expect(await fixture.clicks(id)).toHaveLength(3);
  });

  it('leaves a recipient that bounced as it is', async () => {
    const id = await fixture.delivered('bounced');
    await fixture.click(id, SHOP);
    await fixture.clicked(id, 1);
    expect(await fixture.email(id)).toMatchObject({ status: 'bounced', recipients: [{ status: 'bounced' }] });
  });

  it('counts a recipient once, however many links are followed', async () => {
    const before = await statsOf();
    const id = await fixture.delivered('delivered', 'delivered');
    await fixture.click(id, SHOP);
    await fixture.clicked(id, 1);
    fixture.pass(5_000);
    await fixture.click(id, OTHER);
    await fixture.click(id, OTHER, { position: 1 });
    await fixture.clicked(id, 3);
    expect((await statsOf()) - before).toBe(2);
  });

  it('is not seen by another organization', async () => {
    const id = await fixture.delivered('delivered');
    await fixture.click(id, SHOP);
    await fixture.clicked(id, 1);
    const other = await fixture.server.createOrganization('Other');
    const seen = await fixture.server.api('GET', '/events?type=clicked', undefined, other.key);
    expect(seen.body.data).toEqual([]);
    const own = await fixture.server.api('GET', '/events?type=clicked', undefined, fixture.org.key);
    expect(own.body.data[0]).toMatchObject({ email_id: id, url: SHOP });
  });

  it('signed for another organization than the email’s is nobody’s', async () => {
    const id = await fixture.delivered('delivered');
    const other = await fixture.server.createOrganization('Other');
    const ref = { organizationId: other.id, emailId: id, position: 0 };
    await fetch(clickRedirect(fixture.links(), ref, null)(SHOP) ?? '', { redirect: 'manual' });
    await fixture.clicksCaughtUp();
    expect(await fixture.clicks(id)).toEqual([]);
  });
});

describe('a machine’s click', () => {
  it.each([
    [{ 'user-agent': 'curl/8.5.0' }, 'bot'],
    [{ 'user-agent': 'Mozilla/5.0' }, 'bot'],
    [{ 'user-agent': 'Barracuda Sentinel (EE)' }, 'scanner'],
    [{ 'sec-fetch-site': 'same-origin' }, 'preview'],
    [{ 'sec-purpose': 'prefetch' }, 'prefetch'],
  ])('with %j is marked, with the reason %s, and opens nothing', async (headers, reason) => {
    const id = await fixture.delivered('delivered');
    await fixture.click(id, SHOP, headers);
    expect(await fixture.clicked(id, 1)).toMatchObject([{ machine: true, reason }]);
    expect((await fixture.email(id)).status).toBe('delivered');
  });

  it('is one that comes right after the delivery', async () => {
    const id = await fixture.delivered('delivered');
    await fixture.settle(id, ['delivered']);
    await fixture.click(id, SHOP);
    expect(await fixture.clicked(id, 1)).toMatchObject([{ machine: true, reason: 'too_soon' }]);
  });

  it('is one of several links that are followed at once', async () => {
    const id = await fixture.delivered('delivered');
    const links = [1, 2, 3].map((number) => `https://shop.example/${number}`);
    await Promise.all(links.map((url) => fixture.click(id, url)));
    const clicks = await fixture.clicked(id, 3);
    expect(clicks.map(({ reason }) => reason)).toEqual(['many_links', 'many_links', 'many_links']);
    expect((await fixture.email(id)).status).toBe('delivered');
  });

  it('does not swallow the person who follows the link within the same minute', async () => {
    const id = await fixture.delivered('delivered');
    await fixture.click(id, SHOP, { 'user-agent': 'curl/8.5.0' });
    await fixture.clicked(id, 1);
    fixture.pass(5_000);
    await fixture.click(id, SHOP);
    const clicks = await fixture.clicked(id, 2);
    expect(clicks.map(({ machine }) => machine)).toEqual([true, false]);
  });
});

async function statsOf(): Promise<number> {
  const { body } = await fixture.server.api('GET', '/stats?range=24h', undefined, fixture.org.key);
  return body.data.totals.clicked;
}
