import { describe, expect, it } from 'vitest';
import type { Lane } from '../../outbox/lanes.ts';
import { FairQueue, MAX_LANES, type SiteWant } from './fair-queue.ts';
import { fixedPolicy, type Site } from './site.ts';

const site = (name: string): Site => ({
  kind: 'hosts',
  name,
  provider: 'other',
  policy: fixedPolicy(10, 'learning'),
});
const [GOOGLE, SMALL] = [site('google'), site('small')];
const lane = (organizationId: string, domain = 'gmail.test', priority = 1): Lane => ({
  domain,
  organizationId,
  priority,
});

function sums(wants: readonly SiteWant[], by: (want: SiteWant) => string): Record<string, number> {
  const result: Record<string, number> = {};
  for (const want of wants) result[by(want)] = (result[by(want)] ?? 0) + want.room;
  return result;
}
const byOrganization = (want: SiteWant) => want.organizationId;
const bySite = (want: SiteWant) => want.site.name;

describe('organizations', () => {
  it('get even shares of what a site can take', () => {
    const queue = new FairQueue();
    for (const org of ['a', 'b', 'c']) queue.add(lane(org), GOOGLE);
    expect(
      sums(
        queue.wants(100, () => 9),
        byOrganization,
      ),
    ).toEqual({ a: 3, b: 3, c: 3 });
  });

  it('get no larger share by sending to many domains of the site', () => {
    const queue = new FairQueue();
    for (let i = 0; i < 500; i += 1) queue.add(lane('flood', `d${i}.test`), GOOGLE);
    queue.add(lane('small'), GOOGLE);
    expect(
      sums(
        queue.wants(100, () => 10),
        byOrganization,
      ),
    ).toEqual({ flood: 5, small: 5 });
  });

  it('take turns where there is room for only one', () => {
    const queue = new FairQueue();
    for (const org of ['a', 'b', 'c']) queue.add(lane(org), GOOGLE);
    const turns = Array.from({ length: 6 }, () => queue.wants(100, () => 1).map(byOrganization)).flat();
    expect(turns).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('lose no share to organizations without mail', () => {
    const queue = new FairQueue();
    queue.add(lane('a'), GOOGLE);
    queue.add(lane('b'), GOOGLE);
    queue.remove(lane('b'));
    expect(
      sums(
        queue.wants(100, () => 9),
        byOrganization,
      ),
    ).toEqual({ a: 9 });
    queue.remove(lane('a'));
    expect(queue.wants(100, () => 9)).toEqual([]);
    expect(queue.size).toBe(0);
  });
});

describe('priorities', () => {
  it('claim no lower priority while a higher priority has mail for any domain of the site', () => {
    const queue = new FairQueue();
    queue.add(lane('a', 'one.test', 2), GOOGLE);
    queue.add(lane('a', 'two.test', 1), GOOGLE);
    queue.add(lane('a', 'three.test', 0), GOOGLE);
    const order: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      const [want] = queue.wants(100, () => 5);
      order.push(want?.priority ?? -1);
      queue.remove(want as SiteWant);
    }
    expect(order).toEqual([0, 1, 2]);
  });

  it('of one organization do not affect another organization', () => {
    const queue = new FairQueue();
    queue.add(lane('flood', 'one.test', 0), GOOGLE);
    queue.add(lane('small', 'one.test', 2), GOOGLE);
    expect(
      sums(
        queue.wants(100, () => 10),
        byOrganization,
      ),
    ).toEqual({ flood: 5, small: 5 });
  });
});

describe('sites', () => {
  it('get as much as they have room for, and nothing without room', () => {
    const queue = new FairQueue();
    queue.add(lane('a'), GOOGLE);
    queue.add(lane('a', 'small.test'), SMALL);
    expect(
      sums(
        queue.wants(100, ({ name }) => (name === 'google' ? 0 : 4)),
        bySite,
      ),
    ).toEqual({ small: 4 });
  });

  it('take turns where the worker has no room for all sites', () => {
    const queue = new FairQueue();
    for (let i = 0; i < 4; i += 1) queue.add(lane('a', `d${i}.test`), site(`s${i}`));
    const turns = Array.from({ length: 4 }, () => queue.wants(2, () => 2).map(bySite)).flat();
    expect(turns).toEqual(['s0', 's1', 's2', 's3']);
  });

  it('together never get more than the worker has room for', () => {
    const queue = new FairQueue();
    for (let i = 0; i < 40; i += 1) queue.add(lane('a', `d${i}.test`), site(`s${i}`));
    const wants = queue.wants(100, () => 7);
    expect(wants.reduce((sum, want) => sum + want.room, 0)).toBe(100);
  });
});

describe('domains', () => {
  it('of one organization and priority take turns', () => {
    const queue = new FairQueue();
    for (const domain of ['x.test', 'y.test', 'z.test']) queue.add(lane('a', domain), GOOGLE);
    const first = queue.wants(100, () => 2).map((want) => [want.domain, want.room]);
    const second = queue.wants(100, () => 2).map((want) => [want.domain, want.room]);
    expect([first, second]).toEqual([
      [
        ['x.test', 1],
        ['y.test', 1],
      ],
      [
        ['z.test', 1],
        ['x.test', 1],
      ],
    ]);
  });
});

it('queues each lane only once', () => {
  const queue = new FairQueue();
  queue.add(lane('a'), GOOGLE);
  queue.add(lane('a'), SMALL);
  expect(queue.size).toBe(1);
  expect(queue.wants(100, () => 3).map(bySite)).toEqual(['google']);
});

it('adds no lane to a full queue, and keeps claims small', () => {
  const queue = new FairQueue();
  for (let i = 0; i <= MAX_LANES; i += 1) queue.add(lane('a', `d${i}.test`), site(`s${i % 5000}`));
  expect(queue.size).toBe(MAX_LANES);
  expect(queue.isFull).toBe(true);
  expect(queue.wants(2_000, () => 10).length).toBeLessThanOrEqual(210);
});
