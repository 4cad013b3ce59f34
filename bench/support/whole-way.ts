/**
 * The whole path of a mail in a user's installation: the built API and workers in live mode, a sending domain with an RSA-2048
 * key, one webhook endpoint for all events, and a sink for the mail. Each runs in its own process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adHoc } from '../../src/database/sql.ts';
import { TEST_CERTIFICATE } from '../../test/support/test-certificate.ts';
import { cpuSeconds } from './cpu.ts';
import { SECRET_KEY, WORKERS } from './delivery-rig.ts';
import { addDomain, end, freePort, type Installation, startInstallation, startRole } from './installation.ts';
import { type HttpRequest, NUMBER_PLACE } from './load.ts';
import { DOMAINS, type MailSink, startMailSink } from './mail-sink.ts';
import { countWaiting, describeQueue } from './queue.ts';
import { receipt } from './receipt.ts';
import { firstMessage, waitUntilDone } from './wait.ts';

export const SENDER_DOMAIN = 'signed.test';
const METRICS_TOKEN = 'bench-metrics-token-0123456789';

export interface Content {
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

export interface WholeWay {
  readonly installation: Installation;
  readonly sink: MailSink;
  /** A receipt to each destination in turn, each to a different person, because the guard slows mail that floods one address. */
  readonly requests: readonly HttpRequest[];
  /** One mail to one person. */
  requestTo(address: string, content: Content): HttpRequest;
  /** Processor seconds used so far, by process. */
  cpu(): Readonly<Record<'api' | 'workers' | 'postgres', number>>;
  /** Mean milliseconds of each stage since the start, from `/metrics` of the API and of the worker. */
  stages(): Promise<Readonly<Record<string, number>>>;
  /** When the final dot of the mail to `probe-N@…` arrived. Rejects with a description of the queue if it does not arrive. */
  probed(number: number): Promise<bigint>;
  /** Resolves when no mail and no event for the webhook waits. */
  untilDone(): Promise<void>;
  stop(): Promise<void>;
}

export async function startWholeWay(workers = WORKERS): Promise<WholeWay> {
  const sink = await startMailSink();
  const receiver = fork(fileURLToPath(new URL('webhook-receiver-process.ts', import.meta.url)));
  const { port: webhookPort } = await firstMessage<{ port: number }>('the webhook receiver', receiver);
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-bench-worker-'));
  const certificate = join(dataDir, 'receiver.pem');
  writeFileSync(certificate, TEST_CERTIFICATE);
  const live = {
    POSTRIDER_MODE: 'live',
    POSTRIDER_SECRET_KEY: SECRET_KEY,
    POSTRIDER_HOSTNAME: 'mail.bench.test',
    POSTRIDER_DNS_SERVERS: sink.dnsAddress,
    POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true',
    POSTRIDER_LOG_LEVEL: 'warn',
    POSTRIDER_METRICS_TOKEN: METRICS_TOKEN,
    NODE_EXTRA_CA_CERTS: certificate,
  };
  const installation = await startInstallation(live);
  await furnish(installation, webhookPort);
  const metricsPort = await freePort();
  const children = Array.from({ length: workers }, (_, i) =>
    startRole('worker', {
      ...live,
      DATABASE_URL: installation.databaseUrl,
      POSTRIDER_DATA_DIR: dataDir,
      POSTRIDER_MX_PORT: String(sink.port),
      // Only one worker exports metrics.
      ...(i === 0 ? { POSTRIDER_METRICS_PORT: String(metricsPort) } : {}),
    }),
  );
  const requestTo: WholeWay['requestTo'] = (address, content) => ({
    method: 'POST',
    path: '/api/v1/emails/send',
    headers: installation.headers,
    body: { from: { email: `orders@${SENDER_DOMAIN}` }, to: [{ email: address }], ...content },
  });
  const { subject, html, text } = receipt();
  return {
    installation,
    sink,
    requests: Array.from({ length: DOMAINS }, (_, i) =>
      requestTo(`zoe-${NUMBER_PLACE}@${sink.domain(i)}`, { subject, text, html }),
    ),
    requestTo,
    cpu: () => ({
      api: cpuSeconds(installation.apiPid),
      workers: children.reduce((sum, { pid }) => sum + cpuSeconds(pid ?? 0), 0),
      postgres: cpuSeconds(installation.databasePid),
    }),
    stages: async () => ({
      ...(await stageMeans(installation.apiPort)),
      ...(await stageMeans(metricsPort)),
    }),
    probed: (number) => sink.probed(number, () => describeQueue(installation.db)),
    untilDone: () => untilEmpty(installation, children),
    async stop() {
      await Promise.all(children.map(end));
      await installation.stop();
      await sink.stop();
      receiver.disconnect();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates the sending domain (marked as verified, without DNS records) and the webhook endpoint. */
async function furnish(installation: Installation, webhookPort: number): Promise<void> {
  const { api, db, organizationId } = installation;
  await addDomain(installation, SENDER_DOMAIN);
  await db.exec(adHoc('UPDATE domains SET spf_verified = true, dkim_verified = true'));
  await db.exec(adHoc('UPDATE organizations SET daily_limit = 2000000000 WHERE id = $1'), [organizationId]);
  await api('POST', '/webhooks', { url: `https://127.0.0.1:${webhookPort}/` });
}

const waiting = adHoc<{ waits: boolean }>(
  `SELECT EXISTS (SELECT FROM outbox)
       OR EXISTS (SELECT FROM webhook_deliveries WHERE state = 'pending') AS waits`,
);

async function untilEmpty({ db }: Installation, workers: readonly ChildProcess[]): Promise<void> {
  await waitUntilDone({
    what: 'all mail to be delivered and all webhooks to be sent',
    isDone: async () => {
      if (workers.some(({ exitCode }) => exitCode !== null)) throw new Error('A worker ended.');
      return !(await db.one(waiting)).waits;
    },
    left: async () => {
      const { queued, webhooks } = await countWaiting(db);
      return queued + webhooks;
    },
    about: () => describeQueue(db),
  });
}

async function stageMeans(port: number): Promise<Record<string, number>> {
  const text = await (
    await fetch(`http://127.0.0.1:${port}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    })
  ).text();
  const read = (what: string) =>
    Object.fromEntries(
      [
        ...text.matchAll(new RegExp(`postrider_stage_seconds_${what}\\{.*stage="(\\w+)".*\\} (\\S+)`, 'g')),
      ].map(([, stage, value]) => [stage, Number(value)]),
    );
  const counts = read('count');
  return Object.fromEntries(
    Object.entries(read('sum')).map(([stage, sum]) => [stage, (Number(sum) * 1000) / (counts[stage] ?? 1)]),
  );
}
