/** A whole installation, watched: one page with the numbers of every role, and files for Grafana and Prometheus. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import nodemailer from 'nodemailer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pauseSite } from '../../src/delivery/scheduler/site-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { Role } from '../support/role.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { labelsInText, labelsOnPage, type Named, namedIn } from './promql.ts';
import { freePort, Supervised } from './supervised.ts';

const KEY = 'a-key-of-the-watched-installation';
const START = fileURLToPath(new URL('../../dist/processes/start.js', import.meta.url));
const PROCESSES = ['api', 'worker', 'smtp'];
const FROM = 'hello@sandbox.test';

let database: TestDatabase;
let receiver: WebhookReceiver;
let running: Supervised;
let metricsUrl: string;
let collector: OtlpReceiver;
const dataDir = mkdtempSync(join(tmpdir(), 'postrider-watch-'));

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startWebhookReceiver();
  collector = await startOtlpReceiver();
  const [inbound, submission, metrics] = [await freePort(), await freePort(), await freePort()];
  metricsUrl = `http://127.0.0.1:${metrics}/metrics`;
  running = await Supervised.start(
    [],
    {
      DATABASE_URL: database.url,
      POSTRIDER_DATA_DIR: dataDir,
      POSTRIDER_API_KEY: KEY,
      POSTRIDER_INBOUND_PORT: String(inbound),
      POSTRIDER_SUBMISSION_PORT: String(submission),
      POSTRIDER_METRICS_PORT: String(metrics),
      POSTRIDER_LOG_ATTEMPTS: 'true',
      POSTRIDER_TRACES_URL: collector.url,
    },
    START,
  );
  await running.says(/is ready/);
  await keepBusy(submission);
});
afterAll(async () => {
  await running.clear();
  await receiver.close();
  await collector.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape and check what they find
async function call(method: string, path: string, body?: object, more: object = {}): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${running.port}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }), ...more },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data } = (await response.json()) as { data: unknown };
  return data;
}

const post = (path: string, body: object, headers: object = {}) => call('POST', path, body, headers);

/** Something of everything that is counted. */
async function keepBusy(submissionPort: number): Promise<void> {
  await pauseSite(database.db, 'mx.paused.test');
  await post('/webhooks', { url: `${receiver.url}/` });
  for (const part of ['delivered', 'bounced', 'late-bounce', 'opened']) {
    await post('/emails/send', {
      from: { email: FROM },
      to: [{ email: `${part}@simulator.test` }],
      subject: part,
      html: '<p>Hello</p>',
      track_opens: true,
    });
  }
  const mailer = nodemailer.createTransport({ host: '127.0.0.1', port: submissionPort, secure: false });
  await mailer.sendMail({ from: FROM, to: 'delivered@simulator.test', subject: 'by SMTP', text: 'Hello' });
  mailer.close();
  await fetch(`http://127.0.0.1:${running.port}/api/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'nobody@example.org', password: 'a password of nobody' }),
  });
  const webhook = (type: string) => (one: { body: { type: string } }) => one.body.type === type;
  await Promise.all([
    receiver.waitFor(1, webhook('email.opened')),
    receiver.waitFor(2, webhook('email.bounced')),
    receiver.waitFor(2, webhook('email.delivered')),
  ]);
}

async function page(): Promise<string> {
  return (await fetch(metricsUrl)).text();
}

it('has the numbers of every process on one port', async () => {
  const text = await page();
  for (const role of PROCESSES) {
    expect(text).toContain(`postrider_process_up{role="${role}",process="${role}"} 1`);
    expect(text).toMatch(new RegExp(`process_resident_memory_bytes\\{process="${role}",role="${role}"\\}`));
  }
  for (const role of ['inbound', 'submission'])
    expect(text).toContain(`postrider_${role}_sessions{process="smtp",role="${role}"} `);
  const described = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(described.length).toBe(new Set(described).size);
});

/** One expression, and the texts beside it that refer to its labels. */
interface Watched {
  readonly expression: string;
  readonly texts: readonly string[];
}

function alerts(): Watched[] {
  return readFileSync('ops/alerts.yaml', 'utf8')
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((alert) => {
      const [, folded, plain] = /^ {8}expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/m.exec(alert) ?? [];
      return { expression: folded ?? plain ?? '', texts: [alert] };
    });
}

function panels(): Watched[] {
  const { panels } = JSON.parse(readFileSync('ops/grafana.json', 'utf8')) as {
    panels: { targets?: { expr: string; legendFormat: string }[] }[];
  };
  return panels
    .flatMap(({ targets = [] }) => targets)
    .map(({ expr, legendFormat }) => ({ expression: expr, texts: [legendFormat] }));
}

function wantedBy({ expression, texts }: Watched): Named[] {
  const named = namedIn(expression);
  if (named.length === 0) throw new Error(`It names no metric: ${expression}`);
  return named.map(({ metric, labels }) => ({ metric, labels: [...labels, ...texts.flatMap(labelsInText)] }));
}

function missing(wanted: readonly Named[], text: string): string[] {
  const there = labelsOnPage(text);
  return wanted.flatMap(({ metric, labels }) => {
    const known = there.get(metric);
    if (known === undefined) return [metric];
    return labels.filter((label) => !known.has(label)).map((label) => `${metric}{${label}}`);
  });
}

it.each([
  ['ops/alerts.yaml', alerts, 15],
  ['ops/grafana.json', panels, 30],
])('%s names metrics and labels that this installation has', async (_, read, atLeast) => {
  const wanted = read().flatMap(wantedBy);
  expect(wanted.length).toBeGreaterThan(atLeast);
  const text = await page();
  expect(missing(wanted, text)).toEqual([]);
  expect(
    missing(namedIn('sum by (nothing) (postrider_process_up{role="x"}) > no_such_metric'), text),
  ).toEqual(['postrider_process_up{nothing}', 'no_such_metric']);
});

it('finds a mail by the id of its request: in the mail, in its events and in the log', async () => {
  const { message_id: id } = await post(
    '/emails/send',
    { from: { email: FROM }, to: [{ email: 'bounced@simulator.test' }], subject: 'Order', text: 'Thank you' },
    { 'x-request-id': 'order-4711' },
  );
  const [webhook] = await receiver.waitFor(
    1,
    ({ body }) => body.type === 'email.bounced' && body.data.email_id === id,
  );
  expect(webhook?.body.data.request_id).toBe('order-4711');
  expect((await call('GET', `/emails/${id}`)).request_id).toBe('order-4711');
  const [line = ''] = await running.says(/^.*"event":"attempt".*"requestId":"order-4711".*$/m);
  expect(JSON.parse(line)).toMatchObject({
    role: 'worker',
    emailId: id,
    domain: 'simulator.test',
    attempt: 1,
    outcome: 'bounced',
    reason: 'unknown_recipient',
    smtpCode: 550,
  });
});

/** A letter to that address, as a caller sends it whose own span this is. */
async function sendTraced(address: string, traceparent: string): Promise<string> {
  const { message_id: id } = await post(
    '/emails/send',
    { from: { email: FROM }, to: [{ email: address }], subject: 'Order', text: 'Thank you' },
    { traceparent, 'x-request-id': 'order-4712' },
  );
  return id;
}

it('follows a mail from the caller to SMTP and to the webhook in one trace', async () => {
  const [trace, caller] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  const id = await sendTraced('delivered@simulator.test', `00-${trace}-${caller}-01`);
  const [webhook] = await receiver.waitFor(
    1,
    ({ body }) => body.type === 'email.delivered' && body.data.email_id === id,
  );
  const ofTrace = () => collector.spans.filter(({ traceId }) => traceId === trace);
  const named = (name: string, event?: string) =>
    ofTrace().find(
      (span) => span.name === name && (!event || span.attributes['postrider.event_type'] === event),
    );
  await collector.waitFor(
    () => named('webhook', 'delivered') !== undefined && named('POST /api/v1/emails/send') !== undefined,
  );

  const chain: [ReceivedSpan | undefined, string | undefined][] = [
    [named('POST /api/v1/emails/send'), caller],
    [named('accept'), named('POST /api/v1/emails/send')?.spanId],
    [named('deliver'), named('accept')?.spanId],
    ...['queue', 'load', 'compose', 'slot', 'smtp'].map(
      (stage) => [named(stage), named('deliver')?.spanId] as [ReceivedSpan | undefined, string | undefined],
    ),
    [named('webhook', 'queued'), named('accept')?.spanId],
    [named('webhook', 'delivered'), named('deliver')?.spanId],
  ];
  expect(chain.map(([span]) => span?.parentSpanId)).toEqual(chain.map(([, parent]) => parent));
  expect(chain.filter(([span]) => span === undefined || span.endMs < span.startMs)).toEqual([]);
  expect(chain.slice(0, 2).map(([span]) => span?.attributes['postrider.role'])).toEqual(['api', 'api']);
  expect(named('smtp')?.attributes).toMatchObject({ 'postrider.role': 'worker', 'smtp.status_code': 250 });
  for (const span of [named('POST /api/v1/emails/send'), named('deliver')])
    expect(span?.attributes['postrider.request_id']).toBe('order-4712');
  expect(webhook?.headers.traceparent).toBe(`00-${trace}-${named('webhook', 'delivered')?.spanId}-01`);
  await running.says(new RegExp(`"emailId":"${id}".*"traceId":"${trace}"`));
});

it('leaves alone what its caller does not keep', async () => {
  const [left, kept] = ['5bf92f3577b34da6a3ce929d0e0e4736', '6bf92f3577b34da6a3ce929d0e0e4736'];
  const untraced = await sendTraced('delivered+left@simulator.test', `00-${left}-00f067aa0ba902b7-00`);
  const [webhook] = await receiver.waitFor(
    1,
    ({ body }) => body.type === 'email.delivered' && body.data.email_id === untraced,
  );
  expect(webhook?.headers.traceparent).toBeUndefined();
  await sendTraced('bounced+kept@simulator.test', `00-${kept}-00f067aa0ba902b7-01`);
  await collector.waitFor((spans) =>
    spans.some(({ traceId, name }) => traceId === kept && name === 'webhook'),
  );
  expect(collector.spans.filter(({ traceId }) => traceId === left)).toEqual([]);
  const failed = collector.spans.find(({ traceId, name }) => traceId === kept && name === 'deliver');
  expect(failed).toMatchObject({ isError: true, attributes: { 'postrider.reason': 'unknown_recipient' } });
});

it('has those of a role that runs alone on its own port', async () => {
  const port = await freePort();
  const role = new Role('inbound', {
    DATABASE_URL: database.url,
    POSTRIDER_DATA_DIR: dataDir,
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
    POSTRIDER_INBOUND_PORT: '0',
    POSTRIDER_METRICS_PORT: String(port),
  });
  role.start();
  try {
    const url = `http://127.0.0.1:${port}/metrics`;
    const text = await until(() =>
      fetch(url).then(
        (response) => response.text(),
        () => null,
      ),
    );
    expect(text).toMatch(/^postrider_inbound_sessions\{role="inbound"\} 0$/m);
  } finally {
    await role.end('SIGTERM');
  }
});
