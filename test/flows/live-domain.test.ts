/**
 * From nothing to authenticated mail in live mode: a DNS server on loopback is the only resolver, our sink is the
 * receiver's mail server, and another program judges what arrived as a receiver would.
 */
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { spf } from 'mailauth/lib/spf/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { recordSendingHost } from '../../src/domains/sending-host/store.ts';
import { createResolver, type Resolver } from '../../src/protocols/dns/resolver.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { liveEnv } from '../support/mail-worker.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { type SinkScript, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { Flow } from './flow.ts';

const HOST = 'mail.host.test';
const DOMAIN = 'shop.example';
const OWN_DOMAIN = 'host.test';
const CLIENT = '127.0.0.1';

/** As Gmail does with mail whose DKIM key it does not find. */
const refuseTheUnauthenticated: SinkScript = {
  rcpt: ({ line }) =>
    line.includes('unauthenticated@')
      ? '550 5.7.26 Your email has been blocked because the sender is unauthenticated.'
      : { act: 'agree' },
};

let zone: DnsZoneServer;
let sink: SmtpSink;
let flow: Flow;
let receiver: Resolver;
beforeAll(async () => {
  sink = await startSmtpSink({ script: refuseTheUnauthenticated });
  zone = await startDnsZone({
    'customer.example': { MX: [[10, 'mx.customer.example']] },
    'mx.customer.example': { A: ['127.0.0.1'] },
    [HOST]: { A: [CLIENT], MX: [[10, HOST]], TXT: ['v=spf1 a -all'] },
  });
  receiver = createResolver({ clock: systemClock, servers: [zone.address] });
  const env = {
    ...liveEnv(zone, sink.port),
    POSTRIDER_HOSTNAME: HOST,
    POSTRIDER_DKIM_DOMAIN: OWN_DOMAIN,
  };
  const api = await startApi({ env });
  await publishOwnKey(api, env);
  flow = await Flow.on(api, env);
});
afterAll(async () => {
  await flow.stop();
  receiver.close();
  await zone.stop();
  await sink.close();
});

/** As whoever runs the installation does it, some minutes ago. */
async function publishOwnKey({ db, database }: TestApi, env: Record<string, string>): Promise<void> {
  const secret = { DATABASE_URL: database.url, POSTRIDER_SECRET_KEY: TEST_SECRET_KEY };
  const ask = () => runCommand(['dkim', '--json'], { ...env, ...secret });
  const { dns_record } = JSON.parse((await ask()).out);
  zone.set(dns_record.name, { TXT: [dns_record.value] });
  await ask();
  await db.exec(adHoc(`UPDATE own_dkim_keys SET switches = ARRAY[switches[1] - interval '5 minutes']`));
}

/** How mailauth asks DNS: our loopback server answers, and nobody else. */
async function resolveForReceiver(name: string, type: string): Promise<string[] | string[][]> {
  const answer = type === 'TXT' ? await receiver.txt(name) : await receiver.a(name);
  if (answer.kind !== 'found') throw Object.assign(new Error(`no ${type} at ${name}`), { code: 'ENODATA' });
  return type === 'TXT' ? answer.records.map((text) => [text]) : [...answer.records];
}

const spfResult = async (sender: string, ip = CLIENT) => {
  const { status } = await spf({
    sender,
    ip,
    helo: HOST,
    mta: 'mx.customer.example',
    resolver: resolveForReceiver,
  });
  return status.result;
};

describe('a domain in live mode', () => {
  it('is registered, published, verified, and its mail passes DKIM and SPF at the receiver', async () => {
    const { id, dns_records } = (await flow.api('POST', '/domains', { domain: DOMAIN })).body.data;
    const before = (await flow.api('GET', `/domains/${id}/verify`)).body.data;
    expect(before).toMatchObject({ is_verified: false, spf_verified: false, dkim_verified: false });
    const from = { email: `orders@${DOMAIN}`, name: 'Shop' };
    await expect(flow.send('ada@customer.example', { from })).rejects.toThrow('DOMAIN_NOT_VERIFIED');

    for (const { name, value } of dns_records) zone.set(name, { TXT: [value] });
    const verified = (await flow.api('GET', `/domains/${id}/verify`)).body.data;
    expect(verified).toMatchObject({ is_verified: true, spf_verified: true, dkim_verified: true });
    expect(verified.checks.map((one: { status: string }) => one.status)).toEqual(['pass', 'pass', 'warn']);

    const html = `<p>Grüße,\n..dots, and a long line ${'x'.repeat(500)}</p>`;
    const sent = await flow.send('ada@customer.example', { from, html, text: 'Grüße\n.\n\n\n' });
    expect((await flow.final(sent)).status).toBe('delivered');

    const [arrived] = sink.messages;
    const { results } = await dkimVerify(arrived?.content ?? Buffer.alloc(0), {
      resolver: resolveForReceiver,
    });
    expect(
      results.map(({ status, signingDomain, selector }) => [
        status.result,
        status.aligned,
        signingDomain,
        selector,
      ]),
    ).toEqual([
      ['pass', DOMAIN, DOMAIN, verified.dkim_selector],
      ['pass', false, OWN_DOMAIN, expect.stringMatching(/^pr[0-9a-f]{12}$/)],
    ]);
    expect(arrived?.from).toMatch(new RegExp(`@${HOST}$`));
    expect(await spfResult(arrived?.from ?? '')).toBe('pass');
    expect(await spfResult(from.email)).toBe('pass');
    expect(await spfResult(from.email, '192.0.2.1')).toBe('softfail');
  });

  it('that lets its bounces lead to us has return paths of its own, and passes SPF with them', async () => {
    const domain = 'aligned.example';
    const { id, dns_records, recommended_records } = (await flow.api('POST', '/domains', { domain })).body
      .data;
    for (const { name, value } of dns_records) zone.set(name, { TXT: [value] });
    const name = `bounces.${domain}`;
    const below = recommended_records.filter((one: { name: string }) => one.name === name);
    expect(below.map(({ type, value }: { type: string; value: string }) => [type, value])).toEqual([
      ['MX', `10 ${HOST}`],
      ['TXT', `v=spf1 include:${HOST} ~all`],
    ]);
    zone.set(name, { MX: [[10, HOST]], TXT: [below[1].value] });
    await flow.api('GET', `/domains/${id}/verify`);
    // The first mail does not wait for long to learn of it.
    const sendOne = async () => {
      const id = await flow.send('bob@customer.example', { from: { email: `orders@${domain}` } });
      expect((await flow.final(id)).status).toBe('delivered');
      return sink.messages.findLast(({ to }) => to.includes('bob@customer.example'))?.from ?? '';
    };
    await expect.poll(sendOne, { timeout: 30_000 }).toMatch(/^b\+[a-z0-9]{59}@bounces\.aligned\.example$/);
    const from = await sendOne();
    expect(await spfResult(from)).toBe('pass');
    expect(await spfResult(from, '192.0.2.1')).toBe('softfail');
  });

  it('whose DKIM record disappears is found out by the first refusal, and says so everywhere', async () => {
    const domain = 'lapsed.example';
    const { id, dns_records } = (await flow.api('POST', '/domains', { domain })).body.data;
    for (const { name, value } of dns_records) zone.set(name, { TXT: [value] });
    await flow.api('GET', `/domains/${id}/verify`);
    const url = 'https://127.0.0.1:9/hook';
    const event_types = ['domain.failing', 'domain.recovered'];
    const hook = (await flow.api('POST', '/webhooks', { url, event_types })).body.data.id;
    zone.remove(dns_records[0].name);
    // Nobody has looked for an hour.
    await flow.db.exec(
      adHoc(`UPDATE domains SET last_checked_at = now() - interval '1 hour' WHERE id = $1`),
      [id],
    );

    const from = { email: `orders@${domain}` };
    const sent = await flow.send('unauthenticated@customer.example', { from });
    expect((await flow.final(sent)).events.at(-1)).toMatchObject({
      type: 'bounced',
      reason: 'authentication_failed',
    });
    const read = async () => (await flow.api('GET', `/domains/${id}`)).body.data;
    await expect.poll(read, { timeout: 30_000 }).toMatchObject({
      is_verified: true,
      warning: expect.stringContaining(dns_records[0].name),
      checks: [
        { record: 'dkim', status: 'fail' },
        { record: 'spf', status: 'pass' },
        { record: 'dmarc', status: 'warn' },
      ],
    });
    expect((await flow.api('GET', '/stats/attention')).body.data.items).toContainEqual(
      expect.objectContaining({ kind: 'domain_failing', id, name: domain }),
    );
    const hookDeliveries = async () => (await flow.api('GET', `/webhooks/${hook}/deliveries`)).body.data;
    expect(await hookDeliveries()).toMatchObject([{ type: 'domain.failing', email_id: null }]);
    const still = (await flow.api('GET', `/domains/${id}/verify`)).body.data;
    expect(still).toMatchObject({ is_verified: true, dkim_verified: true });

    zone.set(dns_records[0].name, { TXT: [dns_records[0].value] });
    expect((await flow.api('GET', `/domains/${id}/verify`)).body.data.warning).toBeNull();
    expect(await hookDeliveries()).toMatchObject([{ type: 'domain.recovered' }, { type: 'domain.failing' }]);
  });

  it('shows everybody what is wrong with the host that sends', async () => {
    const message = '8.8.4.4 has no reverse DNS';
    const findings = [{ about: 'reverse_dns', status: 'fail', message }] as const;
    await recordSendingHost(flow.db, { host: HOST, findings });
    expect((await flow.api('GET', '/stats/attention')).body.data.items).toContainEqual({
      kind: 'sending_host',
      severity: 'critical',
      id: null,
      name: HOST,
      message,
    });
  });

  it('cannot send from the sandbox’s own domain, nor from one that is not there', async () => {
    for (const domain of ['sandbox.test', 'unknown.example']) {
      const from = { email: `a@${domain}` };
      await expect(flow.send('ada@customer.example', { from })).rejects.toThrow('DOMAIN_NOT_VERIFIED');
    }
  });
});
