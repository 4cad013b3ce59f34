/** The guard collapses a flood of repeats that several workers deliver, or that continues after a restart of the worker. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { liveEnv, startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { makeOlder } from '../support/older-organization.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';

const SITE = 'mx.customer.example';
/** More than two workers pass together: each passes 100 repeats before it slows the others. */
const FLOOD_EMAILS = 400;
/** The repeats that two workers pass, plus those sent in turn while a slow machine withdraws the rest. Otherwise all would be sent. */
const MOST_DELIVERED = 225;
/** The minute between two repeats takes a second. */
const SPEED = 60;

let zone: DnsZoneServer;
let sink: SmtpSink;
let server: TestApi;
let org: TestOrganization;
const workers = new Set<TestWorker>();
beforeAll(async () => {
  sink = await startSmtpSink();
  zone = await startDnsZone({ 'customer.example': { MX: [[10, SITE]] }, [SITE]: { A: ['127.0.0.1'] } });
  server = await startApi({ env: liveEnv(zone, sink.port) });
  org = await server.createOrganization();
  await makeOlder(server.db, org.id, new Date(Date.now() - 86_400_000));
});
afterEach(async () => {
  for (const worker of workers) await stopWorker(worker);
});
afterAll(async () => {
  await server.stop();
  await zone.stop();
  await sink.close();
});

async function startWorker(): Promise<TestWorker> {
  const worker = await startMailWorker(server.database, liveEnv(zone, sink.port), { speed: SPEED });
  workers.add(worker);
  return worker;
}

async function stopWorker(worker: TestWorker): Promise<void> {
  workers.delete(worker);
  await worker.stop();
}

async function flood(to: string): Promise<string> {
  const template = { name: `Code for ${to}`, subject: 'Your code', text: 'x' };
  const { id } = (await server.api('POST', '/templates', template, org.key)).body.data;
  const request = {
    from: { email: `hello@${org.domain}` },
    template_id: id,
    recipients: Array.from({ length: FLOOD_EMAILS }, () => ({ to: { email: to } })),
  };
  return (await server.api('POST', '/emails/batch', request, org.key)).body.data.batch_id;
}

interface Repeat {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
}
/** The repeats in the order of acceptance. */
const repeats = (batch: string) =>
  server.db.many(
    adHoc<Repeat>(
      `SELECT e.id, e.status, (SELECT v.reason FROM events v WHERE v.organization_id = e.organization_id AND v.email_id = e.id
         AND v.type = 'rejected') AS reason
       FROM emails e WHERE e.batch_id = $1 ORDER BY e.id`,
    ),
    [batch],
  );
/** Deliveries that were never tried and are due later. */
async function putOff(batch: string): Promise<number> {
  const waiting = adHoc<{ count: number }>(
    `SELECT count(*) FROM outbox WHERE email_id IN (SELECT id FROM emails WHERE batch_id = $1)
       AND attempt = 0 AND worker IS NULL AND due_at > now()`,
  );
  return (await server.db.one(waiting, [batch])).count;
}
const deliveredAmong = (all: readonly Repeat[]) => all.filter(({ status }) => status === 'delivered').length;
const isCollapsed = ({ reason }: Repeat) => reason === 'flood_collapsed';

/** Fails early if the flood is not collapsed, because delivering it at one repeat per turn takes minutes. */
async function expectCollapsed(batch: string): Promise<void> {
  const all = await until(
    () => repeats(batch),
    (now) => deliveredAmong(now) > MOST_DELIVERED || now.every(({ status }) => status !== 'queued'),
  );
  expect(all).toHaveLength(FLOOD_EMAILS);
  const delivered = deliveredAmong(all);
  expect(delivered).toBeLessThanOrEqual(MOST_DELIVERED);
  expect(all.at(-1)?.status).toBe('delivered');
  expect(all.filter(isCollapsed)).toHaveLength(FLOOD_EMAILS - delivered);
}

describe('a flood of repeats to one address', () => {
  it('that two workers deliver is collapsed to the newest, which is delivered', async () => {
    await startWorker();
    await startWorker();
    await expectCollapsed(await flood('two-workers@customer.example'));
  });

  it('that one worker slowed is collapsed by the worker that replaces it', async () => {
    const first = await startWorker();
    const batch = await flood('restarted@customer.example');
    const { waiting } = await until(
      async () => ({ waiting: await putOff(batch), delivered: deliveredAmong(await repeats(batch)) }),
      (now) => now.waiting > 0 || now.delivered > MOST_DELIVERED,
    );
    expect(waiting).toBeGreaterThan(0);
    await stopWorker(first);
    expect((await repeats(batch)).some(({ status }) => status === 'queued')).toBe(true);
    await startWorker();
    await expectCollapsed(batch);
  });
});
