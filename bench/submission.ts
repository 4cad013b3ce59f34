/** Accepting mail over SMTP, against Postfix, both from the same smtp-source and neither delivering anything. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adHoc } from '../src/database/sql.ts';
import { SANDBOX_DOMAIN } from '../src/domains/sandbox-domain.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { end, freePort, type Installation, startInstallation } from './support/installation.ts';
import { startMailSink } from './support/mail-sink.ts';
import { median, untilSteady } from './support/measure.ts';
import { requirePostfix, startPostfix } from './support/postfix.ts';
import { CONTENT_BYTES } from './support/receipt.ts';
import { SECRET_KEY, startSubmission, untilGreeted } from './support/submission-role.ts';
import { number } from './support/table.ts';
import { within } from './support/wait.ts';

export const title = 'Accepting a 4 KB message over SMTP: suppressions, daily limit, done once, fsync on';
export const claim =
  'over 32 sessions, at least 1.5 times as many messages a second as Postfix takes from the same smtp-source';

const SESSIONS = 32;
const SIZES = {
  full: {
    messages: Number(process.env.BENCH_MESSAGES ?? 6_000),
    rounds: Number(process.env.BENCH_ROUNDS ?? 3),
    ...{ warmUp: 2_000, warmUps: 8 },
  },
  smoke: { messages: 200, rounds: 1, warmUp: 100, warmUps: 1 },
};
/** Some thousand messages take seconds. */
const POUR_MS = 5 * 60_000;
const TARGET = 1.5;

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const { messages, rounds, warmUp, warmUps } = SIZES[size];
  requirePostfix();
  const installation = await startInstallation({ POSTRIDER_SECRET_KEY: SECRET_KEY });
  const folder = mkdtempSync(join(tmpdir(), 'postrider-bench-submission-'));
  const port = await freePort();
  const role = startSubmission(installation, folder, port);
  const sink = await startMailSink();
  const postfix = await startPostfix(sink);
  try {
    await postfix.hold();
    await untilGreeted(port);
    let sent = 0;
    const pourIntoPostfix = (count: number) => pour(postfix.port, `r@${sink.domain(0)}`, count);
    const pourIntoOurs = (count: number) => {
      sent += count;
      return pour(port, 'r@example.org', count);
    };
    const ours: number[] = [];
    const theirs: number[] = [];
    progress('warming up');
    for (const one of [() => pourIntoPostfix(warmUp), () => pourIntoOurs(warmUp)])
      await untilSteady(one, warmUps);
    for (let round = 1; round <= rounds; round += 1) {
      theirs.push(await pourIntoPostfix(messages));
      ours.push(await pourIntoOurs(messages));
      progress(`round ${round}: ${number(ours.at(-1) ?? 0)}/s, Postfix ${number(theirs.at(-1) ?? 0)}/s`);
    }
    await expectAll(installation, sent);
    return report(median(ours), median(theirs), postfix.version);
  } finally {
    await postfix.stop();
    await sink.stop();
    await end(role);
    await installation.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Messages a second, over connections that stay open. What the other one left for the disk to write is written before. */
async function pour(port: number, to: string, messages: number): Promise<number> {
  execFileSync('sync');
  const args = ['-d', '-s', String(SESSIONS), '-l', String(CONTENT_BYTES), '-m', String(messages)];
  const startedMs = performance.now();
  const from = `orders@${SANDBOX_DOMAIN}`;
  const child = spawn('smtp-source', [...args, '-f', from, '-t', to, `127.0.0.1:${port}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await within(`${messages} messages to be taken`, once(child, 'exit'), POUR_MS);
  if (code !== 0) throw new Error('smtp-source failed.');
  return (messages * 1000) / (performance.now() - startedMs);
}

/** Both did the same: smtp-source fails where one is refused, and here every one must be stored. */
async function expectAll({ db }: Installation, sent: number): Promise<void> {
  const { count } = await db.one(adHoc<{ count: number }>('SELECT count(*) AS count FROM emails'));
  if (count !== sent) throw new Error(`${count} emails are stored instead of ${sent}.`);
}

function report(ours: number, theirs: number, version: string): BenchResult {
  return {
    ratio: ours / theirs,
    target: TARGET,
    table: {
      columns: ['server', 'messages/s'],
      rows: [
        ['postrider', number(ours)],
        [`Postfix ${version}`, number(theirs)],
      ],
    },
    figures: { perSecond: Math.round(ours), postfixPerSecond: Math.round(theirs), sessions: SESSIONS },
  };
}
