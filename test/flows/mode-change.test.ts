/** The same database in the sandbox first and live then, and the other way round. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { SANDBOX_DOMAIN } from '../../src/domains/sandbox-domain.ts';
import { withdrawSandboxMail } from '../../src/operations/sandbox-mail.ts';
import { INSTALLATION } from '../../src/organizations/installation.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { newId } from '../../src/runtime/ids.ts';
import { createLog } from '../../src/runtime/log.ts';
import { changeMode } from '../../src/supervisor/prepare-installation.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { countsDiffer, hourlyCountsDiffer } from '../support/counts.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { liveEnv, startMailWorker } from '../support/mail-worker.ts';
import { seedMail } from '../support/seed-mail.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

let zone: DnsZoneServer;
let sink: SmtpSink;
let sandbox: TestApi;
let live: TestApi;
let organization: TestOrganization;
let env: Record<string, string>;
beforeAll(async () => {
  sink = await startSmtpSink();
  zone = await startDnsZone({
    'customer.example': { MX: [[10, 'mx.customer.example']] },
    'mx.customer.example': { A: ['127.0.0.1'] },
  });
  env = { ...liveEnv(zone, sink.port), POSTRIDER_HOSTNAME: 'mail.host.test' };
  sandbox = await startApi();
  live = await startApi({ env, database: sandbox.database });
  organization = await sandbox.createOrganization();
});
afterAll(async () => {
  await live.stop();
  await sandbox.stop();
  await zone.stop();
  await sink.close();
});

async function send(api: TestApi, to: string, fields: Record<string, unknown> = {}, key?: string) {
  const response = await fetch(`${api.url}/api/v1/emails/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${organization.key}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify({
      from: { email: `hello@${organization.domain}` },
      to: [{ email: to }],
      subject: 'Which mode?',
      text: 'Hello.',
      ...fields,
    }),
  });
  const { data } = (await response.json()) as { data: { message_id: string } };
  return { id: data.message_id, replayed: response.headers.has('idempotent-replayed') };
}

async function email(id: string) {
  return (await live.api('GET', `/emails/${id}`, undefined, organization.key)).body.data;
}

const final = (id: string) =>
  expect.poll(async () => (await email(id)).status, { timeout: 20_000 }).not.toBe('queued');

it('withdraws at a live start what the sandbox queued, due or scheduled, and sends none of it', async () => {
  const due = await send(sandbox, 'due@customer.example');
  const later = await send(sandbox, 'later@customer.example', {
    scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  for (const domain of ['tried.example', SANDBOX_DOMAIN])
    await sandbox.addVerifiedDomain(organization.id, domain);
  await sandbox.db.exec(
    adHoc(`UPDATE domains SET verified_in = 'sandbox' WHERE domain IN ('tried.example', $1)`),
    [SANDBOX_DOMAIN],
  );
  expect(await changeMode(sandbox.db, 'live', systemClock)).toEqual([
    'A domain was verified by the sandbox only, and cannot send before DNS shows the records. To see what is missing:',
    `  npx postrider domain verify tried.example --org ${organization.id}`,
    expect.stringMatching(/^2 deliveries of the sandbox are withdrawn/),
  ]);
  await sandbox.addVerifiedDomain(organization.id, 'live.example');
  const worker = await startMailWorker(sandbox.database, env);
  const real = await send(live, 'real@customer.example', { from: { email: 'a@live.example' } });
  for (const { id } of [due, later, real]) await final(id);
  await worker.stop();

  expect((await email(real.id)).status).toBe('delivered');
  for (const { id } of [due, later]) {
    const found = await email(id);
    expect(found).toMatchObject({ status: 'failed', mode: 'sandbox', recipients: [{ attempts: 0 }] });
    expect(found.events.at(-1)).toMatchObject({ type: 'rejected', reason: 'sandbox_ended' });
  }
  expect(sink.messages.map((one) => one.to)).toEqual([['real@customer.example']]);
  expect([await countsDiffer(sandbox.db), await hourlyCountsDiffer(sandbox.db)]).toEqual([[], []]);
  expect(await changeMode(sandbox.db, 'live', systemClock)).toEqual([]);

  const { body } = await live.api('GET', `/emails/${due.id}/explain`, undefined, organization.key);
  expect(body.data.recipients[0].problem).toMatchObject({ reason: 'sandbox_ended', responsible: 'sender' });
  const retry = await live.api('POST', `/emails/${due.id}/retry`, undefined, organization.key);
  expect(retry).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
});

it('does not repeat an answer of the sandbox in live mode: the mail it speaks of was never sent', async () => {
  await sandbox.addVerifiedDomain(organization.id, 'again.example');
  const fields = { from: { email: 'a@again.example' } };
  const key = randomUUID();
  const first = await send(sandbox, 'once@customer.example', fields, key);
  await sandbox.db.exec(adHoc(`UPDATE domains SET verified_in = 'sandbox' WHERE domain = 'live.example'`));
  await changeMode(sandbox.db, 'live', systemClock);
  const second = await send(live, 'once@customer.example', fields, key);
  expect(second.replayed).toBe(false);
  expect(second.id).not.toBe(first.id);
  const third = await send(live, 'once@customer.example', fields, key);
  expect(third).toEqual({ id: second.id, replayed: true });
  await changeMode(sandbox.db, 'live', systemClock);
  expect(await send(live, 'once@customer.example', fields, key)).toEqual({ id: second.id, replayed: true });
});

it('does not repeat what it answered in the words of another service either', async () => {
  const sendAs = async (api: TestApi, path: string, key: string, body: unknown) => {
    const response = await fetch(`${api.url}/compat/resend${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${organization.key}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, replayed: response.headers.has('idempotent-replayed') };
  };
  const letter = { from: 'a@again.example', to: 'once@customer.example', subject: 'Once', text: 'Hello.' };
  const [one, several] = [randomUUID(), randomUUID()];
  const sendBoth = async (api: TestApi) => [
    await sendAs(api, '/emails', one, letter),
    await sendAs(api, '/emails/batch', several, [letter, letter]),
  ];
  const done = { status: 200, replayed: false };
  expect(await sendBoth(sandbox)).toEqual([done, done]);
  await sandbox.db.exec(adHoc(`UPDATE domains SET verified_in = 'sandbox' WHERE domain = 'live.example'`));
  await changeMode(sandbox.db, 'live', systemClock);
  expect(await sendBoth(live)).toEqual([done, done]);
  expect(await sendBoth(live)).toEqual([done, done].map((first) => ({ ...first, replayed: true })));
});

it('leaves live mail alone in the sandbox, and refuses to start one over it', async () => {
  const waits = await send(live, 'waits@customer.example', { from: { email: 'a@again.example' } });
  await expect(changeMode(sandbox.db, 'sandbox', systemClock)).rejects.toThrow(
    /deliver(y|ies) of live mail (is|are) still in the queue.*POSTRIDER_MODE=live/,
  );
  // A worker that is started on its own goes on with its own mode's mail, in the very same lane.
  const worker = await startMailWorker(sandbox.database);
  const own = await send(sandbox, 'own@customer.example', { from: { email: 'a@again.example' } });
  await final(own.id);
  await worker.stop();
  expect((await email(own.id)).status).toBe('delivered');
  expect(await email(waits.id)).toMatchObject({
    status: 'queued',
    mode: 'live',
    recipients: [{ attempts: 0 }],
  });
  const { count } = await sandbox.db.one(
    adHoc<{ count: number }>(
      'SELECT count(*) FROM outbox WHERE email_id = $1 AND attempt = 0 AND worker IS NULL',
    ),
    [waits.id],
  );
  expect(count).toBe(1);
});

it('withdraws many, in steps that can be stopped and gone on with, by two workers at once', async () => {
  const many = newId('org');
  const { db } = sandbox;
  await seedMail(db, { organizationId: many, domain: 'customer.example', count: 1_300, mode: 'sandbox' });
  await seedMail(db, { organizationId: many, domain: 'customer.example', count: 20 });
  const deps = { db, clock: systemClock, log: createLog('test', 'silent') };
  const stopped = AbortSignal.abort();
  expect(await withdrawSandboxMail(deps, stopped)).toBe(0);
  const running = new AbortController().signal;
  const [one, two] = await Promise.all([
    withdrawSandboxMail(deps, running),
    withdrawSandboxMail(deps, running),
  ]);
  expect(one + two + (await withdrawSandboxMail(deps, running))).toBe(1_300);
  const left = await db.many(
    adHoc<{ mode: string; status: string; count: number }>(
      `SELECT mode, status, count(*) FROM emails WHERE organization_id = $1 GROUP BY 1, 2 ORDER BY 1`,
    ),
    [many],
  );
  expect(left).toEqual([
    { mode: 'live', status: 'queued', count: 20 },
    { mode: 'sandbox', status: 'failed', count: 1_300 },
  ]);
});

it('withdraws scheduled mail whose domain or key is gone when it is due, and no other mail', async () => {
  const later = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
  for (const name of ['removed', 'unverified', 'kept']) {
    await sandbox.addVerifiedDomain(organization.id, `${name}.example`);
  }
  const from = (name: string) => ({ from: { email: `a@${name}.example` } });
  const removed = await send(sandbox, 'a@customer.example', { ...from('removed'), ...later });
  const unverified = await send(sandbox, 'b@customer.example', { ...from('unverified'), ...later });
  const kept = await send(sandbox, 'c@customer.example', { ...from('kept'), ...later });
  const revokedKey = await sandbox.createKey(organization.id);
  const byKey = async (fields: Record<string, unknown>) =>
    (
      await sandbox.api(
        'POST',
        '/emails/send',
        { ...from('kept'), to: [{ email: 'd@customer.example' }], subject: 'Key', text: 'Hello.', ...fields },
        revokedKey,
      )
    ).body.data.message_id as string;
  const [scheduled, atOnce] = [await byKey(later), await byKey({})];
  const { db } = sandbox;
  await db.exec(adHoc(`DELETE FROM domains WHERE domain = 'removed.example'`));
  await db.exec(adHoc(`UPDATE domains SET spf_verified = false WHERE domain = 'unverified.example'`));
  await db.exec(
    adHoc(`UPDATE api_keys SET revoked_at = now() WHERE id = (SELECT api_key_id FROM emails WHERE id = $1)`),
    [scheduled],
  );
  await db.exec(adHoc(`UPDATE outbox SET due_at = now() WHERE mode = 'sandbox'`));
  const worker = await startMailWorker(sandbox.database);
  const ids = [removed.id, unverified.id, scheduled, kept.id, atOnce];
  for (const id of ids) await final(id);
  await worker.stop();
  const ends = await Promise.all(ids.map(async (id) => (await email(id)).events.at(-1)));
  expect(ends.map((event) => [event.type, event.reason])).toEqual([
    ['rejected', 'domain_removed'],
    ['rejected', 'domain_unverified'],
    ['rejected', 'key_revoked'],
    ['delivered', null],
    ['delivered', null],
  ]);
});

it('delivers the installation’s own mail, though its domains are another’s, and tells no webhook of it', async () => {
  const { db } = sandbox;
  const hook = { url: 'http://127.0.0.1:9/' };
  expect((await sandbox.api('POST', '/webhooks', hook, organization.key)).status).toBe(201);
  const from = 'postrider@kept.example';
  const own = { organizationId: INSTALLATION, domain: 'customer.example', count: 2, from };
  await seedMail(db, { ...own, mode: 'sandbox' });
  await db.exec(
    adHoc(`UPDATE emails SET scheduled_at = now() WHERE organization_id = $1 AND subject = 'Seed 1'`),
    [INSTALLATION],
  );
  const worker = await startMailWorker(sandbox.database);
  const theirs = await send(sandbox, 'e@customer.example', { from: { email: 'a@kept.example' } });
  const statuses = () =>
    db.many(adHoc<{ status: string }>('SELECT status FROM emails WHERE organization_id = $1'), [
      INSTALLATION,
    ]);
  const delivered = { status: 'delivered' };
  await expect.poll(statuses, { timeout: 20_000 }).toEqual([delivered, delivered]);
  await final(theirs.id);
  await worker.stop();
  const rows = await db.many(
    // Not of domains, whose checks may be due meanwhile.
    adHoc<{ email_id: string }>(
      'SELECT DISTINCT email_id FROM webhook_deliveries WHERE email_id IS NOT NULL',
    ),
  );
  expect(rows).toEqual([{ email_id: theirs.id }]);
});
