import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../runtime/durations.ts';
import type { Answer } from './answer.ts';
import { StsPolicies } from './mta-sts.ts';

const policyText = (mode: string, maxAgeSeconds = 7 * 86_400) =>
  `version: STSv1\nmode: ${mode}\nmx: mx.example.org\nmax_age: ${maxAgeSeconds}\n`;

function setUp(text: string | null) {
  const world = {
    nowMs: 0,
    txt: { kind: 'found', records: ['v=STSv1; id=1'] } as Answer<string>,
    text,
    fetched: 0,
  };
  const policies = new StsPolicies({
    resolver: { txt: async () => world.txt },
    clock: { nowMs: () => world.nowMs },
    fetch: async () => {
      world.fetched += 1;
      return world.text;
    },
    maxEntries: 2,
  });
  return {
    world,
    modeOf: async (domain = 'example.org') => (await policies.policyFor(domain))?.mode ?? null,
    policies,
  };
}

it('is fetched once for all who ask, and known at once afterwards', async () => {
  const { world, modeOf, policies } = setUp(policyText('enforce'));
  expect(await Promise.all([modeOf(), modeOf(), modeOf()])).toEqual(['enforce', 'enforce', 'enforce']);
  expect(world.fetched).toBe(1);
  expect(policies.policyFor('example.org')).toMatchObject({ mode: 'enforce' });
});

it('is fetched again when the id in DNS is another, and once a day', async () => {
  const { world, modeOf } = setUp(policyText('testing'));
  await modeOf();
  world.nowMs += 6 * MINUTE_MS;
  await modeOf();
  expect(world.fetched).toBe(1);
  world.txt = { kind: 'found', records: ['v=STSv1; id=2'] };
  world.text = policyText('enforce');
  world.nowMs += 6 * MINUTE_MS;
  expect(await modeOf()).toBe('enforce');
  world.nowMs += DAY_MS;
  expect(await modeOf()).toBe('enforce');
  expect(world.fetched).toBe(3);
});

it.each<[string, Answer<string>, string | null]>([
  ['DNS does not answer', { kind: 'unavailable', code: 'ETIMEOUT' }, null],
  ['the record is gone', { kind: 'nxdomain' }, null],
  ['the policy cannot be fetched', { kind: 'found', records: ['v=STSv1; id=2'] }, null],
  ['the policy cannot be read', { kind: 'found', records: ['v=STSv1; id=2'] }, 'nonsense'],
])('holds until its time is over when %s', async (_, txt, text) => {
  const { world, modeOf } = setUp(policyText('enforce', 86_400));
  await modeOf();
  Object.assign(world, { txt, text, nowMs: DAY_MS - 1 });
  expect(await modeOf()).toBe('enforce');
  world.nowMs = DAY_MS;
  expect(await modeOf()).toBeNull();
});

it('is none where it never could be fetched, and mail does not wait for it every time', async () => {
  const { world, modeOf } = setUp(null);
  expect([await modeOf(), await modeOf()]).toEqual([null, null]);
  expect(world.fetched).toBe(1);
});

it('is none for an address in place of a domain', async () => {
  const { world, modeOf } = setUp(policyText('enforce'));
  expect(await modeOf('[192.0.2.1]')).toBeNull();
  expect(world.fetched).toBe(0);
});

it('is forgotten for the domain that was asked about longest ago when there are too many', async () => {
  const { world, modeOf } = setUp(policyText('enforce'));
  for (const domain of ['a.test', 'b.test', 'c.test', 'c.test', 'a.test']) await modeOf(domain);
  expect(world.fetched).toBe(4);
});
