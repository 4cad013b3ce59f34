/** The whole way of a mail: HTTP in, signed and delivered, events recorded and told to a webhook; against Postfix. */
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { expectOnly, load } from './support/load.ts';
import { DOMAINS } from './support/mail-sink.ts';
import { median } from './support/measure.ts';
import { requireOpenDkim, type SigningFilter, startSigningFilter } from './support/opendkim.ts';
import { POSTFIX_SENDER, type Postfix, requirePostfix, startPostfix } from './support/postfix.ts';
import { CONTENT_BYTES } from './support/receipt.ts';
import { number } from './support/table.ts';
import { startWholeWay, type WholeWay } from './support/whole-way.ts';

export const title =
  'The whole way of a 4 KB mail: HTTP in, RSA-2048 signed out, events recorded, one webhook';
export const claim =
  'at least 2 times as many mails a second as Postfix with OpenDKIM, and nothing is left behind';

const TARGET = 2;
const CONNECTIONS = 64;
/** Three rounds are a minute of steady work. Mail that is queued when a round ends is waited for, and that time counts. */
const SIZES = {
  full: {
    ...{ rounds: 3, destinations: DOMAINS, peerMails: 6_000 },
    ...{ round: { durationMs: 20_000 }, warmUp: { durationMs: 4_000 } },
  },
  smoke: {
    // If all of these mails went to one person, the guard would hold them, and the bench would fail.
    ...{ rounds: 1, destinations: 1, peerMails: 50 },
    ...{ round: { durationMs: 30_000, most: 250 }, warmUp: { durationMs: 1_000, most: 20 } },
  },
};

const PARTS = ['api', 'workers', 'postgres'] as const;
type Cpu = Readonly<Record<(typeof PARTS)[number], number>>;

interface Round {
  readonly perSecond: number;
  /** Milliseconds of processor time a mail. */
  readonly cpuMs: Cpu;
  readonly postfix: number;
  readonly postfixCpuMs: number;
  readonly filterCpuMs: number;
}

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const { rounds: count, destinations, round: plan, warmUp, peerMails } = SIZES[size];
  requirePostfix();
  requireOpenDkim();
  const way = await startWholeWay();
  const filter = await startSigningFilter(POSTFIX_SENDER);
  const postfix = await startPostfix(way.sink, filter.milter);
  try {
    progress('warming up');
    await pass(way, { ...warmUp, destinations });
    const rounds: Round[] = [];
    for (let round = 1; round <= count; round += 1) {
      rounds.push({
        ...(await pass(way, { ...plan, destinations })),
        ...(await passPostfix(postfix, filter, peerMails)),
      });
      const { perSecond, postfix: theirs } = rounds.at(-1) as Round;
      progress(`round ${round} of ${count}: ${number(perSecond)}/s, Postfix ${number(theirs)}/s`);
    }
    return report(rounds, postfix.version);
  } finally {
    await postfix.stop();
    await filter.stop();
    await way.stop();
  }
}

/** From the first request until nothing waits any more. */
async function pass(
  way: WholeWay,
  { destinations, ...plan }: { destinations: number; durationMs: number; most?: number },
): Promise<Pick<Round, 'perSecond' | 'cpuMs'>> {
  const before = way.cpu();
  const startedMs = performance.now();
  const order = { port: way.installation.apiPort, connections: CONNECTIONS, ...plan };
  const findings = await load(way.requests.slice(0, destinations), order);
  expectOnly(201, findings);
  await way.untilDone();
  const seconds = (performance.now() - startedMs) / 1000;
  const after = way.cpu();
  const cpuOf = (part: keyof Cpu) => ((after[part] - before[part]) * 1000) / findings.answers;
  return {
    perSecond: findings.answers / seconds,
    cpuMs: { api: cpuOf('api'), workers: cpuOf('workers'), postgres: cpuOf('postgres') },
  };
}

async function passPostfix(postfix: Postfix, filter: SigningFilter, mails: number) {
  const before = { postfix: postfix.cpuSeconds(), filter: filter.cpuSeconds() };
  const { perSecond } = await postfix.endToEnd(mails, CONTENT_BYTES);
  return {
    postfix: perSecond,
    postfixCpuMs: ((postfix.cpuSeconds() - before.postfix) * 1000) / mails,
    filterCpuMs: ((filter.cpuSeconds() - before.filter) * 1000) / mails,
  };
}

function report(rounds: readonly Round[], version: string): BenchResult {
  const middle = (value: (round: Round) => number) => median(rounds.map(value));
  const all = (value: (round: Round) => number) => rounds.map((round) => number(value(round))).join(' ');
  const cpuRows = PARTS.map((part) => [
    `  ${part}`,
    '',
    '',
    number(
      middle(({ cpuMs }) => cpuMs[part]),
      3,
    ),
  ]);
  const cpuMs = middle(({ cpuMs: { api, workers, postgres } }) => api + workers + postgres);
  const postfixCpuMs = middle((round) => round.postfixCpuMs + round.filterCpuMs);
  return {
    ratio: middle((round) => round.perSecond / round.postfix),
    target: TARGET,
    table: {
      columns: ['path', 'median mails/s', 'rounds', 'CPU ms a mail'],
      rows: [
        ['postrider', number(middle((r) => r.perSecond)), all((r) => r.perSecond), number(cpuMs, 3)],
        ...cpuRows,
        [
          `Postfix ${version} with OpenDKIM`,
          number(middle((r) => r.postfix)),
          all((r) => r.postfix),
          number(postfixCpuMs, 3),
        ],
        [
          '  OpenDKIM',
          '',
          '',
          number(
            middle((r) => r.filterCpuMs),
            3,
          ),
        ],
      ],
    },
    figures: {
      per_second: Math.round(middle((round) => round.perSecond)),
      postfix_per_second: Math.round(middle((round) => round.postfix)),
      cpu_ms_a_mail: Number(cpuMs.toFixed(3)),
      postfix_cpu_ms_a_mail: Number(postfixCpuMs.toFixed(3)),
      rounds: rounds.length,
    },
  };
}
