/** The route table over HTTP: permissions and shown state. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { ALL_WELL, blocked } from '../../src/delivery/scheduler/site-condition.ts';
import { saveSite } from '../../src/delivery/scheduler/site-store.ts';
import { saveSources } from '../../src/delivery/scheduler/source-store.ts';
import { register } from '../../src/outbox/lease.ts';
import { join, type Person, signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { liveEnv } from '../support/mail-worker.ts';

const PASSWORD = 'tr0ub4dor&3-of-the-relay';
const RELAY = { name: 'acme', kind: 'relay', url: 'smtp://shop@relay.example.net:587' };
const SPARE = { name: 'spare', kind: 'relay', url: 'smtp://spare.example.net' };
const POOL = {
  name: 'pool',
  kind: 'direct',
  sources: [
    { address: '192.0.2.7', ehlo_name: 'out7.example.org', weight: 3 },
    { address: '192.0.2.8', weight: 1 },
  ],
};
const via = (...steps: string[]) => steps.map((transport) => ({ choices: [{ transport }] }));

let server: TestApi;
let dns: DnsZoneServer;
let first: TestOrganization;
let operator: Person;
let member: Person;

beforeAll(async () => {
  dns = await startDnsZone({
    'example.com': { MX: [[1, 'aspmx.l.google.com']] },
    'shop.test': { MX: [[1, 'mx.shop.test']] },
  });
  server = await startApi({ env: liveEnv(dns, 2525) });
  first = await server.createOrganization('First');
  operator = await signUpOwner(server);
  member = await join(server, operator, 'member@example.org', 'member');
});
afterAll(async () => {
  await server.stop();
  await dns.stop();
});

const read = async () => (await operator.api('GET', '/routes')).body.data;
const put = async (table: object, version?: number) =>
  operator.api('PUT', '/routes', {
    version: version ?? (await read()).version,
    transports: [],
    rules: [],
    ...table,
  });
const explain = async (query: string) => (await operator.api('GET', `/routes/explain?${query}`)).body.data;

describe('before anybody has written one', () => {
  it('the table is empty, and says what happens to mail', async () => {
    expect(await read()).toEqual({
      version: 0,
      default: { kind: 'direct', message: 'Mail goes directly to the mail hosts of its recipients.' },
      providers: expect.arrayContaining(['google', 'other']),
      usual: expect.anything(),
      transports: [],
      rules: [],
    });
    expect(await explain('to=ada@shop.test')).toMatchObject({
      message: 'No rule matched. It goes the default way.',
      rule: null,
      provider: 'other',
    });
  });
});

describe('what is usual', () => {
  it('is what is filled in where it is left out', async () => {
    const { usual } = await read();
    const source = { address: '192.0.2.7', warm_up: { since: '2026-11-17' } };
    const { body } = await put({
      transports: [{ name: 'pool', kind: 'direct', sources: [source] }],
      rules: [{ steps: [{ choices: [{ transport: 'default' }] }], canary: { name: 'to-pool', to: 'pool' } }],
    });
    expect(body.data.transports[0].sources[0].warm_up).toMatchObject(usual.warm_up);
    expect(body.data.rules[0].canary).toMatchObject(usual.canary);
  });
});

describe('a table', () => {
  it('is stored as a whole, and shown without the password', async () => {
    const rules = [
      {
        name: 'bulk',
        match: { streams: ['broadcast'], recipient_domains: ['*.Example.COM'] },
        steps: via('pool', 'acme'),
      },
      {
        match: { providers: ['google'] },
        steps: [{ choices: [{ transport: 'acme', weight: 9 }, { transport: 'default' }] }],
      },
    ];
    const answer = await put({ transports: [{ ...RELAY, password: PASSWORD }, POOL], rules });
    expect(answer.status).toBe(200);
    const { version, transports, rules: stored } = await read();
    expect(answer.body.data).toMatchObject({ version, rules: stored });
    expect(transports).toMatchObject([
      { ...RELAY, has_password: true, connections: 20, messages_per_minute: null, health: { state: 'open' } },
      { name: 'pool', has_password: false, url: null, health: null },
    ]);
    expect(transports[1].sources).toEqual([
      { ...POOL.sources[0], connections: null, warm_up: null, workers: 0, held_up: [] },
      { ...POOL.sources[1], ehlo_name: null, connections: null, warm_up: null, workers: 0, held_up: [] },
    ]);
    const one = (transport: string, weight = 1) => ({ transport, weight });
    expect(stored).toEqual([
      {
        name: 'bulk',
        match: { streams: ['broadcast'], recipient_domains: ['*.example.com'] },
        steps: [{ choices: [one('pool')] }, { choices: [one('acme')] }],
        canary: null,
      },
      {
        name: null,
        match: { providers: ['google'] },
        steps: [{ choices: [one('acme', 9), one('default')] }],
        canary: null,
      },
    ]);
    expect(JSON.stringify(answer.body)).not.toContain(PASSWORD);
  });

  it('has its password sealed in the database, and nowhere in clear', async () => {
    const rows = await server.db.many(
      adHoc<{ dump: string }>(
        `SELECT t::text || encode(password, 'escape') AS dump FROM transports t
       UNION ALL SELECT a::text FROM audit_log a UNION ALL SELECT l::text FROM request_logs l`,
      ),
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter(({ dump }) => dump?.includes(PASSWORD))).toEqual([]);
  });

  it('keeps the password with the host and the user that it is for, and nobody else', async () => {
    const kept = await put({ transports: [{ ...RELAY, connections: 3 }], rules: [] });
    expect(kept.body.data.transports).toMatchObject([{ has_password: true, connections: 3 }]);
    const elsewhere = await put({ transports: [{ ...RELAY, url: 'smtp://shop@evil.example.net:587' }] });
    expect(elsewhere.status).toBe(400);
    expect(elsewhere.body.error.details).toEqual([
      {
        field: 'transports[0].password',
        message: 'must be given again: the stored one is for another host or user.',
      },
    ]);
    expect((await put({ transports: [{ ...RELAY, name: 'other' }] })).body.error.details).toEqual([
      { field: 'transports[0].password', message: 'is needed: the URL names a user.' },
    ]);
  });

  it('tells in the audit log who changed it, which transports there are, and who got a new password', async () => {
    await put({ transports: [{ ...RELAY, password: PASSWORD }] });
    const [entry] = (await operator.api('GET', '/audit-log')).body.data;
    expect(entry).toMatchObject({
      action: 'routes.changed',
      details: { transports: ['acme'], rules: 0, new_passwords: ['acme'] },
    });
    expect(JSON.stringify(entry)).not.toContain(PASSWORD);
  });

  it('is not overwritten by somebody who has not seen the last change', async () => {
    const { version } = await read();
    expect((await put({ transports: [SPARE] }, version)).status).toBe(200);
    const late = await put({ transports: [POOL] }, version);
    expect(late.status).toBe(409);
    expect(late.body.error.message).toMatch(
      /it is at version \d+, and your change is based on version \d+\. Read the table again/,
    );
    expect((await read()).transports).toMatchObject([{ name: 'spare' }]);
  });

  it('is changed by one of two who do so at the same moment', async () => {
    const { version } = await read();
    const both = await Promise.all([
      put({ transports: [SPARE] }, version),
      put({ transports: [POOL] }, version),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it.each([
    ['rules[0].steps[0].choices[0].transport', { rules: [{ steps: via('nobody') }] }],
    ['rules[0].match.providers[0]', { rules: [{ match: { providers: ['gmial'] }, steps: via('default') }] }],
    [
      'rules[0].match.organizations[0]',
      { rules: [{ match: { organizations: ['org_x'] }, steps: via('default') }] },
    ],
    [
      'rules[0].match.recipient_domains[0]',
      { rules: [{ match: { recipient_domains: ['a b'] }, steps: via('default') }] },
    ],
    [
      'rules[0].steps[0].choices',
      { rules: [{ steps: [{ choices: [{ transport: 'default', weight: 0 }] }] }] },
    ],
    ['transports[0].url', { transports: [{ ...SPARE, url: 'smtp://a:b@relay.example.net' }] }],
    ['transports[0].url', { transports: [{ ...SPARE, url: 'https://relay.example.net' }] }],
    ['transports[0].sources', { transports: [{ name: 'pool', kind: 'direct' }] }],
    ['transports[0].url', { transports: [{ ...POOL, url: 'smtp://relay.example.net' }] }],
    [
      'transports[0].sources[0].address',
      { transports: [{ ...POOL, sources: [{ address: 'mail.example.org' }] }] },
    ],
    [
      'transports[0].sources[1].address',
      { transports: [{ ...POOL, sources: [{ address: '::1' }, { address: '::1' }] }] },
    ],
    ['transports[0].name', { transports: [{ ...SPARE, name: 'default' }] }],
    ['transports[1].name', { transports: [SPARE, SPARE] }],
  ])('says of %s what is wrong with it', async (field, table) => {
    const { status, body } = await put(table);
    expect([status, body.error.details.map((one: { field: string }) => one.field)]).toEqual([400, [field]]);
  });

  it.each([
    ['GET', '/routes'],
    ['PUT', '/routes'],
    ['GET', '/routes/explain?to=a@b.example'],
  ])('is for operators alone: %s %s', async (method, path) => {
    const body = method === 'PUT' ? { version: 0, transports: [], rules: [] } : undefined;
    const outsider = await server.createOrganization('Outsider');
    expect((await member.api(method, path, body)).status).toBe(403);
    for (const { key } of [first, outsider])
      expect((await server.api(method, path, body, key)).status).toBe(403);
  });
});

describe('explaining', () => {
  beforeAll(async () => {
    const answer = await put({
      transports: [{ ...RELAY, password: PASSWORD }, SPARE, POOL],
      rules: [
        {
          name: 'receipts',
          match: { tags: ['kind:receipt'], sender_domains: ['shop.example'] },
          steps: via('spare'),
        },
        { match: { providers: ['google'], organizations: [first.id] }, steps: via('acme', 'spare') },
        { match: { recipient_domains: ['*.test'] }, steps: via('pool') },
        { match: { streams: ['news'] }, steps: via('spare') },
      ],
    });
    expect(answer.body).toMatchObject({ data: { rules: [{}, {}, {}, {}] } });
  });

  it('looks up who hosts the recipient, and says which rule matches and which do not', async () => {
    expect(await explain('to=ada@example.com&from=a@shop.example')).toMatchObject({
      message: `Rule 2 matched: organization ${first.id}, provider google. It goes through relay acme.`,
      provider: 'google',
      rule: 2,
      rules: [
        { rule: 1, name: 'receipts', matches: false, why: 'it is for tag kind:receipt' },
        { rule: 2, matches: true, why: `organization ${first.id}, provider google` },
      ],
      steps: [
        { step: 1, in_use: true, choices: [{ transport: 'acme', share: 1, share_now: 1, state: 'open' }] },
        { step: 2, in_use: false, choices: [{ transport: 'spare', share_now: 0 }] },
      ],
    });
    const receipt = await explain('to=example.com&from=shop.example&tag=kind:receipt');
    expect(receipt.message).toBe(
      'Rule 1 (receipts) matched: sender at shop.example, tag kind:receipt. It goes through relay spare.',
    );
  });

  it('takes the tag message-stream for the stream, as a send does', async () => {
    const { message } = await explain('to=a@b.example&provider=elsewhere&tag=message-stream:news');
    expect(message).toMatch(/^Rule 4 matched: stream news\./);
  });

  it('tells what is set aside, and what is taken instead', async () => {
    const why = { reason: 'relay_authentication_failed', detail: '535 no' } as const;
    const moment = { nowMs: Date.now(), random: () => 0.5, speed: 1 };
    await saveSite(server.db, 'relay acme', blocked(ALL_WELL, why, moment));
    const { message, steps } = await explain('to=ada@example.com');
    expect(message).toMatch(
      /It goes through relay spare, because every choice of the steps before is set aside\.$/,
    );
    expect(steps).toMatchObject([{ in_use: false, choices: [{ state: 'blocked' }] }, { in_use: true }]);
    expect((await read()).transports).toMatchObject([
      { name: 'acme', health: { state: 'blocked', reason: 'relay_authentication_failed', reply: '535 no' } },
      { name: 'pool' },
      { name: 'spare', health: { state: 'open' } },
    ]);
  });

  it('counts on addresses that a running worker has', async () => {
    expect((await explain('to=ada@shop.test')).message).toMatch(
      /None of its routes can be used at the moment/,
    );
    const epoch = await register(server.db, { host: 'h', machine: 'm', pid: 1 });
    // No process sends its heartbeats, and all tests below need the worker.
    await server.db.exec(
      adHoc("UPDATE workers SET heartbeat_at = now() + interval '1 hour' WHERE epoch = $1"),
      [epoch],
    );
    await saveSources(server.db, epoch, ['192.0.2.7', '192.0.2.8']);
    expect((await explain('to=ada@shop.test')).message).toBe(
      'Rule 3 matched: recipient at *.test. It goes directly from 192.0.2.7 (75 %), directly from 192.0.2.8 (25 %).',
    );
    const why = { reason: 'blocked', detail: '554 no' } as const;
    const moment = { nowMs: Date.now(), random: () => 0.5, speed: 1 };
    await saveSite(server.db, 'mx.shop.test from 192.0.2.7', blocked(ALL_WELL, why, moment));
    expect((await explain('to=ada@shop.test')).message).toMatch(/It goes directly from 192\.0\.2\.8\.$/);
    expect((await read()).transports[1].sources).toMatchObject([
      { workers: 1, held_up: [{ site: 'mx.shop.test', state: 'blocked' }] },
      { workers: 1, held_up: [] },
    ]);
  });

  it('says what is wrong with an address', async () => {
    const { status, body } = await operator.api('GET', '/routes/explain?to=nowhere');
    expect([status, body.error.details[0].field]).toEqual([400, 'to']);
  });
});

describe('in the sandbox', () => {
  it('the table may be written, and everything says that mail does not take it', async () => {
    const sandbox = await startApi();
    await sandbox.createOrganization('First');
    const owner = await signUpOwner(sandbox);
    await owner.api('PUT', '/routes', {
      version: 0,
      transports: [SPARE],
      rules: [{ match: { providers: ['google'] }, steps: via('spare') }],
    });
    expect((await owner.api('GET', '/routes')).body.data.default.kind).toBe('sandbox');
    const { message } = (await owner.api('GET', '/routes/explain?to=a@b.example&provider=google')).body.data;
    expect(message).toMatch(
      /^This installation is in the sandbox: .* In live mode: Rule 1 matched: provider google\. It goes through relay spare\.$/,
    );
    await sandbox.stop();
  });
});

describe('warming up', () => {
  const warming = (warm_up: object) => ({
    transports: [{ name: 'pool', kind: 'direct', sources: [{ address: '192.0.2.9', warm_up }] }],
  });
  const progress = async () => (await operator.api('GET', '/routes/warm-up')).body.data;

  it('has a curve by default, with another one for providers that are slow to trust', async () => {
    const { body } = await put(warming({ since: '2026-11-01' }));
    const [{ warm_up }] = body.data.transports[0].sources;
    expect(warm_up).toMatchObject({ since: '2026-11-01', over: 'fallback' });
    expect(warm_up.curve.slice(0, 3)).toEqual([50, 100, 150]);
    expect(warm_up.curves.yahoo.slice(0, 3)).toEqual([25, 50, 75]);
    expect(await progress()).toMatchObject([
      { address: '192.0.2.9', provider: null, step: 1, allowed: 50, used: 0 },
    ]);
  });

  it('tells day by day what was allowed, sent and objected to, and what is allowed today', async () => {
    await put(warming({ since: '2026-11-01', curve: [10, 20, 40, 80] }));
    for (const [day, used, objected] of [
      ['2026-11-01', 10, 0],
      ['2026-11-02', 20, 0],
      ['2026-11-03', 40, 30],
    ])
      await server.db.exec(
        adHoc(`INSERT INTO source_days (address, provider, day, used, delivered, objected)
               VALUES ('192.0.2.9', 'google', $1, $2, $2, $3)`),
        [day, used, objected],
      );
    expect(await progress()).toMatchObject([
      {
        ...{ provider: 'google', step: 1, allowed: 10, used: 0 },
        days: [
          { day: '2026-11-01', allowed: 10, used: 10 },
          { day: '2026-11-02', allowed: 20, used: 20 },
          { day: '2026-11-03', allowed: 40, used: 40, objected: 30 },
        ],
      },
    ]);
  });

  it.each([
    ['wait', /It waits until tomorrow to go from 192\.0\.2\.8\.$/],
    [
      'fallback',
      /It goes through relay spare, because 192\.0\.2\.8 has sent all of today’s emails, and every other .*set aside\.$/,
    ],
  ] as const)('is explained with what is done when today’s eemails are sent: %s', async (over, words) => {
    const sources = [
      { address: '192.0.2.7' },
      { address: '192.0.2.8', warm_up: { since: '2026-11-01', over } },
    ];
    const steps = [{ choices: [{ transport: 'pool' }] }, { choices: [{ transport: 'spare' }] }];
    await put({ transports: [{ name: 'pool', kind: 'direct', sources }, SPARE], rules: [{ steps }] });
    const way = async () => explain('to=ada@shop.test');
    expect((await way()).message).toMatch(/It goes directly from 192\.0\.2\.8\.$/);
    await server.db.exec(
      adHoc(`INSERT INTO source_days (address, provider, day, used) VALUES ('192.0.2.8', $1, $2, 50)
             ON CONFLICT DO NOTHING`),
      [(await way()).provider, new Date().toISOString().slice(0, 10)],
    );
    const { message, steps: explained } = await way();
    expect(message).toMatch(words);
    expect(explained[0].choices[1]).toMatchObject({
      ...{ source: '192.0.2.8', state: 'spent', share_now: over === 'wait' ? 1 : 0 },
      message: expect.stringContaining('All of today’s 50 emails from 192.0.2.8 to other are sent'),
    });
    await server.db.exec(adHoc("DELETE FROM source_days WHERE address = '192.0.2.8'"));
  });

  it.each<[string, object, string]>([
    ['a day that there is not', { since: '2026-02-31' }, 'since'],
    ['a curve without a step', { since: '2026-11-01', curve: [] }, 'curve'],
    ['a provider that there is not', { since: '2026-11-01', curves: { gogle: [1] } }, 'curves.gogle'],
    ['nothing that is done with the rest', { since: '2026-11-01', over: 'drop' }, 'over'],
  ])('takes no %s', async (_, warmUp, field) => {
    const { status, body } = await put(warming(warmUp));
    expect(status).toBe(400);
    expect(body.error.details[0].field).toBe(`transports[0].sources[0].warm_up.${field}`);
  });

  it('is for operators alone', async () => {
    expect((await member.api('GET', '/routes/warm-up')).status).toBe(403);
  });
});
