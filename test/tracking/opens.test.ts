/** What fetching the pixel does, over HTTP and in the database. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import type { RecipientState } from '../../src/emails/status.ts';
import { pixelUrl } from '../../src/protocols/message/tracking-links.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { countsDiffer } from '../support/counts.ts';
import { READER, TrackingWorld } from './world.ts';

let world: TrackingWorld;
beforeAll(async () => {
  world = await TrackingWorld.start();
});
afterAll(() => world.stop());

const allOpens = async () =>
  (
    await world.server.db.one(
      adHoc<{ count: number }>(`SELECT count(*) AS count FROM events WHERE type = 'opened'`),
    )
  ).count;

describe('the pixel', () => {
  it('is a gif of 43 bytes that nothing on the way may keep and any page may show', async () => {
    const response = await world.open(await world.delivered('delivered'));
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).toString('latin1')).toMatch(
      /^GIF89a\x01\x00\x01\x00.{33}$/s,
    );
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-type': 'image/gif',
      'content-length': '43',
      pragma: 'no-cache',
      expires: '0',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(headers['cache-control']).toContain('no-store');
    expect(headers).not.toHaveProperty('etag');
  });

  it('can be asked about with HEAD, which opens nothing', async () => {
    const id = await world.delivered('delivered');
    const response = await fetch(world.pixel(id), { method: 'HEAD', headers: { 'user-agent': READER } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('43');
    await world.caughtUp();
    expect(await world.opens(id)).toEqual([]);
  });

  it('comes for forged, cut and foreign tokens as well, and records nothing for them', async () => {
    const id = await world.delivered('delivered');
    const good = world.pixel(id);
    const other = await world.server.createOrganization('Other');
    const forged = { organizationId: world.org.id, emailId: id, position: 0 };
    const urls = [
      good.replace(/.(?=\.gif$)/, (char) => (char === 'A' ? 'B' : 'A')),
      good.replace('.gif', ''),
      `${good}x`,
      `${world.server.url}/t/o/`,
      `${world.server.url}/t/o/${'x'.repeat(3000)}.gif`,
      pixelUrl({ ...world.links(), key: randomBytes(32) }, forged),
      // Signed, but no such delivery: another organization's, a position nobody has, an email that is gone.
      pixelUrl(world.links(), { ...forged, organizationId: other.id }),
      pixelUrl(world.links(), { ...forged, position: 7 }),
      pixelUrl(world.links(), { ...forged, emailId: uuidv7(Date.now()) }),
    ];
    const before = await allOpens();
    for (const url of urls) {
      const response = await fetch(url, { headers: { 'user-agent': READER } });
      expect([response.status, (await response.arrayBuffer()).byteLength], url).toEqual([200, 43]);
    }
    await world.caughtUp();
    expect(await allOpens()).toBe(before + 1);
    expect(await world.opens(id)).toEqual([]);
  });
});

describe('an open', () => {
  it('becomes an event and the status of recipient and email', async () => {
    const id = await world.delivered('delivered', 'delivered');
    await world.open(id, 1);
    const [open] = await world.opened(id, 1);
    expect(open).toMatchObject({
      recipient: 'r1@example.org',
      machine: false,
      reason: null,
      user_agent: READER,
    });
    const email = await world.email(id);
    expect(email.status).toBe('opened');
    expect(email.recipients.map((one: { status: string }) => one.status)).toEqual(['delivered', 'opened']);
  });

  it('is recorded at first, and then once a minute', async () => {
    const id = await world.delivered('delivered');
    await world.open(id);
    await world.opened(id, 1);
    world.pass(30_000);
    await world.open(id);
    await world.caughtUp();
    expect(await world.opens(id)).toHaveLength(1);
    world.pass(31_000);
    await Promise.all([world.open(id), world.open(id), world.open(id)]);
    await world.caughtUp();
    expect(await world.opens(id)).toHaveLength(2);
  });

  it.each<[RecipientState[], string]>([
    [['bounced'], 'bounced'],
    [['failed'], 'failed'],
    [['delivered', 'bounced'], 'bounced'],
    [['delivered', 'queued'], 'queued'],
  ])('of the first of %j leaves the email %s', async (states, status) => {
    const id = await world.delivered(...states);
    await world.open(id);
    await world.opened(id, 1);
    const email = await world.email(id);
    expect(email.status).toBe(status);
    expect(email.recipients[0].status).toBe(states[0] === 'delivered' ? 'opened' : states[0]);
  });

  it('of a mail whose delivery is not recorded yet counts as soon as it is', async () => {
    const id = await world.delivered('queued');
    await world.open(id);
    expect(await world.opened(id, 1)).toMatchObject([{ machine: true, reason: 'too_soon' }]);
    expect((await world.email(id)).status).toBe('queued');
    await world.settle(id, ['delivered']);
    expect(await world.email(id)).toMatchObject({ status: 'opened', recipients: [{ status: 'opened' }] });
  });

  it('leaves a complaint where it is', async () => {
    const id = await world.delivered('delivered');
    await world.server.db.exec(
      adHoc(`INSERT INTO events (organization_id, email_id, id, type, position, created_at, recipient)
             VALUES ($1, $2, gen_random_uuid(), 'complained', 0, now(), 'r0@example.org')`),
      [world.org.id, id],
    );
    await world.open(id);
    await world.opened(id, 1);
    const { status, events } = await world.email(id);
    expect(status).toBe('opened');
    expect(events.map((event: { type: string }) => event.type)).toContain('complained');
  });

  it('never lets the counters differ from a full count', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        world.delivered('delivered', i % 3 === 0 ? 'bounced' : 'delivered'),
      ),
    );
    await Promise.all(ids.flatMap((id) => [world.open(id), world.open(id, 1), world.open(id)]));
    await Promise.all(ids.map((id) => world.opened(id, 2)));
    expect(await countsDiffer(world.server.db)).toEqual([]);
  });
});

describe('a machine’s open', () => {
  it.each([
    [{ 'user-agent': 'Mozilla/5.0' }, 'apple_privacy'],
    [{ 'user-agent': 'curl/8.5.0' }, 'bot'],
    [{ 'sec-fetch-site': 'same-origin' }, 'preview'],
    [{ 'sec-purpose': 'prefetch' }, 'prefetch'],
  ])('with %j is marked, with the reason %s', async (headers, reason) => {
    const id = await world.delivered('delivered');
    await world.open(id, 0, headers);
    expect(await world.opened(id, 1)).toMatchObject([{ machine: true, reason }]);
    expect((await world.email(id)).status).toBe('opened');
  });

  it('is one that comes right after the delivery', async () => {
    const id = await world.delivered('delivered');
    await world.settle(id, ['delivered']);
    await world.open(id);
    expect(await world.opened(id, 1)).toMatchObject([{ machine: true, reason: 'too_soon' }]);
  });

  it('does not swallow the person who opens within the same minute', async () => {
    const id = await world.delivered('delivered');
    await world.open(id, 0, { 'user-agent': 'Mozilla/5.0' });
    await world.opened(id, 1);
    world.pass(5_000);
    await world.open(id);
    const opens = await world.opened(id, 2);
    expect(opens.map((open) => open.machine)).toEqual([true, false]);
    await world.open(id, 0, { 'user-agent': 'Mozilla/5.0' });
    await world.open(id);
    await world.caughtUp();
    expect(await world.opens(id)).toHaveLength(2);
  });
});
