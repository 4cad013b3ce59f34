/** From a report that a receiver mails to the address of a domain to what the API says about it. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { MAX_REPORTS_A_DAY, ReportTrimmer } from '../../src/domains/reports/store.ts';
import { type ReportMailbox, reportAddress } from '../../src/protocols/message/report-address.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { SecretKey } from '../../src/runtime/secret-key.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { INBOUND_HOST, startInbound, type TestInbound } from '../support/inbound.ts';
import { type Attachment, gzipped, recentReport, reportMail, zipped } from '../support/report-mail.ts';
import { ReportSender } from '../support/reports.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';

const KEY = new SecretKey(Buffer.from(TEST_SECRET_KEY)).derive('report-addresses');

let server: TestApi;
let inbound: TestInbound;
let org: TestOrganization;
let domainId: string;
const metrics = createMetrics('inbound');
const sender = new ReportSender();
beforeAll(async () => {
  server = await sharedApi();
  inbound = await startInbound(server.database, { metrics });
});
afterAll(async () => {
  await sender.stop();
  await inbound?.stop();
  await server?.stop();
});
beforeEach(async () => {
  org = await server.createOrganization();
  domainId = await domainOf(org, org.domain);
});

async function domainOf({ id }: TestOrganization, domain: string): Promise<string> {
  const find = adHoc<{ id: string }>('SELECT id FROM domains WHERE organization_id = $1 AND domain = $2');
  return (await server.db.one(find, [id, domain])).id;
}

function addressOf(mailbox: ReportMailbox, organization = org, id = domainId): string {
  return reportAddress(mailbox, { organizationId: organization.id, domainId: id }, KEY, INBOUND_HOST) ?? '';
}

async function bring(attachment: Attachment, to = addressOf('dmarc')): Promise<void> {
  const message = reportMail(attachment, to).toString('latin1');
  expect(await sender.send(inbound.port, to, message)).toMatchObject({ kind: 'accepted' });
  await expect.poll(() => inState('waiting'), { timeout: 20_000, interval: 20 }).toBe(0);
}

async function inState(state: string): Promise<number> {
  const count = adHoc<{ count: number }>('SELECT count(*) FROM inbound_messages WHERE state = $1');
  return (await server.db.one(count, [state])).count;
}

const get = (organization: TestOrganization, path: string) =>
  server.api('GET', path, undefined, organization.key);
const dmarc = async (organization = org, id = domainId) =>
  (await get(organization, `/domains/${id}/reports/dmarc`)).body.data;
const sample = (name: string) => recentReport(name, org.domain);

async function counted(result: string): Promise<number> {
  const line = new RegExp(`^postrider_inbound_reports_total\\{[^}]*result="${result}"[^}]*\\} (\\d+)`, 'm');
  return Number(line.exec(await metrics.text())?.[1] ?? 0);
}

describe('reports of DMARC', () => {
  it('come over SMTP, and the API says who sends in the name of the domain', async () => {
    await bring(zipped(sample('google.xml').replaceAll('mail.postrider.example', 'relay.example')));
    const data = await dmarc();
    expect(data.totals).toEqual({ messages: 502, aligned: 412, quarantined: 0, rejected: 0 });
    expect(data.reporters).toEqual([{ name: 'google.com', reports: 1 }]);
    expect(data.series).toHaveLength(30);
    expect(data.series.at(-2)).toMatchObject({ messages: 502, aligned: 412 });
    expect(data.sources).toMatchObject([
      {
        ip: '192.0.2.25',
        messages: 412,
        dkim_aligned: 412,
        spf_aligned: 0,
        passed_as: [org.domain, 'relay.example'],
      },
      {
        ip: '203.0.113.9',
        messages: 90,
        aligned: 0,
        passed_as: ['crm.example.net'],
        is_this_installation: false,
      },
    ]);
    expect(data.senders).toMatchObject([
      { messages: 412 },
      { name: 'example.net', messages: 90, addresses: 1 },
    ]);
    expect(data.advice).toMatch(/^Too few reports yet: 502 messages in 2 days; wait until /);
  });

  it('of several receivers add up', async () => {
    for (const name of ['google.xml', 'microsoft.xml', 'yahoo.xml', 'mailru.xml', 'fastmail.xml']) {
      await bring(gzipped(sample(name)));
    }
    const data = await dmarc();
    expect(data.totals).toEqual({ messages: 519, aligned: 426, quarantined: 0, rejected: 3 });
    expect(data.reporters).toHaveLength(5);
    expect(data.sources[0]).toMatchObject({ ip: '192.0.2.25', messages: 419 });
  });

  it('count once, however often and however packed they come', async () => {
    const xml = sample('google.xml');
    await bring(zipped(xml));
    await bring(gzipped(xml));
    await bring(zipped(xml));
    expect((await dmarc()).totals.messages).toBe(502);
    expect(await counted('report_repeated')).toBe(2);
  });

  it('know what this installation sent by the SPF record of its return paths', async () => {
    const own = sample('google.xml').replaceAll('mail.postrider.example', `bounces.${org.domain}`);
    await bring(zipped(own));
    const data = await dmarc();
    expect(data.sources[0]).toMatchObject({ ip: '192.0.2.25', is_this_installation: true });
    expect(data.senders[0]).toMatchObject({ name: null, is_this_installation: true, messages: 412 });
  });

  it.each([
    ['fail', [['reports_failing', 'warning']]],
    ['pass', []],
  ])('need attention where DKIM of our own mail is a %s', async (result, items) => {
    const own = sample('google.xml').replaceAll('mail.postrider.example', `bounces.${org.domain}`);
    await bring(zipped(own.replaceAll('<dkim>pass</dkim>', `<dkim>${result}</dkim>`)));
    const { data } = (await get(org, '/stats/attention')).body;
    const about = data.items.filter(({ id }: { id: string | null }) => id === domainId);
    expect(about.map((one: { kind: string; severity: string }) => [one.kind, one.severity])).toEqual(items);
  });

  it('show what strangers write only as text', async () => {
    const name = '&lt;img src=x onerror=alert(1)&gt;';
    await bring(zipped(sample('google.xml').replace('google.com', name)));
    expect((await dmarc()).reporters[0].name).toBe('<img src=x onerror=alert(1)>');
  });

  it('about another domain, of another time or of a domain that is not verified are dropped', async () => {
    await bring(zipped(recentReport('google.xml', 'elsewhere.example')));
    const longAgo = recentReport('google.xml', org.domain, Date.UTC(2020, 1, 1));
    await bring(zipped(longAgo));
    const unverify = adHoc('UPDATE domains SET dkim_verified = false WHERE organization_id = $1');
    await server.db.exec(unverify, [org.id]);
    await bring(zipped(sample('google.xml')));
    expect((await dmarc()).totals.messages).toBe(0);
    for (const result of ['report_of_other_domain', 'report_out_of_time', 'report_of_nobody']) {
      expect(await counted(result)).toBe(1);
    }
  });

  it('that cannot be read are kept for the operator, with the reason', async () => {
    await bring(gzipped('<!DOCTYPE x><feedback/>'));
    const kept = adHoc<{ note: string }>(
      `SELECT note FROM inbound_messages WHERE state = 'kept' AND domain_id = $1`,
    );
    expect(await server.db.many(kept, [domainId])).toEqual([
      { note: 'The XML has a document type, which no report needs.' },
    ]);
  });

  it('may be larger than other mail', async () => {
    const noise = Array.from({ length: 40_000 }, () => `<x>${Math.random()}</x>`).join('');
    const large = sample('google.xml').replace('</report_metadata>', `</report_metadata>${noise}`);
    await bring(gzipped(large));
    expect((await dmarc()).totals.messages).toBe(502);
  });

  it('to addresses that we did not give out are refused', async () => {
    const to = addressOf('dmarc');
    const forged = to.replace(/.@/, (end) => (end === '0@' ? '1@' : '0@'));
    for (const other of [forged, to.replace('dmarc+', 'dmarc+0')]) {
      expect(await sender.send(inbound.port, other, 'x')).toMatchObject({ kind: 'refused' });
    }
  });

  it('of one organization are nothing to another that has the same domain', async () => {
    const other = await server.createOrganization('Other');
    await server.addVerifiedDomain(other.id, org.domain);
    const otherId = await domainOf(other, org.domain);
    await bring(zipped(sample('google.xml')));
    expect((await dmarc()).totals.messages).toBe(502);
    expect((await dmarc(other, otherId)).totals.messages).toBe(0);
    expect((await get(other, `/domains/${domainId}/reports/dmarc`)).status).toBe(404);
  });

  it('are bounded: a domain takes so many a day, and no more', async () => {
    const fill = adHoc(
      `INSERT INTO domain_reports (organization_id, domain_id, kind, digest, reporter, begins_at, ends_at, received_at, row_count)
       SELECT $1, $2, 'dmarc', int4send(n), 'x', now(), now(), now(), 1 FROM generate_series(1, $3) AS n`,
    );
    await server.db.exec(fill, [org.id, domainId, MAX_REPORTS_A_DAY]);
    await bring(zipped(sample('google.xml')));
    expect((await dmarc()).totals.messages).toBe(0);
  });

  it('go when they are old, when there are too many, and with their domain', async () => {
    const rows = adHoc<{ count: number }>('SELECT count(*) FROM dmarc_rows WHERE domain_id = $1');
    const left = async () => (await server.db.one(rows, [domainId])).count;
    await bring(zipped(sample('google.xml')));
    await bring(gzipped(sample('mailru.xml')));
    const trimmer = new ReportTrimmer(server.db, 2);
    await trimmer.run();
    expect(await left()).toBe(3);
    const age = adHoc(
      `UPDATE domain_reports SET ends_at = now() - interval '401 days' WHERE domain_id = $1 AND reporter = 'Mail.Ru'`,
    );
    await server.db.exec(age, [domainId]);
    await trimmer.run();
    expect(await left()).toBe(2);
    await bring(gzipped(sample('mailru.xml').replace(/<report_id>/, '<report_id>2')));
    trimmer.note({ organizationId: org.id, domainId });
    await trimmer.run();
    expect(await left()).toBeLessThanOrEqual(2);
    await server.api('DELETE', `/domains/${domainId}`, undefined, org.key);
    expect(await left()).toBe(0);
  });
});

it('the sample of the documentation is taken as it is shown', async () => {
  const page = readFileSync('docs/receive/bounces.md', 'utf8');
  const [, command = ''] = /example: sample report -->\s+```sh\n([\s\S]*?)```/.exec(page) ?? [];
  const shown = command.replace('2525', String(inbound.port)).replace('shop.example.org', org.domain);
  await promisify(execFile)('sh', ['-c', shown], { env: { ...process.env, ADDRESS: addressOf('dmarc') } });
  await expect.poll(async () => (await dmarc()).totals.messages, { timeout: 20_000 }).toBe(502);
});

describe('reports about TLS', () => {
  it('come over SMTP, and the API says what failed and where', async () => {
    await bring(
      gzipped(sample('tls.json'), 'report.json.gz', 'application/tlsrpt+gzip'),
      addressOf('tlsrpt'),
    );
    const { data } = (await get(org, `/domains/${domainId}/reports/tls?days=7`)).body;
    expect(data.totals).toEqual({ sessions: 5629, failed: 303 });
    expect(data.series).toHaveLength(7);
    expect(data.failures[0]).toEqual({
      failure: 'starttls-not-supported',
      mx_host: `mx2.${org.domain}`,
      sessions: 200,
    });
    expect(data.advice).toContain('5% of 5,629 sessions failed, most often at mx2.');
  });
});

describe('the records of a domain', () => {
  it('ask for reports at the address that takes them', async () => {
    const { data } = (await get(org, `/domains/${domainId}`)).body;
    const record = data.recommended_records.find(
      ({ name }: { name: string }) => name === `_dmarc.${org.domain}`,
    );
    const address = /rua=mailto:(\S+)$/.exec(record.value)?.[1] ?? '';
    expect(address).toBe(addressOf('dmarc').replace(INBOUND_HOST, address.split('@')[1] ?? ''));
    const tls = data.recommended_records.find(({ name }: { name: string }) => name.startsWith('_smtp._tls.'));
    expect(tls.value).toMatch(/^v=TLSRPTv1; rua=mailto:tlsrpt\+/);
    expect((await dmarc()).record.value).toContain(address);
  });
});

describe('the address without a token', () => {
  const plain = `dmarc@${INBOUND_HOST}`;

  it('takes reports about a domain that one organization has verified', async () => {
    await bring(zipped(sample('google.xml')), plain);
    expect((await dmarc()).totals.messages).toBe(502);
  });

  it('takes those about a domain below it for it', async () => {
    await bring(zipped(recentReport('google.xml', `mail.${org.domain}`)), plain);
    expect((await dmarc()).totals.messages).toBe(502);
  });

  it('takes none about a domain that two have verified: each of them has an address of its own', async () => {
    const other = await server.createOrganization();
    await server.addVerifiedDomain(other.id, org.domain);
    const before = await counted('report_of_nobody');
    await bring(zipped(sample('google.xml')), plain);
    expect((await dmarc()).totals.messages).toBe(0);
    expect(await counted('report_of_nobody')).toBe(before + 1);
  });

  it('takes none about a domain that is not verified here', async () => {
    await server.db.exec(adHoc('UPDATE domains SET dkim_verified = false WHERE id = $1'), [domainId]);
    await bring(zipped(sample('google.xml')), plain);
    expect((await dmarc()).totals.messages).toBe(0);
  });

  it('keeps what cannot be read for the operator', async () => {
    const before = await inState('kept');
    await bring({ ...zipped(sample('google.xml')), bytes: Buffer.from('no archive') }, plain);
    expect(await inState('kept')).toBe(before + 1);
  });
});
