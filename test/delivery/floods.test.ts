/** Floods of repeats to one address: only the newest repeat is sent, while all other mail to the address passes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Flow } from '../flows/flow.ts';
import { startApi } from '../support/api.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { liveEnv } from '../support/mail-worker.ts';
import { makeOlder } from '../support/older-organization.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';

const SITE = 'mx.customer.example';
/** More than the 100 emails within 10 minutes that pass. */
const FLOOD_EMAILS = 150;
/** The minute between two repeats takes two seconds. */
const SPEED = 30;
const YESTERDAY = new Date(Date.now() - 86_400_000);

let zone: DnsZoneServer;
let sink: SmtpSink;
let flow: Flow;
beforeAll(async () => {
  sink = await startSmtpSink();
  zone = await startDnsZone({ 'customer.example': { MX: [[10, SITE]] }, [SITE]: { A: ['127.0.0.1'] } });
  const env = liveEnv(zone, sink.port);
  flow = await Flow.on(await startApi({ env }), env, { speed: SPEED });
});
afterAll(async () => {
  await flow.stop();
  await zone.stop();
  await sink.close();
});

async function flood(to: string): Promise<string> {
  const template = { name: `Code for ${to}`, subject: 'Your code', text: 'x' };
  const { id } = (await flow.api('POST', '/templates', template)).body.data;
  const { body } = await flow.api('POST', '/emails/batch', {
    from: { email: `hello@${flow.organization.domain}` },
    template_id: id,
    recipients: Array.from({ length: FLOOD_EMAILS }, () => ({ to: { email: to } })),
  });
  return body.data.batch_id;
}

const counts = async (batch: string) => (await flow.api('GET', `/emails/batch/${batch}`)).body.data.counts;
const allDelivered = (batch: string) =>
  until(
    () => counts(batch),
    (all) => all.delivered === FLOOD_EMAILS,
  );
const noneWaiting = (batch: string) =>
  until(
    () => counts(batch),
    ({ delivered = 0, failed = 0 }) => delivered + failed === FLOOD_EMAILS,
  );
const attention = async (kind: string, address: string) =>
  (await flow.api('GET', '/stats/attention')).body.data.items.filter(
    (item: { kind: string; name: string }) => item.kind === kind && item.name === address,
  );

describe('on the first day of an organization', () => {
  it('a mailbox for alerts gets all 150 emails, and the overview tells what the guard would have done', async () => {
    const to = 'alerts@customer.example';
    await allDelivered(await flood(to));
    const [item] = await attention('guard_watched', to);
    expect(item.message).toContain('in the first 24 hours the guard only watches');
  });
});

describe('after the first day, repeats that flood one address', () => {
  beforeAll(() => makeOlder(flow.db, flow.organization.id, YESTERDAY));

  it('are replaced by the newest of them, which is delivered', async () => {
    const to = 'victim@customer.example';
    const batch = await flood(to);
    const { delivered, failed } = await noneWaiting(batch);
    expect(delivered).toBeGreaterThanOrEqual(100);
    expect(failed).toBeGreaterThan(0);
    const replaced = (await flow.api('GET', `/emails?batch_id=${batch}&state=superseded&limit=1`)).body.data;
    expect((await flow.email(replaced[0].id)).events.at(-1)).toMatchObject({
      type: 'rejected',
      reason: 'flood_collapsed',
    });
    const all = (await flow.api('GET', `/emails?batch_id=${batch}&limit=100`)).body.data;
    const newest = all.reduce((a: { id: string }, b: { id: string }) => (a.id > b.id ? a : b));
    expect(newest.status).toBe('delivered');
    expect(await attention('mail_slowed', to)).toHaveLength(1);
    expect(await attention('mail_held', to)).toEqual([]);
  });

  it('do not keep other mail to the address from being delivered', async () => {
    const to = 'second-victim@customer.example';
    const batch = await flood(to);
    await until(
      () => attention('mail_slowed', to),
      (items) => items.length === 1,
    );
    const other = await flow.send(to, { subject: 'Your invoice' });
    await flow.when(other, ({ status }) => status === 'delivered');
    await noneWaiting(batch);
  });

  it('all pass where the allow-list has the address or its domain', async () => {
    for (const allow of [['Ops@customer.example'], ['customer.example']]) {
      expect((await flow.api('PUT', '/settings/guard', { allow })).status).toBe(200);
      await allDelivered(
        await flood(allow[0] === 'customer.example' ? 'team@customer.example' : 'ops@customer.example'),
      );
    }
    await flow.api('PUT', '/settings/guard', { allow: [] });
  });
});
