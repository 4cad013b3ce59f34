/** Requests and messages that clients send again, many at once, as they do after an outage. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adHoc } from '../src/database/sql.ts';
import { SANDBOX_DOMAIN } from '../src/domains/sandbox-domain.ts';
import { RawSession } from '../test/sandbox/raw-session.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { end, freePort, type Installation, startInstallation } from './support/installation.ts';
import { median } from './support/measure.ts';
import { receipt } from './support/receipt.ts';
import { SECRET_KEY, startSubmission, untilGreeted } from './support/submission-role.ts';
import { number } from './support/table.ts';
import { within } from './support/wait.ts';

export const title = 'Sending 90 emails again, all at once: done once, fsync on';
export const claim = '90 repeats take at most as long as 90 new emails, over HTTP and over SMTP';

const SIZES = {
  full: { rounds: Number(process.env.BENCH_ROUNDS ?? 25), warmUps: 10 },
  smoke: { rounds: 2, warmUps: 1 },
};
const MANY = 90;
/** Of a mixed wave: an outage ends while new mail is sent as well. */
const REPEATS_OF_MIXED = 10;
const TARGET = 1;
const WAVE_MS = 60_000;
const FROM = `orders@${SANDBOX_DOMAIN}`;

/** Sends one email for each key, all at once. */
type Send = (keys: readonly string[]) => Promise<Wave>;

interface Wave {
  readonly ms: number;
  readonly ids: readonly string[];
}

/** Of each round, in ms. */
interface Times {
  readonly fresh: number[];
  readonly repeats: number[];
  readonly mixed: number[];
}

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const installation = await startInstallation({ POSTRIDER_SECRET_KEY: SECRET_KEY });
  const folder = mkdtempSync(join(tmpdir(), 'postrider-bench-repeats-'));
  const port = await freePort();
  const role = startSubmission(installation, folder, port);
  try {
    await untilGreeted(port);
    const http = await measure('HTTP', (keys) => overHttp(installation, keys), SIZES[size], progress);
    const smtp = await measure('SMTP', (keys) => overSmtp(port, keys), SIZES[size], progress);
    await expectAll(installation, http.sent + smtp.sent);
    return report(http.times, smtp.times);
  } finally {
    await end(role);
    await installation.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  way: string,
  send: Send,
  { rounds, warmUps }: (typeof SIZES)[Size],
  progress: Progress,
) {
  let before = await send(keysOf(way, 0));
  let sent = MANY;
  const times: Times = { fresh: [], repeats: [], mixed: [] };
  for (let round = 1; round <= warmUps + rounds; round += 1) {
    const again = async () => {
      const wave = await send(keysOf(way, round - 1));
      expectSame(wave.ids, before.ids);
      return wave;
    };
    // Taking turns, so that neither always comes first.
    const early = round % 2 === 0 ? await again() : null;
    const fresh = await send(keysOf(way, round));
    const repeats = early ?? (await again());
    const mixed = await send(mixedKeys(way, round));
    expectSame(mixed.ids.slice(0, REPEATS_OF_MIXED), fresh.ids.slice(0, REPEATS_OF_MIXED));
    sent += 2 * MANY - REPEATS_OF_MIXED;
    before = fresh;
    if (round <= warmUps) continue;
    times.fresh.push(fresh.ms);
    times.repeats.push(repeats.ms);
    times.mixed.push(mixed.ms);
    progress(
      `${way}, round ${round - warmUps}: ${fresh.ms.toFixed()} ms new, ${repeats.ms.toFixed()} ms again`,
    );
  }
  return { times, sent };
}

const keysOf = (way: string, round: number) => Array.from({ length: MANY }, (_, i) => `${way}-${round}-${i}`);

function mixedKeys(way: string, round: number): string[] {
  const fresh = Array.from({ length: MANY - REPEATS_OF_MIXED }, (_, i) => `${way}-mixed-${round}-${i}`);
  return [...keysOf(way, round).slice(0, REPEATS_OF_MIXED), ...fresh];
}

async function overHttp({ apiPort, headers }: Installation, keys: readonly string[]): Promise<Wave> {
  const { text } = receipt();
  const requests = keys.map((key) => ({
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ from: { email: FROM }, to: [{ email: 'r@example.org' }], subject: key, text }),
  }));
  return timed(requests, async (request) => {
    const response = await fetch(`http://127.0.0.1:${apiPort}/api/v1/emails/send`, request);
    const { data } = (await response.json()) as { data?: { message_id: string } };
    if (response.status !== 201 || data === undefined)
      throw new Error(`A send was answered ${response.status}.`);
    return data.message_id;
  });
}

/** Measures from the message on: the envelopes are accepted before. */
async function overSmtp(port: number, keys: readonly string[]): Promise<Wave> {
  const sessions = await Promise.all(
    keys.map(async (key) => {
      const session = await RawSession.open(port);
      session.write(`MAIL FROM:<${FROM}>\r\nRCPT TO:<r@example.org>\r\nDATA\r\n`);
      const last = (await session.replies(3)).at(-1);
      if (!last?.startsWith('354')) throw new Error(`DATA was answered ${last}.`);
      return { session, message: messageOf(key) };
    }),
  );
  const wave = await timed(sessions, async ({ session, message }) => {
    session.write(message);
    const [reply = 'nothing'] = await session.replies(1);
    const id = /^250 .* queued as ([\w-]+)/.exec(reply)?.[1];
    if (id === undefined) throw new Error(`A message was answered ${reply}.`);
    return id;
  });
  for (const { session } of sessions) session.end();
  return wave;
}

function messageOf(key: string): string {
  const text = receipt().text.replaceAll(/\r?\n/g, '\r\n');
  const head = `From: ${FROM}\r\nTo: r@example.org\r\nMessage-ID: <${key}@bench.test>\r\nSubject: ${key}\r\n`;
  return `${head}Content-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n.\r\n`;
}

async function timed<One>(all: readonly One[], send: (one: One) => Promise<string>): Promise<Wave> {
  const startedMs = performance.now();
  const ids = await within(`${all.length} emails to be accepted`, Promise.all(all.map(send)), WAVE_MS);
  return { ms: performance.now() - startedMs, ids };
}

function expectSame(ids: readonly string[], expected: readonly string[]): void {
  if (ids.some((id, i) => id !== expected[i]))
    throw new Error('A repeat got another id than the first request.');
}

async function expectAll({ db }: Installation, sent: number): Promise<void> {
  const { count } = await db.one(adHoc<{ count: number }>('SELECT count(*) AS count FROM emails'));
  if (count !== sent) throw new Error(`${count} emails are stored instead of ${sent}.`);
}

function report(http: Times, smtp: Times): BenchResult {
  const ways = { HTTP: http, SMTP: smtp };
  const rows = Object.entries(ways).map(([way, { fresh, repeats, mixed }]) => [
    way,
    ...[fresh, repeats, mixed].map((times) => number(median(times), 1)),
  ]);
  const timesAsFast = ({ fresh, repeats }: Times) => median(fresh) / median(repeats);
  return {
    ratio: Math.min(timesAsFast(http), timesAsFast(smtp)),
    target: TARGET,
    table: {
      columns: ['ms, median', '90 new', '90 repeats', '80 new and 10 repeats'],
      rows,
    },
    figures: { httpRatio: timesAsFast(http), smtpRatio: timesAsFast(smtp) },
  };
}
