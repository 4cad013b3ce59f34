/** After a provider's incident, its wrong bounces are listed and undone in one action. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import type { Finished } from '../../src/delivery/attempt/delivery-record.ts';
import { settle } from '../../src/delivery/attempt/record.ts';
import { suppressedSince } from '../../src/delivery/policy/decide.ts';
import { processUndo, processUndos } from '../../src/interventions/undos/process-undos.ts';
import { createLifetime } from '../../src/outbox/lifetime.ts';
import type { ClaimedDelivery } from '../../src/outbox/states.ts';
import type { EmailAddress } from '../../src/protocols/message/address.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { type Person, signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { nothingMoved } from '../support/content-store.ts';
import { countsDiffer, hourlyCountsDiffer } from '../support/counts.ts';
import { claimDue, newWorker } from '../support/outbox.ts';

let server: TestApi;
let owner: Person;
let epoch: number;

beforeAll(async () => {
  server = await startApi();
  await server.createOrganization('First');
  owner = await signUpOwner(server);
  epoch = await newWorker(server.db);
});
afterAll(() => server.stop());

const deps = () => ({
  db: server.db,
  nowMs: Date.now,
  mode: 'sandbox' as const,
  lifetimeMs: createLifetime(1),
  moved: nothingMoved(server.db),
});
const carryOut = () => processUndos(deps(), AbortSignal.timeout(20_000));
const window = () => ({
  from: new Date(Date.now() - 3_600_000).toISOString(),
  to: new Date(Date.now() + 60_000).toISOString(),
});

const call = (method: string, path: string, key: string, body?: unknown) =>
  server.api(method, path, body, key);

async function send({ key, domain }: TestOrganization, to: string, more: object = {}): Promise<string> {
  const mail = { from: { email: `a@${domain}` }, to: [{ email: to }], subject: 'S', text: 't', ...more };
  const { status, body } = await call('POST', '/emails/send', key, mail);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data.message_id;
}

type Verdict = Pick<Finished, 'verdict' | 'signal'>;

const bounced = (smtpMessage = '5.1.1 User unknown'): Verdict => {
  const facts = { mxHost: 'mx.bad.test', smtpCode: 550, enhancedCode: '5.1.1', tls: null };
  const verdict = { kind: 'bounced', smtpMessage, ...facts, reason: 'unknown_recipient' } as const;
  return { verdict, signal: 'hard_bounce' };
};

/** Bounces all due deliveries, as if a server had refused them. */
const bounce = async (smtpMessage?: string) =>
  finish(await claimDue(server.db, epoch, 5_000), bounced(smtpMessage));

async function finish(claimed: readonly ClaimedDelivery[], how: Verdict): Promise<void> {
  const addresses = await server.db.many(
    adHoc<{ email_id: string; position: number; address: EmailAddress }>(
      'SELECT email_id, position, address FROM recipients WHERE email_id = ANY ($1::uuid[])',
    ),
    [claimed.map(({ emailId }) => emailId)],
  );
  const recipientOf = new Map(addresses.map((row) => [`${row.email_id} ${row.position}`, row.address]));
  const records = claimed.map((delivery) => ({
    ...({ kind: 'finished', delivery, atMs: Date.now() } as const),
    ...how,
    recipient: recipientOf.get(`${delivery.emailId} ${delivery.position}`) as EmailAddress,
  }));
  await settle(server.db, epoch, records, true);
}

const statusOf = async ({ key }: TestOrganization, id: string) =>
  (await call('GET', `/emails/${id}`, key)).body.data;
const suppressed = async ({ key }: TestOrganization) =>
  (await call('GET', '/suppressions', key)).body.data.map((one: { email: string }) => one.email);
const undo = async ({ key }: TestOrganization, more: object = {}) => {
  const { status, body } = await call('POST', '/undos', key, { ...window(), reason: 'A bad hour', ...more });
  expect(status).toBe(202);
  await carryOut();
  return (await call('GET', `/undos/${body.data.id}`, key)).body.data;
};

describe('what happened', () => {
  it('is told by reason, with samples and what an undo would do', async () => {
    const org = await server.createOrganization();
    const id = await send(org, 'a@bad.test');
    await send(org, 'b@bad.test');
    await bounce();
    const { status, body } = await call('POST', '/undos/preview', org.key, window());
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      ...{ bounces: 2, rejections: 0, requeue: 2, unsuppress: 2 },
      reasons: [{ reason: 'unknown_recipient', smtp_code: 550, count: 2 }],
    });
    expect(body.data.samples[1]).toMatchObject({
      ...{
        email_id: id,
        recipient: 'a@bad.test',
        smtp_message: '5.1.1 User unknown',
        mx_host: 'mx.bad.test',
      },
    });
    expect((await statusOf(org, id)).status).toBe('bounced');
  });

  it.each([
    [{ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'to'],
    [{ from: '2026-01-01T00:00:00Z', to: '2026-01-08T00:00:01Z' }, 'to'],
    [{ from: '2126-01-01T00:00:00Z', to: '2126-01-02T00:00:00Z' }, 'from'],
    [{ from: 'yesterday', to: '2026-01-02T00:00:00Z' }, 'from'],
  ])('needs a window that makes sense: %j', async (body, field) => {
    const { key } = await server.createOrganization();
    const answer = await call('POST', '/undos/preview', key, body);
    expect([answer.status, answer.body.error.details[0].field]).toEqual([400, field]);
  });
});

describe('an undo', () => {
  it('queues the mail again and lifts the suppressions, with an event, a webhook and exact counts', async () => {
    const org = await server.createOrganization();
    await call('POST', '/webhooks', org.key, { url: 'http://127.0.0.1:9/hook' });
    const id = await send(org, 'a@bad.test');
    await bounce();
    expect(await suppressed(org)).toEqual(['a@bad.test']);
    const done = await undo(org);
    expect(done).toMatchObject({ state: 'done', requeued: 1, unsuppressed: 1, requested_by: 'test' });
    const email = await statusOf(org, id);
    expect(email.status).toBe('queued');
    expect(email.events.at(-1)).toMatchObject({
      type: 'queued',
      reason: 'bounce_undone',
      recipient: 'a@bad.test',
    });
    expect(await suppressed(org)).toEqual([]);
    const rows = await server.db.many(
      adHoc<{ event_type: string }>(
        'SELECT event_type FROM webhook_deliveries WHERE organization_id = $1 ORDER BY event_id',
      ),
      [org.id],
    );
    expect(rows.map((one) => one.event_type)).toEqual(['queued', 'bounced', 'queued']);
    expect(await countsDiffer(server.db)).toEqual([]);
    expect(await hourlyCountsDiffer(server.db)).toEqual([]);
    const [again] = await claimDue(server.db, epoch, 10);
    expect(again).toMatchObject({ emailId: id, attempt: 1 });
    expect((again?.expiresAtMs ?? 0) - Date.now()).toBeGreaterThan(DAY_MS - 600_000);
    await server.db.exec(adHoc('DELETE FROM outbox'));
  });

  it('done twice changes nothing more, and leaves alone what bounced again', async () => {
    const org = await server.createOrganization();
    const id = await send(org, 'a@bad.test');
    await bounce();
    const body = { ...window(), reason: 'A bad hour' };
    const first = await call('POST', '/undos', org.key, body);
    await carryOut();
    const second = await call('POST', '/undos', org.key, { ...body, to: first.body.data.to });
    await carryOut();
    const read = async (one: typeof first) =>
      (await call('GET', `/undos/${one.body.data.id}`, org.key)).body.data;
    expect(await read(second)).toMatchObject({
      requeued: 0,
      unsuppressed: 0,
      left_alone: { not_bounced: 1 },
    });
    await bounce('5.7.1 Still no');
    const third = await call('POST', '/undos', org.key, { ...body, to: first.body.data.to });
    await carryOut();
    expect(await read(third)).toMatchObject({ requeued: 0, unsuppressed: 0 });
    const email = await statusOf(org, id);
    expect(email.status).toBe('bounced');
    expect(email.events.filter((one: { reason: string }) => one.reason === 'bounce_undone')).toHaveLength(1);
    expect(await suppressed(org)).toEqual(['a@bad.test']);
  });

  it('is of what its filters match', async () => {
    const org = await server.createOrganization();
    const ids = {
      plain: await send(org, 'plain@bad.test'),
      tagged: await send(org, 'tagged@bad.test', { tags: [{ name: 'kind', value: 'news' }] }),
      elsewhere: await send(org, 'else@where.test'),
    };
    const template = await call('POST', '/templates', org.key, { name: 'T', subject: 'S', html: '<p>x</p>' });
    const made = await send(org, 'made@bad.test', { text: undefined, template_id: template.body.data.id });
    await bounce();
    const full = await send(org, 'full@bad.test');
    await bounce('5.2.2 Mailbox full');
    await server.db.exec(
      adHoc(
        `INSERT INTO site_domains (domain, site, provider) VALUES ('where.test', 'mx.where.test', 'elsewhere')`,
      ),
    );
    const count = async (filter: object) =>
      (await call('POST', '/undos/preview', org.key, { ...window(), ...filter })).body.data.bounces;
    expect(await count({})).toBe(5);
    expect(await count({ tag: 'kind:news' })).toBe(1);
    expect(await count({ tag: 'kind' })).toBe(1);
    expect(await count({ reply: 'MAILBOX FULL' })).toBe(1);
    expect(await count({ provider: 'elsewhere' })).toBe(1);
    expect(await count({ provider: 'mx.where.test', tag: 'kind' })).toBe(0);
    expect(await count({ template_id: template.body.data.id })).toBe(1);
    expect(await undo(org, { reply: 'mailbox full' })).toMatchObject({ requeued: 1 });
    expect((await statusOf(org, full)).status).toBe('queued');
    for (const id of [ids.plain, ids.tagged, ids.elsewhere, made])
      expect((await statusOf(org, id)).status).toBe('bounced');
  });

  it('may be of the mail of a stream, named as the tag message-stream', async () => {
    const org = await server.createOrganization();
    await send(org, 'bulk@bad.test', { stream: 'bulk' });
    await send(org, 'usual@bad.test');
    await bounce();
    const preview = { ...window(), tag: 'message-stream:bulk' };
    expect((await call('POST', '/undos/preview', org.key, preview)).body.data.bounces).toBe(1);
  });

  it('leaves alone what has no content, and who is suppressed for another reason', async () => {
    const org = await server.createOrganization();
    const gone = await send(org, 'gone@bad.test');
    const angry = await send(org, 'angry@bad.test');
    await bounce();
    await server.db.exec(adHoc('DELETE FROM email_contents WHERE email_id = $1'), [gone]);
    await call('POST', '/suppressions', org.key, { email: 'angry@bad.test', reason: 'complaint' });
    expect(await undo(org)).toMatchObject({
      ...{ requeued: 0, unsuppressed: 1, left_alone: { content_gone: 1, suppressed: 1 } },
    });
    expect((await statusOf(org, angry)).status).toBe('bounced');
    expect(await suppressed(org)).toEqual(['angry@bad.test']);
  });

  it('queues again what was rejected since because of its suppressions, whatever its template or tag', async () => {
    const org = await server.createOrganization();
    const first = await send(org, 'a@bad.test', { tags: [{ name: 'kind', value: 'news' }] });
    const second = await send(org, 'A@bad.test');
    const elsewhere = await send(org, 'manual@bad.test');
    const claimed = await claimDue(server.db, epoch, 10);
    const only = (id: string) => claimed.filter(({ emailId }) => emailId === id);
    await finish(only(first), bounced());
    await call('POST', '/suppressions', org.key, { email: 'manual@bad.test', reason: 'manual' });
    const rejected = { verdict: suppressedSince() };
    await finish(only(second), rejected);
    await finish(only(elsewhere), rejected);
    const filter = { tag: 'kind:news' };
    const preview = await call('POST', '/undos/preview', org.key, { ...window(), ...filter });
    expect(preview.body.data).toMatchObject({ bounces: 1, rejections: 1, requeue: 2, unsuppress: 1 });
    expect(await undo(org, filter)).toMatchObject({
      ...{ state: 'done', requeued: 2, unsuppressed: 1, left_alone: { not_bounced: 0, suppressed: 0 } },
    });
    const email = await statusOf(org, second);
    expect(email.status).toBe('queued');
    expect(email.events.at(-1)).toMatchObject({ type: 'queued', reason: 'suppression_undone' });
    expect((await statusOf(org, elsewhere)).status).toBe('failed');
    expect(await countsDiffer(server.db)).toEqual([]);
    expect(await undo(org, filter)).toMatchObject({ requeued: 0, left_alone: { not_bounced: 1 } });
    const left = adHoc<{ count: number }>('SELECT count(*) FROM lifted_suppressions');
    expect((await server.db.one(left)).count).toBe(0);
    await server.db.exec(adHoc('DELETE FROM outbox'));
  });

  it('goes on where it was cut off', async () => {
    const org = await server.createOrganization();
    const recipients = Array.from({ length: 450 }, (_, n) => ({ to: { email: `r${n}@bad.test` } }));
    const template = await call('POST', '/templates', org.key, { name: 'T', subject: 'S', html: '<p>x</p>' });
    const batch = await call('POST', '/emails/batch', org.key, {
      ...{ from: { email: `a@${org.domain}` }, template_id: template.body.data.id, recipients },
    });
    expect(batch.body.data?.accepted ?? batch.body).toBe(450);
    await bounce();
    const { body } = await call('POST', '/undos', org.key, { ...window(), reason: 'A bad hour' });
    const { id } = body.data;
    const cut = new AbortController();
    // After the first step.
    const nowMs = () => {
      cut.abort();
      return Date.now();
    };
    await processUndo({ ...deps(), nowMs }, id, cut.signal);
    const half = (await call('GET', `/undos/${id}`, org.key)).body.data;
    expect(half).toMatchObject({ state: 'running', requeued: 200, unsuppressed: 200 });
    await Promise.all([carryOut(), carryOut()]);
    const done = (await call('GET', `/undos/${id}`, org.key)).body.data;
    expect(done).toMatchObject({ state: 'done', requeued: 450, unsuppressed: 450 });
    const { count } = await server.db.one(
      adHoc<{ count: number }>('SELECT count(*) FROM outbox WHERE organization_id = $1'),
      [org.id],
    );
    expect(count).toBe(450);
    expect(await countsDiffer(server.db)).toEqual([]);
    await server.db.exec(adHoc('DELETE FROM outbox'));
  });

  it('is in the audit log with its window, filters and reason, and in the list', async () => {
    const body = { ...window(), reply: '5.1.1', reason: 'A bad hour' };
    const { body: made } = await owner.api('POST', '/undos', body);
    const [entry] = (await owner.api('GET', '/audit-log?limit=1')).body.data;
    expect(entry).toMatchObject({ action: 'incident.undone', target: { id: made.data.id }, details: body });
    const listed = (await owner.api('GET', '/undos')).body.data;
    expect(listed[0]).toMatchObject({ id: made.data.id, requested_by: owner.email });
    await carryOut();
  });
});

describe('on the command line', () => {
  const cli = (argv: readonly string[]) => runCommand(argv, { DATABASE_URL: server.database.url });
  const times = () => ['--from', window().from, '--to', window().to];

  it('an incident is shown, asked about, and taken back for each organization', async () => {
    const [one, two] = [await server.createOrganization(), await server.createOrganization()];
    await send(one, 'a@bad.test', { tags: [{ name: 'hour', value: 'bad' }] });
    const id = await send(two, 'b@bad.test', { tags: [{ name: 'hour', value: 'bad' }] });
    await bounce();
    const filter = ['--tag', 'hour:bad'];
    const shown = await cli(['incident', ...times(), ...filter, '--org', two.id]);
    expect(shown.out).toContain(
      `${two.id}: 1 bounce. An undo would queue 1 recipient again and lift 1 suppression.`,
    );
    expect(shown.out).toMatch(/1 +550 +unknown_recipient/);
    expect(shown.out).toMatch(/b@bad\.test +mx\.bad\.test +5\.1\.1 User unknown/);
    const asked = await cli(['undo', ...times(), ...filter, '--reason', 'A bad hour']);
    expect(asked).toMatchObject({ code: 2, out: '' });
    expect(asked.err).toContain('Bounces: 2, of 2 organizations. To be queued again: 2.');
    const done = await cli(['undo', ...times(), ...filter, '--reason', 'A bad hour', '--yes']);
    expect(done.out.split('\n').toSorted()).toEqual(
      [one, two].map((org) => `${org.id}: 1 recipient queued again, 1 suppression lifted.`).toSorted(),
    );
    expect((await statusOf(two, id)).status).toBe('queued');
    await server.db.exec(adHoc('DELETE FROM outbox'));
  });

  it.each([
    [['--from', 'noon', '--to', '2026-01-01T00:00Z'], '--from must be a time'],
    [['--from', 'next tuesday', '--to', '2026-01-01T00:00Z'], 'in ISO 8601 such as'],
    [['--from', '2026-01-02T00:00Z', '--to', '2026-01-01T00:00Z'], '--to: must be later than'],
    [
      ['--from', '2026-01-01T00:00Z', '--to', '2026-01-02T00:00Z', '--org', 'org_none'],
      'no organization org_none',
    ],
  ])('a mistake is explained: %j', async (argv, words) => {
    expect((await cli(['incident', ...argv])).err).toContain(words);
  });
});
