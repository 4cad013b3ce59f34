/** What fetching the pixel does, over HTTP and in the database. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import type { RecipientState } from '../../src/emails/status.ts';
import { pixelUrl } from '../../src/protocols/message/tracking-links.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { countsDiffer } from '../support/counts.ts';
import { READER, TrackingFixture } from './fixture.ts';

let fixture: TrackingFixture;
beforeAll(async () => {
  fixture = await TrackingFixture.start();
});
afterAll(() => fixture.stop());

const allOpens = async () =>
  (
    await fixture.server.db.one(
      adHoc<{ count: number }>(`SELECT count(*) AS count FROM events WHERE type = 'opened'`),
    )
  ).count;

describe('the pixel', () => {
  it('is a gif of 43 bytes that nothing on the way may keep and any page may show', async () => {
    const response = await fixture.open(await fixture.delivered('delivered'));
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
    const id = await fixture.delivered('delivered');
    const response = await fetch(fixture.pixel(id), { method: 'HEAD', headers: { 'user-agent': READER } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('43');
    await fixture.caughtUp();
    expect(await fixture.opens(id)).toEqual([]);
  });

  it('comes for forged, cut and foreign tokens as well, and records nothing for them', async () => {
    const id = await fixture.delivered('delivered');
    const good = fixture.pixel(id);
    const other = await fixture.server.createOrganization('Other');
    const forged = { organizationId: fixture.org.id, emailId: id, position: 0 };
    const urls = [
      good.replace(/.(?=\.gif$)/, (char) => (char === 'A' ? 'B' : 'A')),
      good.replace('.gif', ''),
      `${good}x`,
      `${fixture.server.url}/t/o/`,
      `${fixture.server.url}/t/o/${'x'.repeat(3000)}.gif`,
      pixelUrl({ ...fixture.links(), key: randomBytes(32) }, forged),
      // Signed, but no such delivery: another organization's, a position nobody has, an email that is gone.
      pixelUrl(fixture.links(), { ...forged, organizationId: other.id }),
      pixelUrl(fixture.links(), { ...forged, position: 7 }),
      pixelUrl(fixture.links(), { ...forged, emailId: uuidv7(Date.now()) }),
    ];
    const before = await allOpens();
    for (const url of urls) {
      const response = await fetch(url, { headers: { 'user-agent': READER } });
      expect([response.status, (await response.arrayBuffer()).byteLength], url).toEqual([200, 43]);
    }
    await fixture.caughtUp();
    expect(await allOpens()).toBe(before + 1);
    expect(await fixture.opens(id)).toEqual([]);
  });
});

describe('an open', () => {
  it('becomes an event and the status of recipient and email', async () => {
    const id = await fixture.delivered('delivered', 'delivered');
    await fixture.open(id, 1);
    const [open] = await fixture.opened(id, 1);
    expect(open).toMatchObject({
      recipient: 'r1@example.org',
      machine: false,
      reason: null,
      user_agent: READER,
    });
    const email = await fixture.email(id);
    expect(email.status).toBe('opened');
    expect(email.recipients.map((one: { status: string }) => one.status)).toEqual(['delivered', 'opened']);
  });

  it('is recorded at first, and then once a minute', async () => {
    const id = await fixture.delivered('delivered');
    await fixture.open(id);
    await fixture.opened(id, 1);
    fixture.pass(30_000);
    await fixture.open(id);
    await fixture.caughtUp();
    expect(await fixture.opens(id)).toHaveLength(1);
    fixture.pass(31_000);
    await Promise.all([fixture.open(id), fixture.open(id), fixture.open(id)]);
    await fixture.caughtUp();
    expect(await fixture.opens(id)).toHaveLength(2);
  });

  it.each<[RecipientState[], string]>([
    [['bounced'], 'bounced'],
    [['failed'], 'failed'],
    [['delivered', 'bounced'], 'bounced'],
    [['delivered', 'queued'], 'queued'],
  ])('of the first of %j leaves the email %s', async (states, status) => {
    const id = await fixture.delivered(...states);
    await fixture.open(id);
    await fixture.opened(id, 1);
    const email = await fixture.email(id);
    expect(email.status).toBe(status);
    expect(email.recipients[0].status).toBe(states[0] === 'delivered' ? 'opened' : states[0]);
  });

  it('of a mail whose delivery is not recorded yet counts as soon as it is', async () => {
    const id = await fixture.delivered('queued');
    await fixture.open(id);
    expect(await fixture.opened(id, 1)).toMatchObject([{ machine: true, reason: 'too_soon' }]);
    expect((await fixture.email(id)).status).toBe('queued');
    await fixture.settle(id, ['delivered']);
    expect(await fixture.email(id)).toMatchObject({ status: 'opened', recipients: [{ status: 'opened' }] });
  });

  it('leaves a complaint where it is', async () => {
    const id = await fixture.delivered('delivered');
    await fixture.server.db.exec(
      adHoc(`INSERT INTO events (organization_id, email_id, id, type, position, created_at, recipient)
             VALUES ($1, $2, gen_random_uuid(), 'complained', 0, now(), 'r0@example.org')`),
      [fixture.org.id, id],
    );
    await fixture.open(id);
    await fixture.opened(id, 1);
    const { status, events } = await fixture.email(id);
    expect(status).toBe('opened');
    expect(events.map((event: { type: string }) => event.type)).toContain('complained');
  });

  it('never lets the counters differ from a full count', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        fixture.delivered('delivered', i % 3 === 0 ? 'bounced' : 'delivered'),
      ),
    );
    await Promise.all(ids.flatMap((id) => [fixture.open(id), fixture.open(id, 1), fixture.open(id)]));
    await Promise.all(ids.map((id) => fixture.opened(id, 2)));
    expect(await countsDiffer(fixture.server.db)).toEqual([]);
  });
});

describe('a machine’s open', () => {
  it.each([
    [{ 'user-agent': 'Mozilla/5.0' }, 'apple_privacy'],
    [{ 'user-agent': 'curl/8.5.0' }, 'bot'],
    [{ 'sec-fetch-site': 'same-origin' }, 'preview'],
    [{ 'sec-purpose': 'prefetch' }, 'prefetch'],
  ])('with %j is marked, with the reason %s', async (headers, reason) => {
    const id = await fixture.delivered('delivered');
    await fixture.open(id, 0, headers);
    expect(await fixture.opened(id, 1)).toMatchObject([{ machine: true, reason }]);
    expect((await fixture.email(id)).status).toBe('opened');
  });

  it('is one that comes right after the delivery', async () => {
    const id = await fixture.delivered('delivered');
    await fixture.settle(id, ['delivered']);
    await fixture.open(id);
    expect(await fixture.opened(id, 1)).toMatchObject([{ machine: true, reason: 'too_soon' }]);
  });

  it('does not swallow the person who opens within the same minute', async () => {
    const id = await fixture.delivered('delivered');
    await fixture.open(id, 0, { 'user-agent': 'Mozilla/5.0' });
    await fixture.opened(id, 1);
    fixture.pass(5_000);
    await fixture.open(id);
    const opens = await fixture.opened(id, 2);
    expect(opens.map((open) => open.machine)).toEqual([true, false]);
    await fixture.open(id, 0, { 'user-agent': 'Mozilla/5.0' });
    await fixture.open(id);
    await fixture.caughtUp();
    expect(await fixture.opens(id)).toHaveLength(2);
  });
});
