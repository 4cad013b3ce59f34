/** Canaries over HTTP: permissions and shown state. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { reviewCanaries } from '../../src/routing/canary/control.ts';
import { addCanaryCounts } from '../../src/routing/canary/counts.ts';
import type { PathCounts } from '../../src/routing/canary/decide.ts';
import { createLog } from '../../src/runtime/log.ts';
import { join, type Person, signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';

const ACME = { name: 'acme', kind: 'relay', url: 'smtp://relay.example.net' };
const POOL = { name: 'pool', kind: 'direct', sources: [{ address: '192.0.2.7' }] };
const CANARY = { name: 'off-acme', to: 'pool', percents: [10, 50] };
const STEPS = [{ choices: [{ transport: 'acme' }] }];

let server: TestApi;
let first: TestOrganization;
let outsider: TestOrganization;
let operator: Person;
let member: Person;

beforeAll(async () => {
  server = await startApi();
  first = await server.createOrganization('First');
  outsider = await server.createOrganization('Outsider');
  operator = await signUpOwner(server);
  member = await join(server, operator, 'member@example.org', 'member');
});
afterAll(() => server.stop());
beforeEach(async () => {
  await put([]);
  await look();
  await server.db.exec(adHoc('TRUNCATE canary_counts, canary_steps'));
  expect((await put([{ steps: STEPS, canary: CANARY }])).status).toBe(200);
});

const routes = async () => (await operator.api('GET', '/routes')).body.data;
const put = async (rules: readonly object[]) => {
  const { version } = await routes();
  return operator.api('PUT', '/routes', { version, transports: [ACME, POOL], rules });
};
const board = async () => (await operator.api('GET', '/routes/canaries')).body.data;
const act = (verb: string, query = '') => operator.api('POST', `/routes/canaries/off-acme/${verb}${query}`);
async function look(): Promise<void> {
  const deps = { db: server.db, clock: { nowMs: () => Date.now() }, log: createLog('test', 'silent') };
  await server.db.exec(adHoc(`UPDATE canaries SET looked_at = '-infinity'`));
  await reviewCanaries(deps, new AbortController().signal);
}
const count = (provider: string, way: 'old' | 'new', sent: number, more: Partial<PathCounts> = {}) =>
  addCanaryCounts(server.db, [
    { canary: 'off-acme', provider, way, deferred: 0, bounced: 0, complained: 0, sent, ...more },
  ]);
const aMinuteLater = async () => {
  await server.db.exec(adHoc(`UPDATE canary_shares SET since = since - interval '1 minute'`));
};
async function begin(...providers: readonly string[]): Promise<void> {
  for (const provider of providers) await count(provider, 'old', 200);
  await look();
  await server.db.exec(adHoc('TRUNCATE canary_counts'));
  await aMinuteLater();
}

describe('the canary of a rule', () => {
  it('is stored with what was left open filled in, and shown', async () => {
    const plan = { minutes: 60, mails: 100, worse: { deferred: 0.05, bounced: 0.02, complained: 0.001 } };
    expect((await routes()).rules[0].canary).toEqual({ ...CANARY, ...plan });
    expect(await board()).toEqual({
      canaries: [{ ...CANARY, ...plan, rule: 1, paused_at: null, shares: [] }],
      steps: [],
    });
    await put([{ steps: STEPS }]);
    expect((await routes()).rules[0].canary).toBeNull();
  });

  it.each([
    ['rules[0].canary.to', { ...CANARY, to: 'nowhere' }],
    ['rules[0].canary.to', { ...CANARY, to: 'acme' }],
    ['rules[0].canary.percents', { ...CANARY, percents: [10, 5] }],
    ['rules[0].canary.percents[0]', { ...CANARY, percents: [0, 5] }],
    ['rules[0].canary.percents[1]', { ...CANARY, percents: [5, 101] }],
    ['rules[0].canary.name', { ...CANARY, name: 'Off Acme' }],
    ['rules[0].canary.minutes', { ...CANARY, minutes: 0 }],
    ['rules[0].canary.worse.deferred', { ...CANARY, worse: { deferred: 2 } }],
    ['rules[0].canary.from', { ...CANARY, from: 'acme' }],
  ])('says of %s what is wrong with it', async (field, canary) => {
    const { status, body } = await put([{ steps: STEPS, canary }]);
    expect([status, body.error.details.map((one: { field: string }) => one.field)]).toEqual([400, [field]]);
  });

  it('has a name of its own', async () => {
    const { body } = await put([
      { match: { providers: ['google'] }, steps: STEPS, canary: CANARY },
      { steps: STEPS, canary: CANARY },
    ]);
    expect(body.error.details).toEqual([{ field: 'rules[1].canary.name', message: 'is used twice.' }]);
  });
});

describe('a canary', () => {
  it('tells of each provider how far it is, what became of mail on both ways, and its steps', async () => {
    await begin('google', 'yahoo');
    await count('google', 'old', 90);
    await count('google', 'new', 40, { deferred: 1 });
    const { canaries, steps } = await board();
    expect(canaries[0].shares).toMatchObject([
      {
        ...{ provider: 'google', percent: 10, next_percent: 50, paused: false, falls: 0, rests_until: null },
        message: 'The canary moves on to 50 % in 59 minutes, and after 60 more emails on the new path.',
        old: { sent: 90, deferred: 0 },
        new: { sent: 40, deferred: 1 },
      },
      { provider: 'yahoo', percent: 10, new: { sent: 0 } },
    ]);
    expect(steps).toMatchObject([
      { canary: 'off-acme', kind: 'rise', from_percent: 0, to_percent: 10 },
      { canary: 'off-acme', kind: 'rise', numbers: { old: { sent: 200 } } },
    ]);
  });

  const attention = async () =>
    (await operator.api('GET', '/stats/attention')).body.data.items.filter(
      ({ kind }: { kind: string }) => kind === 'canary_fallen',
    );
  async function fall(...providers: readonly string[]): Promise<void> {
    await begin(...providers);
    for (const provider of providers) await count(provider, 'new', 40, { deferred: 40 });
    await look();
  }

  it('that rolled back automatically needs attention, with its numbers, until it begins anew', async () => {
    await begin('google', 'yahoo');
    expect(await attention()).toEqual([]);
    await count('google', 'new', 40, { deferred: 40 });
    await look();
    expect(await attention()).toEqual([
      {
        ...{ kind: 'canary_fallen', severity: 'warning', id: null, name: 'off-acme to google' },
        message: expect.stringMatching(
          /^The canary off-acme fell back automatically\. No mail to google goes through pool any more: 40 of 40 were deferred there/,
        ),
      },
    ]);
    await server.db.exec(adHoc(`UPDATE canary_shares SET since = since - interval '1 hour'`));
    await look();
    expect(await attention()).toEqual([]);
  });

  it.each([
    ['is resumed', () => act('resume')],
    ['is resumed for the provider', () => act('resume', '?provider=google')],
    ['is taken back by somebody', () => act('back')],
    ['is finished', () => act('finish')],
    ['is taken out of the table', () => put([{ steps: STEPS }])],
  ])('that fell needs no attention any more when it %s', async (_, end) => {
    await fall('google');
    expect(await attention()).toHaveLength(1);
    expect((await end()).status).toBe(200);
    expect(await attention()).toEqual([]);
  });

  it('that fell still needs attention while it is paused, and is nothing to other organizations', async () => {
    await fall('google');
    await act('pause');
    expect(await attention()).toHaveLength(1);
    const other = await server.createOrganization('Other');
    const { body } = await server.api('GET', '/stats/attention', undefined, other.key);
    expect(JSON.stringify(body)).not.toContain('off-acme');
  });

  it('says when it begins anew after a fall', async () => {
    await begin('google');
    await count('google', 'new', 40, { deferred: 40 });
    await look();
    const [share] = (await board()).canaries[0].shares;
    expect(share).toMatchObject({ percent: 0, falls: 1 });
    expect(share.message).toBe('The canary has fallen back, and starts again in 60 minutes.');
    expect(Date.parse(share.rests_until) - Date.parse(share.since)).toBe(3_600_000);
  });

  it('is paused, resumed and taken back, for all providers or for one', async () => {
    await begin('google', 'yahoo');
    const paused = async () =>
      (await board()).canaries[0].shares.map((one: { percent: number; paused: boolean }) => [
        one.percent,
        one.paused,
      ]);
    expect((await act('pause', '?provider=google')).status).toBe(200);
    expect(await paused()).toEqual([
      [10, true],
      [10, false],
    ]);
    await act('back', '?provider=yahoo');
    await act('resume', '?provider=google');
    expect(await paused()).toEqual([
      [10, false],
      [0, true],
    ]);
    const { body } = await act('pause');
    expect(body.data.canaries[0].paused_at).not.toBeNull();
    expect(body.data.steps[0]).toMatchObject({ kind: 'pause', provider: null, numbers: null });
    await act('resume', '?provider=yahoo');
    await look();
    expect(await paused()).toEqual([
      [10, true],
      [10, false],
    ]);
    await count('microsoft', 'old', 10);
    await look();
    expect(await paused()).toContainEqual([0, true]);
    await act('resume');
    await look();
    expect(await paused()).toEqual([
      [10, false],
      [10, false],
      [10, false],
    ]);
  });

  it('is finished: the new way becomes the first step of its rule, with the old one behind it', async () => {
    await put([{ name: 'all', steps: [...STEPS, { choices: [{ transport: 'pool' }] }], canary: CANARY }]);
    await begin('google');
    expect((await act('finish')).body.data.canaries).toEqual([]);
    const one = (transport: string) => ({ choices: [{ transport, weight: 1 }] });
    expect((await routes()).rules).toEqual([
      { name: 'all', match: {}, steps: [one('pool'), one('acme')], canary: null },
    ]);
    expect((await board()).steps[0]).toMatchObject({ canary: 'off-acme', kind: 'finish' });
    await look();
    expect(await server.db.many(adHoc('SELECT FROM canaries'))).toEqual([]);
  });

  it('is found by its name, and its providers by theirs', async () => {
    for (const verb of ['pause', 'resume', 'back', 'finish'])
      expect((await operator.api('POST', `/routes/canaries/none/${verb}`)).status).toBe(404);
    const { status, body } = await act('pause', '?provider=google');
    expect(status).toBe(404);
    expect(body.error.message).toMatch(/No mail of the canary off-acme has gone to google yet/);
  });

  it('is for operators alone', async () => {
    const paths = ['pause', 'resume', 'back', 'finish'].map((verb) => `/routes/canaries/off-acme/${verb}`);
    for (const [method, path] of [['GET', '/routes/canaries'], ...paths.map((one) => ['POST', one])]) {
      expect((await member.api(method as string, path as string)).status).toBe(403);
      for (const { key } of [first, outsider])
        expect((await server.api(method as string, path as string, undefined, key)).status).toBe(403);
    }
    expect((await routes()).rules[0].canary).toMatchObject(CANARY);
  });

  it('has what people do with it in the audit log', async () => {
    await begin('google');
    await act('back', '?provider=google');
    await act('finish');
    const entries = (await operator.api('GET', '/audit-log')).body.data.slice(0, 2);
    expect(entries).toMatchObject([
      { action: 'canary.finished', target: { name: 'off-acme' } },
      { action: 'canary.taken_back', target: { name: 'off-acme' }, details: { provider: 'google' } },
    ]);
  });

  it('is told to webhooks of operators that ask for it, step by step with the numbers, and to nobody else', async () => {
    const hook = async ({ key }: TestOrganization, event_types: readonly string[] | null) => {
      const body = { url: 'http://127.0.0.1:9/hook', event_types };
      return (await server.api('POST', '/webhooks', body, key)).body.data.id as string;
    };
    const asked = await hook(first, ['canary.stepped']);
    const [all, others] = [await hook(first, null), await hook(outsider, ['canary.stepped'])];
    await begin('google');
    await count('google', 'new', 40, { deferred: 40 });
    await look();
    const events = await server.db.many(
      adHoc<{ endpoint_id: string; event_type: string; payload: object }>(
        `SELECT endpoint_id, event_type, payload FROM webhook_deliveries
         WHERE endpoint_id = ANY ($1::text[]) ORDER BY event_id`,
      ),
      [[asked, all, others]],
    );
    expect(events).toMatchObject([
      { endpoint_id: asked, event_type: 'canary.stepped', payload: { kind: 'rise', provider: 'google' } },
      {
        endpoint_id: asked,
        payload: {
          ...{ canary: 'off-acme', transport: 'pool', kind: 'fall', from_percent: 10, to_percent: 0 },
          numbers: { rate: 'deferred', worse: 0.05, new: { sent: 40, deferred: 40 } },
        },
      },
    ]);
  });
});

describe('explaining', () => {
  const explain = async (provider: string) =>
    (await operator.api('GET', `/routes/explain?to=a@b.example&provider=${provider}`)).body.data;

  it('says which share applies, and which way the rest goes', async () => {
    await begin('google');
    const data = await explain('google');
    expect(data).toMatchObject({
      canary: { name: 'off-acme', to: 'pool', percent: 10 },
      steps: [
        { step: 0, in_use: true, choices: [{ transport: 'pool', share_now: 0.1 }] },
        { step: 1, in_use: true, choices: [{ transport: 'acme', share_now: 0.9 }] },
      ],
    });
    expect(data.message).toContain(
      'The canary off-acme moves 10 % of such mail to pool at the moment. It goes directly from 192.0.2.7 (10 %), through relay acme (90 %).',
    );
  });

  it('says so, too, where nothing is moved yet', async () => {
    const data = await explain('yahoo');
    expect(data).toMatchObject({ canary: { percent: 0 }, steps: [{ in_use: false }, { in_use: true }] });
    expect(data.message).toContain(
      'moves 0 % of such mail to pool at the moment. It goes through relay acme.',
    );
  });
});
