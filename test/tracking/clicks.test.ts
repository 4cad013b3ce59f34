/** What following a tracked link does, over HTTP and in the database. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { clickRedirect } from '../../src/protocols/message/tracking-links.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { countsDiffer } from '../support/counts.ts';
import { READER, TrackingWorld } from './world.ts';

let world: TrackingWorld;
beforeAll(async () => {
  world = await TrackingWorld.start();
});
afterAll(() => world.stop());

const SHOP = 'https://shop.example/basket?id=7&x=%2F%zz&q="<script>\'\\#top';
const OTHER = 'http://shop.example:8080/';

const allClicks = async () =>
  (
    await world.server.db.one(
      adHoc<{ count: number }>(`SELECT count(*) AS count FROM events WHERE type = 'clicked'`),
    )
  ).count;

describe('a tracked link', () => {
  it('leads to exactly the address that it had, and nothing on the way may keep that', async () => {
    const response = await world.click(await world.delivered('delivered'), SHOP);
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(SHOP);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await response.text()).toBe('');
  });

  it('can be asked about with HEAD, which follows nothing', async () => {
    const id = await world.delivered('delivered');
    const head = await fetch(world.link(id, SHOP), {
      method: 'HEAD',
      headers: { 'user-agent': READER },
      redirect: 'manual',
    });
    expect([head.status, head.headers.get('location')]).toEqual([302, SHOP]);
    await world.clicksCaughtUp();
    expect(await world.clicks(id)).toEqual([]);
  });

  it('works with what mail clients add to it in plain text', async () => {
    const id = await world.delivered('delivered');
    for (const end of [').', '?utm_source=x', '%3E']) {
      const response = await fetch(`${world.link(id, SHOP)}${end}`, { redirect: 'manual' });
      expect(response.headers.get('location'), end).toBe(SHOP);
    }
  });

  it('leads nowhere when it is forged, cut, or made for something else', async () => {
    const id = await world.delivered('delivered');
    const good = world.link(id, SHOP);
    const ref = { organizationId: world.org.id, emailId: id, position: 0 };
    const strange = { ...world.links(), key: randomBytes(32) };
    const open = world.pixel(id).replace('/t/o/', '/t/c/').replace('.gif', '');
    const urls = [
      good.slice(0, -1),
      good.replace(/\/t\/c\/./, (start) => start.slice(0, -1) + (start.endsWith('A') ? 'B' : 'A')),
      good.replace(/.$/, (char) => (char === 'A' ? 'B' : 'A')),
      `${world.server.url}/t/c/`,
      `${world.server.url}/t/c/https://evil.example/`,
      `${world.server.url}/t/c/${'x'.repeat(5_000)}`,
      `${world.server.url}/t/c/${Buffer.from(SHOP).toString('base64url')}`,
      clickRedirect(strange, ref, null)(SHOP) ?? '',
      open,
      open + Buffer.from('https://evil.example/').toString('base64url'),
      world.unsubscribe('r0@example.org', id).replace('/u/', '/t/c/'),
    ];
    await world.clicksCaughtUp();
    const before = await allClicks();
    for (const url of urls) {
      const response = await fetch(url, { headers: { 'user-agent': READER }, redirect: 'manual' });
      expect([response.status, response.headers.get('location')], url).toEqual([404, null]);
      expect(response.headers.get('content-type')).toContain('text/html');
      const page = await response.text();
      expect(page).toContain('This link does not lead anywhere');
      expect(page).not.toContain('evil.example');
    }
    await world.clicksCaughtUp();
    expect(await allClicks()).toBe(before + 1);
    expect((await fetch(good.replace('/t/c/', '/u/'))).status).toBe(404);
  });

  it('still leads there when the email is gone, and records nothing', async () => {
    const gone = uuidv7(Date.now());
    await world.clicksCaughtUp();
    const before = await allClicks();
    expect((await world.click(gone, SHOP)).headers.get('location')).toBe(SHOP);
    await world.clicksCaughtUp();
    expect(await allClicks()).toBe(before + 1);
  });
});

describe('a click', () => {
  it('becomes an event with the link, and makes recipient and email opened', async () => {
    const id = await world.delivered('delivered', 'delivered');
    await world.click(id, SHOP, { position: 1 });
    const [click] = await world.clicked(id, 1);
    expect(click).toMatchObject({
      recipient: 'r1@example.org',
      url: SHOP,
      machine: false,
      reason: null,
      user_agent: READER,
    });
    const email = await world.email(id);
    expect(email.status).toBe('opened');
    expect(email.recipients.map((one: { status: string }) => one.status)).toEqual(['delivered', 'opened']);
    expect(await countsDiffer(world.server.db)).toEqual([]);
  });

  it('is recorded at first for every link, and then once a minute', async () => {
    const id = await world.delivered('delivered');
    await world.click(id, SHOP);
    await world.clicked(id, 1);
    world.pass(30_000);
    await world.click(id, SHOP);
    await world.click(id, OTHER);
    await world.clicked(id, 2);
    expect((await world.clicks(id)).map(({ url }) => url)).toEqual([SHOP, OTHER]);
    world.pass(31_000);
    await Promise.all([world.click(id, SHOP), world.click(id, SHOP)]);
    await world.clicked(id, 3);
    expect(await world.clicks(id)).toHaveLength(3);
  });

  it('leaves a recipient that bounced as it is', async () => {
    const id = await world.delivered('bounced');
    await world.click(id, SHOP);
    await world.clicked(id, 1);
    expect(await world.email(id)).toMatchObject({ status: 'bounced', recipients: [{ status: 'bounced' }] });
  });

  it('counts a recipient once, however many links are followed', async () => {
    const before = await statsOf();
    const id = await world.delivered('delivered', 'delivered');
    await world.click(id, SHOP);
    await world.clicked(id, 1);
    world.pass(5_000);
    await world.click(id, OTHER);
    await world.click(id, OTHER, { position: 1 });
    await world.clicked(id, 3);
    expect((await statsOf()) - before).toBe(2);
  });

  it('is not seen by another organization', async () => {
    const id = await world.delivered('delivered');
    await world.click(id, SHOP);
    await world.clicked(id, 1);
    const other = await world.server.createOrganization('Other');
    const seen = await world.server.api('GET', '/events?type=clicked', undefined, other.key);
    expect(seen.body.data).toEqual([]);
    const own = await world.server.api('GET', '/events?type=clicked', undefined, world.org.key);
    expect(own.body.data[0]).toMatchObject({ email_id: id, url: SHOP });
  });

  it('signed for another organization than the email’s is nobody’s', async () => {
    const id = await world.delivered('delivered');
    const other = await world.server.createOrganization('Other');
    const ref = { organizationId: other.id, emailId: id, position: 0 };
    await fetch(clickRedirect(world.links(), ref, null)(SHOP) ?? '', { redirect: 'manual' });
    await world.clicksCaughtUp();
    expect(await world.clicks(id)).toEqual([]);
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
    const id = await world.delivered('delivered');
    await world.click(id, SHOP, headers);
    expect(await world.clicked(id, 1)).toMatchObject([{ machine: true, reason }]);
    expect((await world.email(id)).status).toBe('delivered');
  });

  it('is one that comes right after the delivery', async () => {
    const id = await world.delivered('delivered');
    await world.settle(id, ['delivered']);
    await world.click(id, SHOP);
    expect(await world.clicked(id, 1)).toMatchObject([{ machine: true, reason: 'too_soon' }]);
  });

  it('is one of several links that are followed at once', async () => {
    const id = await world.delivered('delivered');
    const links = [1, 2, 3].map((number) => `https://shop.example/${number}`);
    await Promise.all(links.map((url) => world.click(id, url)));
    const clicks = await world.clicked(id, 3);
    expect(clicks.map(({ reason }) => reason)).toEqual(['many_links', 'many_links', 'many_links']);
    expect((await world.email(id)).status).toBe('delivered');
  });

  it('does not swallow the person who follows the link within the same minute', async () => {
    const id = await world.delivered('delivered');
    await world.click(id, SHOP, { 'user-agent': 'curl/8.5.0' });
    await world.clicked(id, 1);
    world.pass(5_000);
    await world.click(id, SHOP);
    const clicks = await world.clicked(id, 2);
    expect(clicks.map(({ machine }) => machine)).toEqual([true, false]);
  });
});

async function statsOf(): Promise<number> {
  const { body } = await world.server.api('GET', '/stats?range=24h', undefined, world.org.key);
  return body.data.totals.clicked;
}
