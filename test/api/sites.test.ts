/** Mail that waits for a site: its visibility and permissions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertMembership } from '../../src/accounts/members/store.ts';
import { adHoc } from '../../src/database/sql.ts';
import { ALL_WELL, blocked, narrowed, slowed } from '../../src/delivery/scheduler/site-condition.ts';
import { pauseSite, saveSite } from '../../src/delivery/scheduler/site-store.ts';
import { register } from '../../src/outbox/lease.ts';
import { join, type Person, signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { seedMail } from '../support/seed-mail.ts';

const MINUTE = 60_000;
const SLOW = 'mx.slow.test';
const BLOCKED = 'mx.blocked.test';
const PAUSED = 'mx.paused.test';
const OPEN = 'mx.open.test';
const REPLY = '4.7.1 too much mail from 192.0.2.1';

let server: TestApi;
/** The first organization: its owner runs the installation. */
let first: TestOrganization;
let other: TestOrganization;
let operator: Person;
let member: Person;

beforeAll(async () => {
  server = await startApi();
  first = await server.createOrganization('First');
  other = await server.createOrganization('Other');
  operator = await signUpOwner(server);
  member = await join(server, operator, 'member@example.org', 'member');
  const { db } = server;
  const nowMs = Date.now();
  const moment = { nowMs: nowMs - 20 * MINUTE, random: () => 0.5, speed: 1 };
  const less = { reason: 'rate_limited', detail: REPLY } as const;
  const gone = { reason: 'connection_refused', detail: 'connect: nobody there' } as const;
  await saveSite(db, SLOW, slowed(ALL_WELL, less, { sent: 60, took: 0, takenSince: 0 }, moment));
  await saveSite(db, BLOCKED, blocked(ALL_WELL, gone, { ...moment, nowMs }));
  await saveSite(db, OPEN, narrowed(ALL_WELL, less, 3, moment));
  await pauseSite(db, PAUSED);
  for (const name of ['slow', 'blocked', 'paused', 'open']) await placed(`${name}.test`, `mx.${name}.test`);
  await placed('foreign.test', SLOW);
  await register(db, { host: 'h', machine: 'm', pid: 1 });
  const seed = (organizationId: string, domain: string, count: number, minutes = 10) =>
    seedMail(db, { organizationId, domain, count, dueInMs: -minutes * MINUTE, mode: 'sandbox' });
  await seed(other.id, 'slow.test', 3);
  await seed(other.id, 'paused.test', 1, 40);
  await seed(other.id, 'open.test', 1, 1);
  await seed(first.id, 'foreign.test', 5);
  await seed(first.id, 'blocked.test', 1);
});
afterAll(() => server.stop());

const placed = (domain: string, site: string) =>
  server.db.exec(adHoc(`INSERT INTO site_domains (domain, site, provider) VALUES ($1, $2, 'other')`), [
    domain,
    site,
  ]);

const get = async (path: string, key: string) => (await server.api('GET', path, undefined, key)).body.data;

describe('an organization', () => {
  it('sees the sites that its own mail waits for, with why, since when and at what pace', async () => {
    const sites = await get('/sites', other.key);
    expect(sites.map((one: { name: string }) => one.name)).toEqual([SLOW, OPEN, PAUSED]);
    expect(sites[0]).toMatchObject({
      state: 'slow',
      reason: 'rate_limited',
      reply: REPLY,
      messages_per_minute: 30,
      message:
        'The server asked for slower sending and gets 30 messages a minute. The pace doubles while the server accepts all mail.',
      due: 3,
      domains: ['slow.test'],
      editable: false,
    });
    expect(Date.parse(sites[0].since)).toBeLessThan(Date.now() - 19 * MINUTE);
    expect(sites[1]).toMatchObject({ state: 'open', connections: 3 });
  });

  it('is told nothing of what others have there', async () => {
    const [slow] = await get('/sites', first.key);
    expect(slow).toMatchObject({ name: SLOW, due: 5, domains: ['foreign.test'] });
    expect(JSON.stringify(await get('/sites', other.key))).not.toMatch(/foreign|blocked/);
  });

  it('cannot ask for a site that none of its own mail waits for', async () => {
    const [, blockedSite] = await get('/sites', first.key);
    expect(blockedSite.name).toBe(BLOCKED);
    expect((await server.api('GET', `/sites/${blockedSite.id}`, undefined, first.key)).status).toBe(200);
    expect((await server.api('GET', `/sites/${blockedSite.id}`, undefined, other.key)).status).toBe(404);
  });

  it('may not ask for everybody’s, nor change anything, with a key or as a member', async () => {
    const [{ id }] = await get('/sites', first.key);
    expect((await server.api('GET', '/sites?view=installation', undefined, first.key)).status).toBe(403);
    expect((await member.api('GET', '/sites?view=installation')).status).toBe(403);
    for (const verb of ['pause', 'resume', 'try-now']) {
      expect((await server.api('POST', `/sites/${id}/${verb}`, undefined, first.key)).status).toBe(403);
      expect((await member.api('POST', `/sites/${id}/${verb}`)).status).toBe(403);
    }
  });

  it('may not change anything as the owner of another organization', async () => {
    const joined = {
      organizationId: other.id,
      userId: operator.id,
      role: 'owner',
      joinedAt: new Date(),
    } as const;
    await insertMembership(server.db, joined);
    const isOperator = async () => (await operator.api('GET', '/auth/me')).body.data.is_operator;
    expect(await isOperator()).toBe(true);
    await operator.api('POST', '/auth/organization', { organization_id: other.id });
    expect(await isOperator()).toBe(false);
    const [{ id }] = await get('/sites', first.key);
    const { status, body } = await operator.api('POST', `/sites/${id}/pause`);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    await operator.api('POST', '/auth/organization', { organization_id: first.id });
  });
});

describe('explain', () => {
  const explained = async (domain: string) => {
    const { id } = await server.db.one(
      adHoc<{ id: string }>(
        `SELECT email_id AS id FROM outbox WHERE domain = $1 AND organization_id = $2 ORDER BY due_at DESC LIMIT 1`,
      ),
      [domain, domain === 'blocked.test' ? first.id : other.id],
    );
    const key = domain === 'blocked.test' ? first.key : other.key;
    return (await get(`/emails/${id}/explain`, key)).recipients[0];
  };

  it('says which site mail waits for, because of which reply, and when it is expected to be tried', async () => {
    const recipient = await explained('slow.test');
    expect(recipient).toMatchObject({
      attempts: [],
      problem: { reason: 'rate_limited', advice: expect.stringContaining('Nothing') },
      wait: {
        site: { name: SLOW, state: 'slow', reply: REPLY, messages_per_minute: 30 },
        worker_running: true,
      },
    });
    expect(recipient.problem.meaning).toContain(
      `Mail for ${SLOW} waits. The server asked for slower sending`,
    );
    // Two of its own are before it, at one every two seconds.
    const inMs = Date.parse(recipient.next_attempt_at) - Date.now();
    expect(inMs).toBeGreaterThan(0);
    expect(inMs).toBeLessThanOrEqual(6_000);
    expect(recipient.wait.expected_at).toBe(recipient.next_attempt_at);
  });

  it('says until when a site is left alone', async () => {
    const recipient = await explained('blocked.test');
    expect(recipient.problem).toMatchObject({ reason: 'connection_refused' });
    expect(recipient.wait.site).toMatchObject({ name: BLOCKED, state: 'blocked' });
    expect(recipient.next_attempt_at).toBe(recipient.wait.site.until);
    expect(Date.parse(recipient.next_attempt_at)).toBeGreaterThan(Date.now());
  });

  it('says that a site is paused, and promises no time', async () => {
    const recipient = await explained('paused.test');
    expect(recipient).toMatchObject({
      problem: { reason: 'site_paused', responsible: 'operator' },
      next_attempt_at: null,
      wait: { site: { state: 'paused' } },
    });
    expect(Math.abs(Date.parse(recipient.wait.site.since) - Date.now())).toBeLessThan(5 * MINUTE);
  });

  it('says that mail is in line where the site takes mail, and never a time that is over', async () => {
    const recipient = await explained('open.test');
    expect(recipient).toMatchObject({ problem: null, next_attempt_at: null });
    expect(recipient.wait).toMatchObject({
      message: 'The email is due and waits for its turn.',
      site: { state: 'open' },
    });
  });
});

describe('attention', () => {
  const items = async (key: string) => (await get('/stats/attention', key)).items;

  it('names the site that mail waits for, and says that the worker takes none of the rest', async () => {
    const all = await items(other.key);
    expect(all.map(({ kind, name, severity }: Record<string, string>) => [kind, name, severity])).toEqual([
      ['nobody_delivers', null, 'critical'],
      ['site_waiting', PAUSED, 'warning'],
      ['site_waiting', SLOW, 'info'],
    ]);
    expect(all[0].message).toContain('workers are running, but no worker takes this mail');
    expect(all[2].message).toBe(
      `3 emails have waited for ${SLOW} for up to 10 minutes. The server asked for slower sending and gets 30 messages a minute. The pace doubles while the server accepts all mail. Its reply: "${REPLY}".`,
    );
  });
});

describe('an operator', () => {
  const all = async () => (await operator.api('GET', '/sites?view=installation')).body.data;
  const idOf = async (name: string) => (await all()).find((one: { name: string }) => one.name === name)?.id;

  it('sees everybody’s mail, and may change every site', async () => {
    const [slow] = await all();
    expect(slow).toMatchObject({
      name: SLOW,
      due: 8,
      domains: ['foreign.test', 'slow.test'],
      editable: true,
    });
  });

  it('pauses a site and resumes it, and the audit log says so', async () => {
    const id = await idOf(OPEN);
    expect((await operator.api('POST', `/sites/${id}/pause`)).body.data).toMatchObject({ state: 'paused' });
    const resumed = await operator.api('POST', `/sites/${id}/resume`);
    expect(resumed.body.data).toMatchObject({ state: 'open', connections: null });
    const log = (await operator.api('GET', '/audit-log')).body.data;
    const entries = log.map((one: Record<string, unknown>) => [
      one.action,
      (one.target as { name: string } | null)?.name,
    ]);
    expect(entries.slice(0, 2)).toEqual([
      ['site.resumed', OPEN],
      ['site.paused', OPEN],
    ]);
  });

  it('has a site tried at once: a block is over, a pace forgotten, a pause stays', async () => {
    const tried = async (name: string) =>
      (await operator.api('POST', `/sites/${await idOf(name)}/try-now`)).body.data.state;
    expect(await tried(BLOCKED)).toBe('probing');
    expect(await tried(SLOW)).toBe('open');
    expect(await tried(PAUSED)).toBe('paused');
  });

  it('is told that there is no such site', async () => {
    for (const verb of ['pause', 'resume', 'try-now'])
      expect((await operator.api('POST', `/sites/site_nowhere/${verb}`)).status).toBe(404);
  });
});

describe('without a worker', () => {
  it('attention and explain say so', async () => {
    await server.db.exec(adHoc('DELETE FROM workers'));
    const [item] = (await get('/stats/attention', other.key)).items;
    expect(item).toMatchObject({ kind: 'nobody_delivers', severity: 'critical' });
    expect(item.message).toBe(
      'Mail has been due for 40 minutes, and no worker delivers it: no worker is running, so nothing is sent.',
    );
    const { id } = await server.db.one(
      adHoc<{ id: string }>('SELECT email_id AS id FROM outbox WHERE organization_id = $1 LIMIT 1'),
      [other.id],
    );
    const [recipient] = (await get(`/emails/${id}/explain`, other.key)).recipients;
    expect(recipient).toMatchObject({ problem: { reason: 'no_worker' }, wait: { worker_running: false } });
  });
});
