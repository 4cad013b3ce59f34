/** From a send through a worker and a scripted server to the explanation, and to another try. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { noteRepeat, repeatDigestOf } from '../../src/emails/collapse.ts';
import { attemptsOfEmail } from '../../src/events/attempts.ts';
import { recordFinding } from '../../src/interventions/holds/guard-findings.ts';
import type { EmailAddress, MailDomain } from '../../src/protocols/message/address.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { countersOf, sendLetter } from '../support/emails.ts';
import { liveEnv, startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { inTurn, relayTo, setRoutes } from '../support/routes.ts';
import { drop, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';

let server: TestApi;
let org: TestOrganization;
let sink: SmtpSink;
let relay: SmtpSink;
let dns: DnsZoneServer;
let worker: TestWorker;

beforeAll(async () => {
  sink = await startSmtpSink();
  relay = await startSmtpSink({ address: '127.0.2.1' });
  dns = await startDnsZone({
    'there.test': { MX: [[10, 'mx.there.test']] },
    'mx.there.test': { A: [sink.address] },
  });
  server = await startApi({ env: { POSTRIDER_MODE: 'live' } });
  org = await server.createOrganization('Sender');
  await setRoutes(server.db, {
    transports: [relayTo('acme', relay)],
    rules: [{ name: 'receipts', match: { tags: ['kind:receipt'] }, steps: inTurn('acme') }],
  });
  worker = await startMailWorker(server.database, liveEnv(dns, sink.port));
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
  await sink.close();
  await relay.close();
  await dns.stop();
});

async function send(script: SmtpSink['script'], changes: Record<string, unknown> = {}): Promise<string> {
  sink.script = script;
  const id = await sendLetter(server, org, { to: [{ email: 'ada@there.test' }], ...changes });
  await attempted(id, 1);
  return id;
}

/** Waits until the email has been tried so often. */
async function attempted(id: string, times: number): Promise<void> {
  await until(
    () => attemptsOfEmail(server.db, org.id, id),
    (attempts) => attempts.length >= times,
  );
}

const call = (method: string, id: string, what: string) =>
  server.api(method, `/emails/${id}/${what}`, undefined, org.key);

async function explained(id: string) {
  const answer = await call('GET', id, 'explain');
  expect(answer.status).toBe(200);
  return answer.body.data.recipients[0];
}

const eventsOf = async (id: string) =>
  (await server.api('GET', `/emails/${id}`, undefined, org.key)).body.data.events.map(
    (event: { type: string; reason: string | null }) => [event.type, event.reason],
  );

describe('an explanation', () => {
  it('of a bounce has the words of the server, the rule, who can do something, and what', async () => {
    const id = await send({ rcpt: '550 5.1.1 no such user here' }, { to: [{ email: 'gone@there.test' }] });
    const recipient = await explained(id);
    expect(recipient).toMatchObject({
      email: 'gone@there.test',
      status: 'bounced',
      next_attempt_at: null,
      problem: { reason: 'unknown_recipient', responsible: 'recipient', advice: expect.any(String) },
      attempts: [{ attempt: 1, outcome: 'bounced', rule: expect.any(String), mx_host: 'mx.there.test' }],
    });
    const said: string[] = recipient.attempts[0].conversation;
    expect(said[0]).toBe(`- mx.there.test [${sink.address}]:${sink.port}`);
    expect(said).toContain('> RCPT TO:<gone@there.test>');
    expect(said).toContain('< 550 5.1.1 no such user here');
    expect(said.join()).not.toContain('Hello Ada');
  });

  it('of a deferral says when the next try is', async () => {
    const id = await send({ dot: '451 4.7.1 greylisted, come back later' });
    const recipient = await explained(id);
    expect(recipient).toMatchObject({
      status: 'deferred',
      in_progress: false,
      problem: { reason: 'greylisted', responsible: 'receiver' },
    });
    expect(Date.parse(recipient.next_attempt_at)).toBeGreaterThan(Date.now());
    expect(recipient.attempts[0].next_attempt_at).toBe(recipient.next_attempt_at);
  });

  it('of a delivery has no problem', async () => {
    const recipient = await explained(await send({}));
    expect(recipient).toMatchObject({
      status: 'delivered',
      problem: null,
      attempts: [{ outcome: 'delivered' }],
    });
  });

  it('of a delivery says which way it took', async () => {
    const byRule = await explained(await send({}, { tags: [{ name: 'kind', value: 'receipt' }] }));
    const why = 'rule 1 (receipts) matched: tag kind:receipt';
    expect(relay.messages.map(({ to }) => to)).toEqual([['ada@there.test']]);
    expect(byRule.attempts[0].route).toEqual({
      ...{ transport: 'acme', kind: 'relay', source: null, rule: 1, step: 1, why },
      message: `Through relay acme (${why}).`,
    });
    const byNone = await explained(await send({}));
    expect(byNone.attempts[0].route).toMatchObject({ transport: 'default', rule: null });
  });

  it('of a cancelled email says that it was cancelled', async () => {
    const id = await sendLetter(server, org, { scheduled_at: '2031-01-01T00:00:00Z' });
    await call('POST', id, 'cancel');
    expect(await explained(id)).toMatchObject({
      status: 'failed',
      problem: { reason: 'cancelled' },
      attempts: [],
    });
    expect((await call('POST', id, 'retry')).status).toBe(409);
  });

  it('is not for keys that may only send', async () => {
    const made = await server.api('POST', '/api-keys', { name: 'Sends', scope: 'send' }, org.key);
    const id = await send({});
    const path = `/emails/${id}/explain`;
    expect((await server.api('GET', path, undefined, made.body.data.key)).status).toBe(403);
  });
});

describe('a retry', () => {
  it('of deferred mail makes it due now', async () => {
    const id = await send({ rcpt: '451 4.7.1 greylisted' });
    sink.script = {};
    expect((await call('POST', id, 'retry')).status).toBe(200);
    await attempted(id, 2);
    expect(await eventsOf(id)).toEqual([
      ['queued', null],
      ['processing', null],
      ['deferred', 'greylisted'],
      ['queued', 'retried'],
      ['processing', null],
      ['delivered', null],
    ]);
    expect((await call('POST', id, 'retry')).body.error.code).toBe('CONFLICT');
  });

  it('of failed mail queues it again with a fresh lifetime, and the counters follow', async () => {
    const before = await countersOf(server.db, org.id);
    const id = await send({ dot: drop() }, { expires_in: 3600 });
    await server.db.exec(adHoc(`UPDATE outbox SET expires_at = now(), due_at = now() WHERE email_id = $1`), [
      id,
    ]);
    await attempted(id, 2);
    const count = async (status: string) =>
      ((await countersOf(server.db, org.id))[status] ?? 0) - (before[status] ?? 0);
    expect(await explained(id)).toMatchObject({ status: 'failed' });
    expect(await count('failed')).toBe(1);
    sink.script = {};
    const answer = await call('POST', id, 'retry');
    expect(answer.body.data).toMatchObject({ id, status: expect.stringMatching(/^(queued|delivered)$/) });
    await attempted(id, 3);
    expect(await explained(id)).toMatchObject({ status: 'delivered' });
    expect([await count('failed'), await count('delivered')]).toEqual([0, 1]);
  });

  it.each([
    ['delivered', {}],
    ['bounced', { rcpt: '550 5.1.1 no such user' }],
  ])('of %s mail is refused', async (status, script) => {
    const id = await send(script, { to: [{ email: `${status}@there.test` }] });
    expect((await explained(id)).status).toBe(status);
    const answer = await call('POST', id, 'retry');
    expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT']);
  });
});

describe('mail that the guard slows', () => {
  const to = 'flooded@there.test';
  const subject = 'Your code';
  const fromDomain = () => org.domain as MailDomain;
  const repeat = () => ({
    fromDomain: fromDomain(),
    templateId: null,
    subject,
    recipient: to as EmailAddress,
  });

  /** As a worker leaves it: never tried, not scheduled, and due later. */
  async function putOff(): Promise<string> {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const id = await sendLetter(server, org, { to: [{ email: to }], subject, scheduled_at: inAnHour });
    await server.db.exec(adHoc('UPDATE emails SET scheduled_at = NULL WHERE id = $1'), [id]);
    return id;
  }
  const note = (emailId: string) =>
    noteRepeat(server.db, { organizationId: org.id, emailId, position: 0 }, repeatDigestOf(repeat()));

  it('is explained by the guard, which sends the newest repeat and withdraws the others', async () => {
    const older = await putOff();
    await note(older);
    expect((await explained(older)).problem).toBeNull();
    await recordFinding(server.db, {
      organizationId: org.id,
      scope: 'recipient',
      value: to,
      reason: 'A flood.',
      outcome: 'slowed',
    });
    const newest = await explained(older);
    expect(newest.problem).toMatchObject({ reason: 'flood_slowed', responsible: 'sender' });
    expect(newest.wait.message).toContain('The guard slows repeats of this email');
    expect(newest.wait.message).toContain('This email is the newest');
    expect(newest.wait.expected_at).toBe(newest.next_attempt_at);
    await note(await putOff());
    expect((await explained(older)).wait.message).toContain(
      'this email, which is withdrawn when its turn comes',
    );
  });
});
