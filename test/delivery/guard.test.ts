/** The guard holds only the lane with unusual refusals, and people decide about its mail. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Flow } from '../flows/flow.ts';
import { startApi } from '../support/api.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { liveEnv } from '../support/mail-worker.ts';
import { makeOlder } from '../support/older-organization.ts';
import { type SinkScript, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';

const SITE = 'mx.customer.example';
const YESTERDAY = new Date(Date.now() - 86_400_000);
/** Many more mails than are attempted before the hold is in force, even on a busy machine. */
const BAD_MAILS = 400;

/** Refuses the content of mail to `bad…`, and has no mailbox `gone…`. */
const refusesBad: SinkScript = {
  rcpt: ({ line }) => {
    if (line.includes('<bad')) return '554 5.7.1 Message rejected due to content restrictions';
    return line.includes('<gone') ? '550 5.1.1 User unknown' : { act: 'agree' };
  },
};

let zone: DnsZoneServer;
let sink: SmtpSink;
let flow: Flow;
beforeAll(async () => {
  sink = await startSmtpSink({ script: refusesBad });
  zone = await startDnsZone({ 'customer.example': { MX: [[10, SITE]] }, [SITE]: { A: ['127.0.0.1'] } });
  const env = liveEnv(zone, sink.port);
  flow = await Flow.on(await startApi({ env }), env);
  await makeOlder(flow.db, flow.organization.id, YESTERDAY);
  // The guard holds a lane only if other mail to the same site is accepted.
  const accepted = await sendAll(await newTemplate('accepted'), many('accepted', 60));
  await settled(accepted, ({ delivered }) => delivered === 60);
});
afterAll(async () => {
  await flow.stop();
  await zone.stop();
  await sink.close();
});

async function newTemplate(name: string): Promise<string> {
  return (await flow.api('POST', '/templates', { name, subject: name, text: 'x' })).body.data.id;
}

async function sendAll(template: string, to: readonly string[]): Promise<string> {
  const { body } = await flow.api('POST', '/emails/batch', {
    from: { email: `hello@${flow.organization.domain}` },
    template_id: template,
    recipients: to.map((email) => ({ to: { email } })),
  });
  expect(body.data.accepted).toBe(to.length);
  return body.data.batch_id;
}

async function sendPlain(to: readonly string[], stream = 'transactional'): Promise<string[]> {
  const ids: string[] = [];
  for (const email of to) ids.push(await flow.send(email, { stream }));
  return ids;
}

/** The figures in the reason of a hold. */
const FIGURES = /refused (\d+) of the last (\d+) emails .* accepted (\d+) of (\d+) other emails/;

const many = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}${n}@customer.example`);
const batch = async (id: string) => (await flow.api('GET', `/emails/batch/${id}`)).body.data.counts;
const guardHolds = async () =>
  (await flow.api('GET', '/holds')).body.data.filter(
    ({ placed_by }: { placed_by: string }) => placed_by === 'guard',
  );
const holdsOf = async (template: string) =>
  (await guardHolds()).filter(({ value }: { value: string }) => value.startsWith(template));
const settled = (id: string, wanted: (statuses: Record<string, number>) => boolean) =>
  until(() => batch(id), wanted);

describe('unknown recipients', () => {
  it('hold nothing: a sign-in code to an existing mailbox of the same site is delivered', async () => {
    const gone = await sendPlain(many('gone', 60));
    for (const id of gone) await flow.when(id, ({ status }) => status === 'bounced');
    const code = await flow.send('colleague@customer.example');
    await flow.when(code, ({ status }) => status === 'delivered');
    expect(await guardHolds()).toEqual([]);
  });
});

describe('one bad template version among ten', () => {
  it('is held, and nothing else is; released, it goes, and is left alone', async () => {
    const templates = await Promise.all(Array.from({ length: 10 }, (_, n) => newTemplate(`t${n}`)));
    const good = await Promise.all(templates.slice(0, 9).map((id, n) => sendAll(id, many(`good${n}x`, 30))));
    for (const id of good) await settled(id, ({ delivered }) => delivered === 30);
    const bad = await sendAll(templates[9] as string, many('bad', BAD_MAILS));
    const [hold] = await until(guardHolds, (holds) => holds.length > 0);
    expect(hold).toMatchObject({ scope: 'lane', state: 'in_force', by_operator: false });
    expect(hold.value).toBe(`${templates[9]} version 1 to ${SITE}`);
    const [, refused, counted, accepted, others] = FIGURES.exec(hold.reason)?.map(Number) ?? [];
    expect(counted).toBe(refused);
    expect(refused).toBeGreaterThanOrEqual(7);
    expect(accepted).toBe(others);
    expect(others).toBeGreaterThanOrEqual(60 + 9 * 30);
    const after = await Promise.all(templates.slice(0, 9).map((id, n) => sendAll(id, many(`after${n}x`, 3))));
    for (const id of after) await settled(id, ({ delivered }) => delivered === 3);
    const { mail } = await until(
      async () => (await flow.api('GET', `/holds/${hold.id}`)).body.data,
      (one) => one.mail.held + ((one.mail.later as number) ?? 0) > 0,
    );
    const { bounced } = await batch(bad);
    expect(bounced).toBeGreaterThanOrEqual(8);
    // Mail that other connections had in hand at that time was attempted as well.
    expect(bounced).toBeLessThan(BAD_MAILS / 2);
    expect(mail.held).toBe(BAD_MAILS - bounced);
    const { body } = await flow.api('GET', '/stats/attention');
    expect(JSON.stringify(body.data)).toContain(hold.id);
    await flow.api('POST', `/holds/${hold.id}/release`);
    await settled(bad, (statuses) => statuses.bounced === BAD_MAILS);
    expect((await guardHolds()).filter(({ state }: { state: string }) => state === 'in_force')).toEqual([]);
  });

  it('is discarded with one request', async () => {
    const template = await newTemplate('discarded');
    const id = await sendAll(template, many('bad-again', BAD_MAILS));
    const [hold] = await until(guardHolds, (holds) => holds[0]?.value.startsWith(template));
    await flow.api('POST', `/holds/${hold.id}/discard`, { reason: 'Wrong template' });
    await settled(id, ({ queued = 0, deferred = 0 }) => queued + deferred === 0);
    const { failed } = await batch(id);
    expect(failed).toBeGreaterThan(BAD_MAILS / 2);
  });

  it('is held again when it goes on after its hold was discarded', async () => {
    const template = await newTemplate('goes on');
    const holdsOfIt = () => holdsOf(template);
    await sendAll(template, many('bad-once', BAD_MAILS));
    const [first] = await until(holdsOfIt, (holds) => holds.length === 1);
    await flow.api('POST', `/holds/${first.id}/discard`, { reason: 'Wrong template' });
    await until(holdsOfIt, ([{ state }]) => state === 'discarded');
    await sendAll(template, many('bad-twice', BAD_MAILS));
    const [second] = await until(holdsOfIt, (holds) => holds.length === 2);
    expect(second).toMatchObject({ state: 'in_force', placed_by: 'guard' });
  });
});

describe('mail without a template', () => {
  it('that is refused in one stream does not hold another stream of the same sender', async () => {
    const codes = await sendPlain(many('code', 60));
    for (const id of codes) await flow.when(id, ({ status }) => status === 'delivered');
    await sendPlain(many('bad-news', 100), 'bulk');
    const [hold] = await until(guardHolds, (holds) => holds[0]?.value.startsWith(flow.organization.domain));
    expect(hold.value).toBe(`${flow.organization.domain} in bulk to ${SITE}`);
    const news = await flow.send('late-news@customer.example', { stream: 'bulk' });
    const code = await flow.send('sign-in@customer.example', { stream: 'transactional' });
    await flow.when(code, ({ status }) => status === 'delivered');
    await flow.api('POST', `/holds/${hold.id}/discard`, { reason: 'Wrong news' });
    await flow.when(news, ({ status }) => status === 'failed');
  });
});

describe('on the first day of an organization', () => {
  it('a lane that the guard would hold goes on, and is shown to need attention', async () => {
    await makeOlder(flow.db, flow.organization.id, new Date());
    const template = await newTemplate('first day');
    const id = await sendAll(template, many('bad-first-day', 60));
    await settled(id, ({ bounced }) => bounced === 60);
    const [found] = await until(
      () => holdsOf(template),
      (holds) => holds.length > 0,
    );
    expect(found).toMatchObject({ scope: 'lane', state: 'released', decision: { by: 'guard' } });
    const { items } = (await flow.api('GET', '/stats/attention')).body.data;
    expect(items).toContainEqual(expect.objectContaining({ kind: 'guard_watched', id: found.id }));
    await makeOlder(flow.db, flow.organization.id, YESTERDAY);
  });
});

it('a guard that is turned off holds nothing', async () => {
  expect((await flow.api('PUT', '/settings/guard', { enabled: false })).status).toBe(200);
  const template = await newTemplate('unguarded');
  const before = (await guardHolds()).length;
  const id = await sendAll(template, many('bad-free', 100));
  await settled(id, ({ bounced }) => bounced === 100);
  expect(await guardHolds()).toHaveLength(before);
  await flow.api('PUT', '/settings/guard', { enabled: true });
});
