/** What a dry run foretells in live mode, where DNS and the state of sites decide. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { pauseSite } from '../../src/delivery/scheduler/site-store.ts';
import { utcDay } from '../../src/runtime/timestamp.ts';
import { startApi } from '../support/api.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { liveEnv } from '../support/mail-worker.ts';
import { inTurn, relayTo, setRoutes } from '../support/routes.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { Flow } from './flow.ts';

let zone: DnsZoneServer;
let sink: SmtpSink;
let flow: Flow;
beforeAll(async () => {
  sink = await startSmtpSink();
  zone = await startDnsZone({
    'customer.example': { MX: [[10, 'mx.customer.example']] },
    'mx.customer.example': { A: ['127.0.0.1'] },
    'paused.example': { MX: [[10, 'mx.paused.example']] },
    'mx.paused.example': { A: ['127.0.0.1'] },
    'signed.example': { MX: [[10, 'mx.customer.example']], secure: true },
    'nomail.example': { MX: [[0, '']] },
    'gone.example': 'NXDOMAIN',
    'broken.example': 'SERVFAIL',
  });
  const env = liveEnv(zone, sink.port);
  flow = await Flow.on(await startApi({ env }), env);
});
afterAll(async () => {
  await flow.stop();
  await zone.stop();
  await sink.close();
});

async function forecast(domain: string, more: object = {}) {
  const { body } = await flow.api('POST', '/emails/send?dry_run=true', {
    ...{ from: { email: `hello@${flow.organization.domain}` }, to: [{ email: `ada@${domain}` }] },
    ...{ subject: 'Hello', text: 'Hello', ...more },
  });
  return body.data.recipients[0];
}

describe('a dry run in live mode', () => {
  it.each([
    ['customer.example', 'delivered', null],
    ['nomail.example', 'bounced', 'domain_accepts_no_mail'],
    ['gone.example', 'bounced', 'recipient_domain_invalid'],
    ['broken.example', 'deferred', 'dns_unavailable'],
  ])('says of %s that mail would be %s, as it then is', async (domain, outcome, reason) => {
    expect(await forecast(domain)).toMatchObject({ outcome, reason });
    const email = await flow.when(await flow.send(`ada@${domain}`), ({ events }) =>
      events.some(({ type }) => type === outcome),
    );
    expect(email.events.find(({ type }) => type === outcome)?.reason ?? null).toBe(reason);
  });

  it('names the site, the way there and the TLS that is asked for', async () => {
    expect(await forecast('customer.example')).toMatchObject({
      site: 'mx.customer.example',
      route: { transport: 'default', source: null, rule: null },
      tls: { mode: 'opportunistic', policy: 'opportunistic' },
    });
  });

  it('names the way that the route table has for it, and nothing of others', async () => {
    await setRoutes(flow.db, {
      transports: [relayTo('secret', sink), relayTo('acme', sink)],
      rules: [
        { name: 'Secret', match: { tags: ['secret'] }, steps: inTurn('secret') },
        {
          name: 'Customers',
          match: { recipient_domains: ['customer.example'] },
          steps: inTurn('acme', 'secret'),
        },
      ],
    });
    const recipient = await forecast('customer.example');
    expect(recipient).toMatchObject({
      route: { transport: 'acme', rule: 2, message: expect.stringContaining('Through relay acme') },
      tls: { policy: 'relay' },
    });
    expect(JSON.stringify(recipient)).not.toMatch(/secret/i);
    await setRoutes(flow.db, { transports: [], rules: [] });
  });

  it('says of mail that demands TLS that the server cannot be verified, as it then cannot', async () => {
    const mail = { require_tls: true };
    const expected = { outcome: 'bounced', reason: 'requiretls_failed', tls: null };
    expect(await forecast('customer.example', mail)).toMatchObject(expected);
    const email = await flow.when(await flow.send('ada@customer.example', mail), ({ events }) =>
      events.some(({ type }) => type === 'bounced'),
    );
    expect(email.events.at(-1)).toMatchObject({ reason: 'requiretls_failed', enhanced_code: '5.7.10' });
  });

  it('says of mail that demands TLS what it demands, and what is not known before', async () => {
    expect(await forecast('signed.example', { require_tls: true })).toMatchObject({
      outcome: 'delivered',
      message: expect.stringContaining('REQUIRETLS'),
      tls: { mode: 'required', policy: 'require_tls' },
    });
  });

  it.each([
    ['wait', { outcome: 'waits', reason: 'allowance_spent', route: { transport: 'pool' } }],
    ['fallback', { outcome: 'delivered', reason: null, route: { transport: 'acme' } }],
  ] as const)('knows that an address has sent all that it may today: %s', async (over, expected) => {
    const since = utcDay(Date.now() - 86_400_000);
    const address = '127.0.0.1';
    await setRoutes(flow.db, {
      transports: [
        { kind: 'direct', name: 'pool', sources: [{ address, warm_up: { since, curve: [1], over } }] },
        relayTo('acme', sink),
      ],
      rules: [{ match: { recipient_domains: ['customer.example'] }, steps: inTurn('pool', 'acme') }],
    });
    await until(async () => (await forecast('customer.example')).route.transport === 'pool');
    expect((await forecast('customer.example')).outcome).toBe('delivered');
    const day = [address, utcDay(Date.now())];
    await flow.db.exec(
      adHoc("INSERT INTO source_days (address, provider, day, used) VALUES ($1, 'other', $2, 1)"),
      day,
    );
    expect(await forecast('customer.example')).toMatchObject(expected);
    await flow.db.exec(adHoc('DELETE FROM source_days'));
    await setRoutes(flow.db, { transports: [], rules: [] });
  });

  it('says that mail waits for a site that is paused', async () => {
    await pauseSite(flow.db, 'mx.paused.example');
    expect(await forecast('paused.example')).toMatchObject({ outcome: 'waits', reason: 'site_paused' });
  });
});
