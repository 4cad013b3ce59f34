/** Delivery statistics from the counters. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CountedNames } from '../../src/counters/counted-names.ts';
import {
  type CountedDelivery,
  countDeliveries,
  type DeliveryLabels,
  removeOldDeliveryCounts,
} from '../../src/counters/delivery-counts.ts';
import { adHoc } from '../../src/database/sql.ts';
import { register } from '../../src/outbox/lease.ts';
import { HOUR_MS } from '../../src/runtime/durations.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { seedMail } from '../support/seed-mail.ts';

const NOW = Date.parse('2029-05-10T12:30:00Z');
const clock = { ms: NOW, nowMs: () => clock.ms };
let server: TestApi;
let org: TestOrganization;

const LABELS: DeliveryLabels = {
  site: { name: 'google', provider: 'google' },
  fromDomain: 'shop.example',
  templateId: null,
  tags: [{ name: 'kind', value: 'receipt' }],
  stream: null,
  sinceMs: null,
};

function delivery(
  outcome: CountedDelivery['outcome'],
  labels: Partial<DeliveryLabels> | null = {},
  more: Partial<CountedDelivery> = {},
): CountedDelivery {
  const about = labels === null ? null : { ...LABELS, ...labels };
  return { organizationId: org.id, atMs: NOW, isFirst: true, outcome, reason: null, labels: about, ...more };
}

const count = (deliveries: readonly CountedDelivery[], names = new CountedNames()) =>
  server.db.transaction((tx) => countDeliveries(tx, deliveries, names));

const read = async (query = '', key = org.key) =>
  (await server.api('GET', `/stats/deliverability${query}`, undefined, key)).body.data;

type Group = { name: string; sent: number; trend: { sent: number[] } };
const names = (groups: readonly Group[]) => groups.map(({ name, sent }) => [name, sent]);

beforeAll(async () => {
  server = await startApi({ clock });
  org = await server.createOrganization();
  const template = { name: 'Welcome', subject: 'Hi', html: '<p>Hi</p>' };
  const made = await server.api('POST', '/templates', template, org.key);
  const mx = { name: 'mx.acme.example', provider: 'other' };
  await count([
    delivery('delivered', { sinceMs: NOW - 400 }),
    delivery('delivered', { sinceMs: NOW - 400 }),
    delivery(
      'delivered',
      { sinceMs: NOW - 3 * HOUR_MS - 90_000, templateId: made.body.data.id },
      { atMs: NOW - 3 * HOUR_MS },
    ),
    delivery('deferred', { site: mx }, { reason: 'greylisted' }),
    delivery('delivered', { site: mx, sinceMs: NOW - 60_000 }, { isFirst: false }),
    delivery('bounced', { site: mx, tags: null }, { reason: 'mailbox_unknown' }),
    delivery('failed', { fromDomain: 'other.example', tags: null }, { reason: 'lifetime_exceeded' }),
    // Two days ago.
    delivery('delivered', {}, { atMs: NOW - 48 * HOUR_MS }),
  ]);
  // An outcome from a journal has no labels.
  await count([delivery('delivered', null)]);
});
afterAll(() => server.stop());

describe('deliverability', () => {
  it('is told by the provider, or by the mail hosts of those without one, the most first', async () => {
    const { groups, by, range, interval } = await read();
    expect({ by, range, interval }).toEqual({ by: 'provider', range: '24h', interval: 'hour' });
    expect(groups.map(({ trend: _, ...group }: Group) => group)).toEqual([
      {
        name: 'google',
        label: null,
        sent: 4,
        delivered: 3,
        deferred: 0,
        bounced: 0,
        failed: 1,
        complained: 0,
        rates: { delivered: 0.75, bounced: 0, deferred: 0, complained: 0 },
        p50_seconds: expect.closeTo(0.44, 1),
        p95_seconds: expect.closeTo(111, 0),
      },
      {
        name: 'mx.acme.example',
        label: null,
        sent: 2,
        delivered: 1,
        deferred: 1,
        bounced: 1,
        failed: 0,
        complained: 0,
        rates: { delivered: 0.5, bounced: 0.5, deferred: 0.3333, complained: 0 },
        p50_seconds: expect.closeTo(45, 0),
        p95_seconds: expect.closeTo(58.5, 0),
      },
      expect.objectContaining({ name: '', sent: 1, delivered: 1, p50_seconds: null }),
    ]);
  });

  it.each([
    [
      'domain',
      [
        ['shop.example', 5],
        ['other.example', 1],
        ['', 1],
      ],
    ],
    ['tag', [['kind:receipt', 4]]],
    [
      'stream',
      [
        ['transactional', 6],
        ['', 1],
      ],
    ],
    [
      'reason',
      [
        ['greylisted', 0],
        ['lifetime_exceeded', 0],
        ['mailbox_unknown', 0],
      ],
    ],
  ])('is told by %s', async (by, expected) => {
    expect(names((await read(`?by=${by}`)).groups)).toEqual(expected);
  });

  it('is told by template, with what it is called', async () => {
    const { groups } = await read('?by=template');
    expect(groups).toMatchObject([{ label: 'Welcome', sent: 1, delivered: 1 }]);
  });

  it('is told by stream, and not by what may be an address', async () => {
    const streams = await server.createOrganization('Streams');
    await count(
      ['broadcast', 'broadcast', 'ada@example.org'].map((stream) =>
        delivery('delivered', { stream }, { organizationId: streams.id }),
      ),
    );
    expect(names((await read('?by=stream', streams.key)).groups)).toEqual([
      ['broadcast', 2],
      ['', 1],
    ]);
  });

  it('has the sums of all mail, whatever it is grouped by, without gaps in time', async () => {
    const { totals, series } = await read('?by=tag');
    expect(totals).toMatchObject({ sent: 7, delivered: 5, deferred: 1, bounced: 1, failed: 1 });
    expect(totals.rates.delivered).toBe(0.7143);
    expect(series).toHaveLength(24);
    expect(series.at(-1)).toMatchObject({ at: '2029-05-10T12:00:00.000Z', sent: 6, delivered: 4 });
    expect(series.at(-4)).toMatchObject({ at: '2029-05-10T09:00:00.000Z', sent: 1, delivered: 1 });
  });

  it('has a trend with a number for each point', async () => {
    const { groups, series } = await read('?range=7d');
    expect(groups[0].trend.sent).toEqual([0, 0, 0, 0, 1, 0, 4]);
    expect(series.map(({ sent }: { sent: number }) => sent)).toEqual([0, 0, 0, 0, 1, 0, 7]);
  });

  it('counts no more names apart than are bounded, and the others together', async () => {
    const many = await server.createOrganization('Many');
    const tags = (n: number) => [{ name: 'order', value: String(n) }];
    await count(
      Array.from({ length: 80 }, (_, n) =>
        delivery('delivered', { tags: tags(n) }, { organizationId: many.id }),
      ),
    );
    const { groups, totals } = await read('?by=tag', many.key);
    expect(groups).toHaveLength(51);
    expect(groups.at(-1)).toMatchObject({ name: '', sent: 30 });
    expect(totals.sent).toBe(80);
  });

  it('is empty where nothing was sent, and of nobody else', async () => {
    const stranger = await server.createOrganization('Stranger');
    const { groups, totals } = await read('', stranger.key);
    expect(groups).toEqual([]);
    expect(totals).toMatchObject({ sent: 0, rates: { delivered: null }, p50_seconds: null });
  });

  it('adds up what several workers count at once', async () => {
    const busy = await server.createOrganization('Busy');
    const one = delivery('delivered', { sinceMs: NOW - 400 }, { organizationId: busy.id });
    const two = delivery('bounced', { fromDomain: 'a.example' }, { organizationId: busy.id, reason: 'x' });
    await Promise.all(Array.from({ length: 20 }, (_, n) => count(n % 2 === 0 ? [one, two] : [two, one])));
    const { totals } = await read('', busy.key);
    expect(totals).toMatchObject({ sent: 40, delivered: 20, bounced: 20, p50_seconds: 0.375 });
  });

  it('forgets hours that nobody is shown any more', async () => {
    await removeOldDeliveryCounts(server.db, NOW + 39 * 24 * HOUR_MS);
    expect((await read('?range=7d')).totals.sent).toBe(7);
  });
});

describe('workers', () => {
  it('are told with their heartbeat, and where they run to nobody but operators', async () => {
    clock.ms = Date.now();
    await register(server.db, { host: 'mail-1', machine: 'm', pid: 4711 });
    await server.db.exec(
      adHoc(
        `INSERT INTO workers (host, machine, pid, heartbeat_at) VALUES ('mail-2', 'm', 2, now() - interval '1 min')`,
      ),
    );
    const { body } = await server.api('GET', '/stats/workers', undefined, org.key);
    expect(body.data).toMatchObject([
      { host: null, pid: null, alive: true },
      { host: null, pid: null, alive: false },
    ]);
    expect(body.data[1].heartbeat_age_seconds).toBeGreaterThanOrEqual(60);
  });

  it('are missed within seconds when mail is due, in the numbers for monitoring', async () => {
    const numbers = async () => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      const of = (name: string) => Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1]);
      return { alive: of('postrider_workers_alive'), seconds: of('postrider_undelivered_seconds') };
    };
    expect(await numbers()).toEqual({ alive: 1, seconds: 0 });
    await server.db.exec(adHoc('DELETE FROM workers'));
    expect(await numbers()).toEqual({ alive: 0, seconds: 0 });
    await seedMail(server.db, { organizationId: org.id, domain: 'a.example', count: 1, dueInMs: -30_000 });
    expect((await numbers()).seconds).toBeGreaterThanOrEqual(30);
    const { items } = (await server.api('GET', '/stats/attention', undefined, org.key)).body.data;
    expect(items).toContainEqual(expect.objectContaining({ kind: 'nobody_delivers', severity: 'critical' }));
  });
});
