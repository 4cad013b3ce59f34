/** Accepting the same email through the APIs of other services, against our own, in turns. */
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { type Installation, startInstallation } from './support/installation.ts';
import { expectOnly, type HttpRequest, load } from './support/load.ts';
import { median, untilSteady } from './support/measure.ts';
import { receipt } from './support/receipt.ts';
import { sendRequest } from './support/send-request.ts';
import { number } from './support/table.ts';

export const title = 'Accepting a 4 KB email in other services’ dialects, 64 connections';
export const claim = 'every compatibility endpoint accepts at least 0.9 of the rate of our own API';

const TARGET = 0.9;
const CONNECTIONS = 64;
const SIZES = {
  full: { rounds: 5, roundMs: 3_000, warmUps: 8 },
  smoke: { rounds: 1, roundMs: 300, warmUps: 1 },
};

interface Contestant {
  readonly name: string;
  readonly request: HttpRequest;
  readonly status: number;
}

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const { rounds, roundMs, warmUps } = SIZES[size];
  const installation = await startInstallation();
  try {
    await installation.db.exec({ name: '', text: 'UPDATE organizations SET daily_limit = 2000000000' });
    const contestants = contestantsFor(installation);
    progress('warming up');
    for (const one of contestants) await untilSteady(() => measure(installation, one, roundMs), warmUps);
    const rates = new Map(contestants.map(({ name }) => [name, [] as number[]]));
    for (let round = 1; round <= rounds; round += 1) {
      for (const one of round % 2 === 0 ? contestants.toReversed() : contestants)
        rates.get(one.name)?.push(await measure(installation, one, roundMs));
      progress(`round ${round} of ${rounds}: ${[...rates].map(latest).join(', ')}`);
    }
    return report(new Map([...rates].map(([name, all]) => [name, median(all)])));
  } finally {
    await installation.stop();
  }
}

async function measure(
  { apiPort: port }: Installation,
  { request, status }: Contestant,
  durationMs: number,
): Promise<number> {
  const findings = await load(request, { port, connections: CONNECTIONS, durationMs });
  expectOnly(status, findings);
  return findings.answers / findings.seconds;
}

/** The same mail, as the client of each service writes it. */
function contestantsFor(installation: Installation): readonly Contestant[] {
  const { html, subject } = receipt();
  const { authorization = '' } = installation.headers;
  const key = authorization.replace(/^Bearer /, '');
  const from = 'The Shop <orders@sandbox.test>';
  const to = 'Zoë <zoe@example.org>';
  const post = (path: string, headers: HttpRequest['headers'], body: unknown): HttpRequest => ({
    method: 'POST',
    path: `/compat${path}`,
    headers,
    body,
  });
  return [
    { name: 'our own', status: 201, request: sendRequest(installation) },
    {
      name: 'Resend',
      status: 200,
      request: post('/resend/emails', { authorization }, { from, to: [to], subject, html }),
    },
    {
      name: 'SendGrid',
      status: 202,
      request: post(
        '/sendgrid/v3/mail/send',
        { authorization },
        {
          from: { email: 'orders@sandbox.test', name: 'The Shop' },
          personalizations: [{ to: [{ email: 'zoe@example.org', name: 'Zoë' }] }],
          subject,
          content: [{ type: 'text/html', value: html }],
        },
      ),
    },
    {
      name: 'Postmark',
      status: 200,
      request: post(
        '/postmark/email',
        { 'x-postmark-server-token': key },
        { From: from, To: to, Subject: subject, HtmlBody: html },
      ),
    },
    {
      name: 'Mailgun',
      status: 200,
      request: post(
        '/mailgun/v3/sandbox.test/messages',
        mailgunHeaders(key),
        formOf({ from, to, subject, html }),
      ),
    },
  ];
}

const BOUNDARY = 'postrider-bench-boundary';

function mailgunHeaders(key: string): HttpRequest['headers'] {
  return {
    authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}`,
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
  };
}

function formOf(fields: Readonly<Record<string, string>>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

function latest([name, rates]: readonly [string, readonly number[]]): string {
  return `${name} ${number(rates.at(-1) ?? 0)}/s`;
}

function report(rates: ReadonlyMap<string, number>): BenchResult {
  const own = rates.get('our own') ?? Number.NaN;
  const others = [...rates].filter(([name]) => name !== 'our own');
  const parts = others.map(([name, rate]) => [name, rate / own] as const);
  return {
    ratio: Math.min(...parts.map(([, part]) => part)),
    target: TARGET,
    table: {
      columns: ['API', 'accepted a second', 'of our own'],
      rows: [...rates].map(([name, rate]) => [name, number(rate), number(rate / own, 2)]),
    },
    figures: Object.fromEntries(parts.map(([name, part]) => [name.toLowerCase(), Number(part.toFixed(3))])),
  };
}
