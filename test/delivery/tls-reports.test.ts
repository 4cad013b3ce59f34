/** TLS reports from sessions to the report's mail: the real worker, servers with and without TLS, and DNS records that request reports. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import PostalMime from 'postal-mime';
import { expect, it, onTestFinished } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { tlsReportsCheck } from '../../src/doctor/smtp/tls-reports.ts';
import { INSTALLATION } from '../../src/organizations/installation.ts';
import { newId } from '../../src/runtime/ids.ts';
import { openDoctorRoom, summaryOf } from '../doctor/doctor-context.ts';
import type { DnsRecords } from '../support/dns-zone.ts';
import { EXPIRED_CERTIFICATE, STRICT_CERTIFICATE } from '../support/strict-certificates.ts';
import { until } from '../support/until.ts';
import { type Scenario, startScenario } from './evil/scenario.ts';

const FROM = 'tls@sender.test';

async function start(rua: string, more: Record<string, DnsRecords> = {}): Promise<Scenario> {
  const scenario = await startScenario({
    sites: {
      wants: { capabilities: ['PIPELINING', 'STARTTLS'], certificate: EXPIRED_CERTIFICATE },
      quiet: {},
      inbox: {},
    },
    zone: () => ({
      '_smtp._tls.wants.test': { TXT: [`v=TLSRPTv1; rua=${rua}`] },
      '_smtp._tls.inbox.test': { TXT: ['v=TLSRPTv1; rua=mailto:reports@inbox.test'] },
      ...more,
    }),
    env: { POSTRIDER_TLS_REPORTS_FROM: FROM },
    worker: { trust: { certificates: STRICT_CERTIFICATE.cert, policyPort: 1 } },
  });
  await ownDomain(scenario, 'sender.test');
  return scenario;
}

async function ownDomain({ database: { db } }: Scenario, domain: string): Promise<void> {
  const organizationId = newId('org');
  await db.exec(
    adHoc(`INSERT INTO organizations (id, name, created_at) VALUES ($1, 'First', now() - interval '1 day')`),
    [organizationId],
  );
  await db.exec(
    adHoc(
      `INSERT INTO domains (id, organization_id, domain, spf_verified, dkim_verified, verified_at, verified_in, next_check_at)
       VALUES ($1, $2, $3, true, true, now(), 'live', NULL)`,
    ),
    [newId('dom'), organizationId, domain],
  );
}

/** Ends the day, so that the next worker sends the due reports. */
async function endDay({ database: { db } }: Scenario, ended = 'ended_at'): Promise<void> {
  await db.exec(adHoc(`UPDATE tls_reports SET due_at = now(), ended_at = ${ended}`));
}

const reports = ({ database: { db } }: Scenario) =>
  db.many(
    adHoc<{ domain: string; sent: boolean }>(
      'SELECT domain, ended_at IS NOT NULL AS sent FROM tls_reports ORDER BY 1',
    ),
  );

const sent = (scenario: Scenario) =>
  until(
    () => reports(scenario),
    (all) => all.length > 0 && all.every((one) => one.sent),
  );

const mails = ({ database: { db } }: Scenario) =>
  db.many(adHoc('SELECT id FROM emails WHERE organization_id = $1'), [INSTALLATION]);

it('are mailed to a domain that requests them, with the results of its TLS sessions', async () => {
  const scenario = await start('mailto:reports@inbox.test');
  await scenario.storePolicy('wants.test', { mode: 'testing', mx: ['mx.wants.test'] });
  await scenario.deliver('wants.test');
  await scenario.deliver('quiet.test');
  await scenario.restart();
  expect(await reports(scenario)).toEqual([{ domain: 'wants.test', sent: false }]);
  await endDay(scenario);
  await scenario.restart();
  const [message] = await scenario.sink('inbox').waitForMessages(1);
  const mail = await PostalMime.parse(message?.content ?? '');
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  expect(mail).toMatchObject({ from: { address: FROM }, to: [{ address: 'reports@inbox.test' }] });
  expect(mail.subject).toMatch(
    /^Report Domain: wants\.test Submitter: sender\.test Report-ID: <.+@sender\.test>$/,
  );
  expect(header('tls-report-domain')).toBe('wants.test');
  expect(header('tls-report-submitter')).toBe('sender.test');
  expect(header('tls-required')).toBe('No');
  expect(header('content-type')).toMatch(/^multipart\/report; report-type="tlsrpt"/);
  const [file] = mail.attachments;
  expect(file).toMatchObject({
    mimeType: 'application/tlsrpt+gzip',
    filename: expect.stringMatching(/^sender\.test!wants\.test!\d+!\d+\.json\.gz$/),
  });
  const report = JSON.parse(gunzipSync(Buffer.from(file?.content as ArrayBuffer)).toString());
  expect(report).toEqual({
    'organization-name': 'sender.test',
    'contact-info': FROM,
    'report-id': expect.stringMatching(/^\d{4}-\d\d-\d\d\.wants\.test@sender\.test$/),
    'date-range': {
      'start-datetime': expect.stringMatching(/T00:00:00Z$/),
      'end-datetime': expect.stringMatching(/T23:59:59Z$/),
    },
    policies: [
      {
        policy: {
          'policy-type': 'sts',
          'policy-string': ['version: STSv1', 'mode: testing', 'mx: mx.wants.test', 'max_age: 86400'],
          'policy-domain': 'wants.test',
          'mx-host': ['mx.wants.test'],
        },
        summary: { 'total-successful-session-count': 0, 'total-failure-session-count': 1 },
        'failure-details': [
          {
            'result-type': 'certificate-expired',
            'receiving-mx-hostname': 'mx.wants.test',
            'receiving-ip': scenario.sink('wants').address,
            'failed-session-count': 1,
            'failure-reason-code': 'expired',
          },
        ],
      },
    ],
  });
});

it('are sent once, also by a worker that died before it could say that it had, and not about themselves', async () => {
  const scenario = await start('mailto:reports@inbox.test');
  await scenario.deliver('wants.test');
  await scenario.restart();
  await endDay(scenario);
  await scenario.restart();
  await scenario.sink('inbox').waitForMessages(1);
  await sent(scenario);
  await endDay(scenario, 'NULL');
  await scenario.restart();
  expect(await sent(scenario)).toEqual([{ domain: 'wants.test', sent: true }]);
  expect(await mails(scenario)).toHaveLength(1);
});

it('are posted if a domain requests that', async () => {
  const posted: { type: string | undefined; body: Buffer }[] = [];
  const server = createServer(STRICT_CERTIFICATE, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    posted.push({ type: request.headers['content-type'], body: Buffer.concat(chunks) });
    response.writeHead(201).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const scenario = await start(`https://mta-sts.strict.test:${port}/tlsrpt`, {
    'mta-sts.strict.test': { A: ['127.0.0.1'] },
  });
  await scenario.deliver('wants.test');
  await scenario.restart();
  await endDay(scenario);
  await scenario.restart();
  await sent(scenario);
  expect(posted.map(({ type }) => type)).toEqual(['application/tlsrpt+gzip']);
  expect(JSON.parse(gunzipSync(posted[0]?.body ?? Buffer.alloc(0)).toString())).toMatchObject({
    policies: [
      {
        policy: { 'policy-type': 'no-policy-found', 'policy-domain': 'wants.test' },
        summary: { 'total-successful-session-count': 1, 'total-failure-session-count': 0 },
      },
    ],
  });
});

it('are summarized by the doctor: sent reports, their results, and reports that could not be sent', async () => {
  const room = await openDoctorRoom();
  onTestFinished(() => room.stop());
  const scenario = await start('https://127.0.0.1:1/tlsrpt');
  const find = async (env: Record<string, string> = { POSTRIDER_TLS_REPORTS_FROM: FROM }) =>
    summaryOf(await room.find(tlsReportsCheck, { env, context: { db: scenario.database.db } }));
  expect(await find({})).toEqual(['ok: No TLS reports are sent: POSTRIDER_TLS_REPORTS_FROM is not set.']);
  await scenario.storePolicy('wants.test', { mode: 'testing', mx: ['mx.wants.test'] });
  await scenario.deliver('wants.test');
  await scenario.restart();
  const failed =
    'Of 1 session with domains that request reports 1 failed, most with wants.test (certificate-expired).';
  expect(await find()).toEqual([
    `ok: In the last seven days 0 TLS reports went out, 1 is waiting. ${failed}`,
  ]);
  await endDay(scenario);
  await scenario.restart();
  const [, problem] = await until(find, ({ length }) => length > 1);
  expect(problem).toMatch(
    /^warn: 1 TLS report could not be sent, such as that of \d{4}-\d\d-\d\d to wants\.test: "https:\/\/127\.0\.0\.1:1\/tlsrpt did not take it\."\.$/,
  );
  scenario.dns.set('_smtp._tls.wants.test', { TXT: ['v=TLSRPTv1; rua=mailto:reports@inbox.test'] });
  await endDay(scenario);
  await scenario.restart();
  await sent(scenario);
  expect(await find()).toEqual([
    `ok: In the last seven days 1 TLS report went out, 0 are waiting. ${failed}`,
  ]);
});

it('are not made without a configured sender', async () => {
  const scenario = await startScenario({
    sites: { wants: {} },
    zone: () => ({ '_smtp._tls.wants.test': { TXT: ['v=TLSRPTv1; rua=mailto:a@wants.test'] } }),
  });
  await scenario.deliver('wants.test');
  await scenario.restart();
  expect(await reports(scenario)).toEqual([]);
  expect(scenario.dns.count('_smtp._tls.wants.test')).toBe(0);
});
