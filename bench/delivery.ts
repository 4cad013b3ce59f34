/** From the API's tables to a server that accepts at once, against Postfix and nodemailer's pool. */
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { type DeliveryRig, startDeliveryRig } from './support/delivery-rig.ts';
import { DOMAINS, type MailSink } from './support/mail-sink.ts';
import { median } from './support/measure.ts';
import { requirePackage } from './support/peers.ts';
import { type Postfix, requirePostfix, startPostfix } from './support/postfix.ts';
import { CONTENT_BYTES, receipt } from './support/receipt.ts';
import { number } from './support/table.ts';

export const title = 'Delivering mails of 4 KB to 10 destinations, without DKIM';
export const claim = 'the worker delivers at least 5 times as much per second as Postfix end to end';

const TARGET = 5;
/** Postfix has been running for a while, too: a worker counts once it is warm. */
const SIZES = {
  full: { rounds: 5, mails: 40_000, warmUp: 10_000, peerMails: 5_000, peerWarmUp: 500 },
  smoke: { rounds: 1, mails: 1_000, warmUp: 200, peerMails: 100, peerWarmUp: 10 },
};
type Numbers = (typeof SIZES)[Size];
const PEER_CONNECTIONS = 10;

interface Round {
  readonly postrider: number;
  readonly postfix: number;
  readonly postfixQueue: number;
  readonly nodemailer: number;
  readonly rssMb: number;
  readonly cpuMs: number;
  readonly postfixCpuMs: number;
}

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const numbers = SIZES[size];
  requirePostfix();
  const rig = await startDeliveryRig();
  const postfix = await startPostfix(rig.sink);
  try {
    const rounds: Round[] = [];
    for (let round = 1; round <= numbers.rounds; round += 1) {
      rounds.push(await measure(rig, postfix, numbers));
      progress(`round ${round} of ${numbers.rounds}: ${JSON.stringify(rounded(rounds.at(-1) as Round))}`);
    }
    return report(rounds, postfix.version);
  } finally {
    await postfix.stop();
    await rig.stop();
  }
}

async function measure(rig: DeliveryRig, postfix: Postfix, numbers: Numbers): Promise<Round> {
  const { mails, warmUp, peerMails } = numbers;
  await rig.seed(mails);
  const ours = await rig.deliver(mails, warmUp);
  await rig.empty();
  const before = postfix.cpuSeconds();
  const theirs = await postfix.endToEnd(peerMails, CONTENT_BYTES);
  return {
    postrider: ours.perSecond,
    rssMb: ours.rssMb,
    cpuMs: ours.cpuMsPerMail,
    postfix: theirs.perSecond,
    postfixCpuMs: ((postfix.cpuSeconds() - before) * 1000) / peerMails,
    postfixQueue: (await postfix.fromQueue(peerMails, CONTENT_BYTES)).perSecond,
    nodemailer: await nodemailerPool(rig.sink, numbers),
  };
}

/** Composed by nodemailer, sent over one of its pools for each destination; nothing is stored anywhere. */
async function nodemailerPool(sink: MailSink, { peerMails, peerWarmUp }: Numbers): Promise<number> {
  const { createTransport } = await requirePackage(() => import('nodemailer'), 'nodemailer', 'npm ci');
  const pools = Array.from({ length: DOMAINS }, (_, i) =>
    createTransport({
      pool: true,
      host: sink.address(i),
      port: sink.port,
      maxConnections: PEER_CONNECTIONS,
      maxMessages: 100,
      ignoreTLS: true,
    }),
  );
  const { from, subject, html, text } = receipt();
  const intake = sink.intake(peerMails, peerWarmUp);
  const mail = { from: { name: from.name ?? '', address: from.email }, subject, html, text };
  const sent = Array.from({ length: peerMails }, (_, i) =>
    pools[i % DOMAINS]?.sendMail({ ...mail, to: `r${i}@${sink.domain(i)}` }),
  );
  const { perSecond } = await intake;
  await Promise.all(sent);
  for (const pool of pools) pool.close();
  return perSecond;
}

function rounded(round: Round): Record<string, number> {
  return Object.fromEntries(
    Object.entries(round).map(([name, value]) => [name, Number(value.toFixed(value < 10 ? 2 : 0))]),
  );
}

function report(rounds: readonly Round[], version: string): BenchResult {
  const values = (of: keyof Round) => rounds.map((round) => round[of]);
  const ratio = (of: keyof Round) => median(rounds.map((round) => round.postrider / round[of]));
  const row = (name: string, of: keyof Round) => [
    name,
    number(median(values(of))),
    values(of)
      .map((value) => number(value))
      .join(' '),
    of === 'postrider' ? '' : number(ratio(of), 2),
  ];
  return {
    ratio: ratio('postfix'),
    target: TARGET,
    table: {
      columns: ['path', 'median mails/s', 'rounds', 'postrider is so many times'],
      rows: [
        row('postrider: tables to sink, events and status recorded', 'postrider'),
        row(`Postfix ${version}: smtp-source to sink`, 'postfix'),
        row(`Postfix ${version}: from its queue to sink`, 'postfixQueue'),
        row('nodemailer pool: compose and send, nothing stored', 'nodemailer'),
      ],
    },
    figures: {
      postrider_per_second: Math.round(median(values('postrider'))),
      postfix_per_second: Math.round(median(values('postfix'))),
      postfix_queue_per_second: Math.round(median(values('postfixQueue'))),
      nodemailer_per_second: Math.round(median(values('nodemailer'))),
      ratio_to_postfix_queue: Number(ratio('postfixQueue').toFixed(2)),
      cpu_ms_per_mail: Number(median(values('cpuMs')).toFixed(3)),
      postfix_cpu_ms_per_mail: Number(median(values('postfixCpuMs')).toFixed(3)),
      worker_peak_mb: Math.max(...values('rssMb')),
      content_bytes: CONTENT_BYTES,
      rounds: rounds.length,
    },
  };
}
