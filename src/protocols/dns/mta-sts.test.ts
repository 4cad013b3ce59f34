import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../runtime/durations.ts';
import type { Answer } from './answer.ts';
import { type KnownPolicy, StsPolicies } from './mta-sts.ts';

const policyText = (mode: string, maxAgeSeconds = 7 * 86_400) =>
  `version: STSv1\nmode: ${mode}\nmx: mx.example.org\nmax_age: ${maxAgeSeconds}\n`;

function setUp(text: string | null) {
  const fixture = {
    nowMs: 0,
    txt: { kind: 'found', records: ['v=STSv1; id=1'] } as Answer<string>,
    text,
    fetched: 0,
    stored: new Map<string, KnownPolicy>(),
    due: [] as string[],
    reads: 0,
  };
  const policies = new StsPolicies({
    resolver: { txt: async () => fixture.txt },
    clock: { nowMs: () => fixture.nowMs },
    fetch: async () => {
      fixture.fetched += 1;
      return fixture.text;
    },
    store: {
      find: async (domain) => {
        fixture.reads += 1;
        return fixture.stored.get(domain) ?? null;
      },
      save: async (domain, known) => void fixture.stored.set(domain, known),
      takeDue: async () => fixture.due.splice(0),
    },
    maxEntries: 2,
  });
  return {
    fixture,
    modeOf: async (domain = 'example.org') => (await policies.policyFor(domain))?.mode ?? null,
    policies,
  };
}

it('is fetched once for all who ask, and known at once afterwards', async () => {
  const { fixture, modeOf, policies } = setUp(policyText('enforce'));
  expect(await Promise.all([modeOf(), modeOf(), modeOf()])).toEqual(['enforce', 'enforce', 'enforce']);
  expect(fixture.fetched).toBe(1);
  expect(policies.policyFor('example.org')).toMatchObject({ mode: 'enforce' });
});

it('is fetched again when the id in DNS is another', async () => {
  const { fixture, modeOf } = setUp(policyText('testing'));
  await modeOf();
  fixture.nowMs += 6 * MINUTE_MS;
  await modeOf();
  expect(fixture.fetched).toBe(1);
  fixture.txt = { kind: 'found', records: ['v=STSv1; id=2'] };
  fixture.text = policyText('enforce');
  fixture.nowMs += 6 * MINUTE_MS;
  expect(await modeOf()).toBe('enforce');
  expect(fixture.fetched).toBe(2);
});

it('is fetched again while nobody waits for it, and holds from then on', async () => {
  const { fixture, modeOf, policies } = setUp(policyText('enforce', 86_400));
  await modeOf();
  Object.assign(fixture, { nowMs: DAY_MS / 2, due: ['example.org'] });
  await policies.refreshDue(new AbortController().signal);
  expect(fixture.fetched).toBe(2);
  Object.assign(fixture, { nowMs: DAY_MS + 1, txt: { kind: 'unavailable', code: 'ETIMEOUT' } });
  expect(await modeOf()).toBe('enforce');
});

it('holds after a restart, without being fetched', async () => {
  const { fixture, modeOf } = setUp(null);
  const policy = { mode: 'enforce', mx: ['mx.example.org'], maxAgeMs: DAY_MS } as const;
  fixture.stored.set('example.org', { id: '1', policy, fetchedAtMs: 0 });
  expect(await modeOf()).toBe('enforce');
  expect(fixture.fetched).toBe(0);
});

it('holds after a restart though nobody can say any more that there is one', async () => {
  const { fixture, modeOf } = setUp(null);
  const policy = { mode: 'enforce', mx: ['mx.example.org'], maxAgeMs: DAY_MS } as const;
  fixture.stored.set('example.org', { id: '1', policy, fetchedAtMs: 0 });
  fixture.txt = { kind: 'nxdomain' };
  expect(await modeOf()).toBe('enforce');
  fixture.nowMs = DAY_MS;
  expect(await modeOf()).toBeNull();
});

it('is taken from what another worker fetched since, within an hour', async () => {
  const { fixture, modeOf } = setUp(policyText('testing'));
  await modeOf();
  const policy = { mode: 'enforce', mx: ['mx.example.org'], maxAgeMs: DAY_MS } as const;
  fixture.stored.set('example.org', { id: '1', policy, fetchedAtMs: 1 });
  fixture.nowMs = 61 * MINUTE_MS;
  expect(await modeOf()).toBe('enforce');
});

it('is read once from where it is kept, and not for every look', async () => {
  const { fixture, modeOf } = setUp(policyText('enforce'));
  for (const minute of [0, 1, 6, 12]) {
    fixture.nowMs = minute * MINUTE_MS;
    await modeOf();
  }
  expect(fixture.reads).toBe(1);
});

it.each<[string, Answer<string>, string | null]>([
  ['DNS does not answer', { kind: 'unavailable', code: 'ETIMEOUT' }, null],
  ['the record is gone', { kind: 'nxdomain' }, null],
  ['the policy cannot be fetched', { kind: 'found', records: ['v=STSv1; id=2'] }, null],
  ['the policy cannot be read', { kind: 'found', records: ['v=STSv1; id=2'] }, 'nonsense'],
])('holds until its time is over when %s', async (_, txt, text) => {
  const { fixture, modeOf } = setUp(policyText('enforce', 86_400));
  await modeOf();
  Object.assign(fixture, { txt, text, nowMs: DAY_MS - 1 });
  expect(await modeOf()).toBe('enforce');
  fixture.nowMs = DAY_MS;
  expect(await modeOf()).toBeNull();
});

it('is none where it never could be fetched, and mail does not wait for it every time', async () => {
  const { fixture, modeOf } = setUp(null);
  expect([await modeOf(), await modeOf()]).toEqual([null, null]);
  expect(fixture.fetched).toBe(1);
});

it('is none for an address in place of a domain', async () => {
  const { fixture, modeOf } = setUp(policyText('enforce'));
  expect(await modeOf('[192.0.2.1]')).toBeNull();
  expect(fixture.fetched).toBe(0);
});

it('is forgotten for the domain that was asked about longest ago when there are too many', async () => {
  const { fixture, modeOf } = setUp(policyText('enforce'));
  for (const domain of ['a.test', 'b.test', 'c.test', 'c.test', 'a.test']) await modeOf(domain);
  expect(fixture.reads).toBe(4);
});
