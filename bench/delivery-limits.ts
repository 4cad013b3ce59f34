/** To a Postfix with limits, against Postfix with default settings as the sender. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adHoc } from '../src/database/sql.ts';
import { wakeWorkers } from '../src/outbox/wake.ts';
import { startDnsZone } from '../test/support/dns-zone.ts';
import { seedMail } from '../test/support/seed-mail.ts';
import type { BenchResult, Progress, Size, Sizes } from './support/bench.ts';
import { processorWaitSeconds } from './support/cpu.ts';
import { SECRET_KEY } from './support/delivery-rig.ts';
import { end, type Installation, startInstallation, startRole } from './support/installation.ts';
import {
  type Instance,
  LAB_DOMAIN,
  type Seen,
  startReceiver,
  startSender,
  submit,
  warmUp,
  watch,
} from './support/limits-lab.ts';
import { requirePostfix } from './support/postfix.ts';
import { receipt } from './support/receipt.ts';
import { number } from './support/table.ts';
import { waitFor } from './support/wait.ts';

export const title = 'Delivering to a Postfix with limits';
export const claim =
  'mail arrives at least as soon as from Postfix with default settings, and no more of it is refused; at 60 messages a minute at least 0.9 of them arrive and less than 5 % is refused';

interface Scenario {
  readonly name: string;
  readonly limits: readonly string[];
  readonly count: number;
  /** So many can arrive; then the rest need not be waited for. */
  readonly expected: number;
  readonly seconds: number;
  /** The limit, where more mail waits than it lets through: our mail is measured against the limit, and not against Postfix. */
  readonly perMinute?: number;
}

/** Of a limit, and of all tries. */
const LEAST_SHARE = 0.9;
const MOST_REFUSED = 0.05;

const POLICY =
  '{ { /^(r[0-9]*5|[0-9]*5r)@/ 450 4.7.1 Policy restriction for this recipient, try again later } }';

const CONNECTIONS = {
  name: '3 connections at a time',
  limits: ['smtpd_client_connection_count_limit = 3'],
};
const RATE = {
  name: '40 messages in 20 s',
  limits: ['smtpd_client_message_rate_limit = 40', 'anvil_rate_time_unit = 20s'],
};
const SUSTAINED = {
  name: '60 messages a minute',
  limits: ['smtpd_client_message_rate_limit = 60', 'anvil_rate_time_unit = 60s'],
  perMinute: 60,
};
const DEFERRALS = {
  name: 'a tenth of recipients deferred by policy',
  limits: [
    `smtpd_recipient_restrictions = check_recipient_access regexp:${POLICY}, reject_unauth_destination`,
  ],
};

const SIZES: Sizes<readonly Scenario[]> = {
  full: [
    { ...CONNECTIONS, count: 60, expected: 60, seconds: 20 },
    { ...RATE, count: 100, expected: 100, seconds: 45 },
    { ...DEFERRALS, count: 1_000, expected: 900, seconds: 40 },
    { ...SUSTAINED, count: 800, expected: 800, seconds: 600 },
  ],
  // Starting and stopping Postfix takes most of the time, so two limits have to do.
  smoke: [
    { ...DEFERRALS, count: 50, expected: 45, seconds: 10 },
    { ...SUSTAINED, count: 20, expected: 20, seconds: 10 },
  ],
};

/** Few enough not to meet a limit, or the policy. */
const WARM_UP = 3;

interface OursSeen extends Seen {
  /** The part of the time in which the worker had work and no processor: where it is large, the machine is what is measured. */
  readonly starved: number;
}

interface Round {
  readonly scenario: Scenario;
  readonly ours: OursSeen;
  /** Null where nothing is compared with Postfix. */
  readonly theirs: Seen | null;
}

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  requirePostfix();
  const installation = await startInstallation({ POSTRIDER_SECRET_KEY: SECRET_KEY });
  try {
    const rounds: Round[] = [];
    for (const scenario of SIZES[size]) {
      const theirs = scenario.perMinute === undefined ? await postfixSends(scenario) : null;
      const ours = await postriderSends(installation, scenario);
      rounds.push({ scenario, ours, theirs });
      progress(`${scenario.name}: ${JSON.stringify({ ours, theirs })}`);
    }
    return report(rounds);
  } finally {
    await installation.stop();
  }
}

async function postfixSends(scenario: Scenario): Promise<Seen> {
  const receiver = await startReceiver(scenario.limits);
  const sender = await startSender(receiver);
  try {
    await warmUp(receiver, WARM_UP, () => submit(sender, WARM_UP));
    return await watch(receiver, scenario, () => submit(sender, scenario.count));
  } finally {
    await sender.stop();
    await receiver.stop();
  }
}

/** The worker runs before the mail is there, as Postfix does. */
export async function postriderSends(installation: Installation, scenario: Scenario): Promise<OursSeen> {
  const receiver = await startReceiver(scenario.limits);
  const dns = await startDnsZone({
    [LAB_DOMAIN]: { MX: [[10, `mx.${LAB_DOMAIN}`]] },
    [`mx.${LAB_DOMAIN}`]: { A: ['127.0.0.1'] },
  });
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-bench-limits-worker-'));
  const { db, organizationId } = installation;
  const worker = startRole('worker', environment(installation, receiver, dns.address, dataDir));
  try {
    const workers = adHoc<{ n: number }>('SELECT count(*) AS n FROM workers');
    await waitFor('the worker to register', async () => (await db.one(workers)).n > 0);
    const seed = async (count: number) => {
      const from = 'orders@shop.test';
      await seedMail(db, { ...receipt(), organizationId, domain: LAB_DOMAIN, count, from });
      await wakeWorkers(db);
    };
    await warmUp(receiver, WARM_UP, () => seed(WARM_UP));
    const starved = starvation(worker.pid ?? 0);
    const seen = await watch(receiver, scenario, () => seed(scenario.count));
    return { ...seen, starved: starved() };
  } finally {
    await end(worker);
    await dns.stop();
    await receiver.stop();
    rmSync(dataDir, { recursive: true, force: true });
    await db.exec(
      adHoc(
        'TRUNCATE emails, email_contents, recipients, events, attempts, outbox, email_counts, sites, site_domains',
      ),
    );
  }
}

function environment({ databaseUrl }: Installation, receiver: Instance, dns: string, dataDir: string) {
  return {
    DATABASE_URL: databaseUrl,
    POSTRIDER_DATA_DIR: dataDir,
    POSTRIDER_MODE: 'live',
    POSTRIDER_SECRET_KEY: SECRET_KEY,
    POSTRIDER_HOSTNAME: 'mail.bench.test',
    POSTRIDER_DNS_SERVERS: dns,
    POSTRIDER_MX_PORT: String(receiver.port),
    POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true',
    POSTRIDER_LOG_LEVEL: 'warn',
  };
}

function starvation(pid: number): () => number {
  const startedMs = performance.now();
  const before = processorWaitSeconds(pid);
  return () => (1000 * (processorWaitSeconds(pid) - before)) / (performance.now() - startedMs);
}

/** More refusals than Postfix earned, or than one in twenty, make the claim fail, however soon mail arrives. */
function ratioOf({ scenario, ours, theirs }: Round): number {
  if (theirs !== null) return ours.refused > theirs.refused ? 0 : theirs.meanWait / ours.meanWait;
  const most = Math.min(scenario.expected, ((scenario.perMinute ?? 0) * scenario.seconds) / 60);
  const refusedShare = ours.refused / Math.max(1, ours.arrived + ours.refused);
  return refusedShare >= MOST_REFUSED ? 0 : ours.arrived / most / LEAST_SHARE;
}

/** The worst of all. */
function report(rounds: readonly Round[]): BenchResult {
  const ratios = rounds.map(ratioOf);
  const cells = ({ arrived, refused, meanWait }: Seen) => [
    number(arrived),
    number(refused),
    number(meanWait, 2),
  ];
  return {
    ratio: Math.min(...ratios),
    target: 1,
    table: {
      columns: ['limit', 'sender', 'mails', 'arrived', 'refused', 'mean wait, s', 'ratio'],
      rows: rounds.flatMap(({ scenario, ours, theirs }, i) => [
        [
          `${scenario.name}, ${scenario.seconds} s`,
          'postrider',
          number(scenario.count),
          ...cells(ours),
          number(ratios[i] ?? 0, 2),
        ],
        ...(theirs === null ? [] : [['', 'Postfix', number(scenario.count), ...cells(theirs), '']]),
      ]),
    },
    figures: Object.fromEntries(
      rounds.flatMap(({ ours, theirs }, i) => [
        [`ratio_${i + 1}`, Number((ratios[i] ?? 0).toFixed(2))],
        [`starved_${i + 1}`, Number(ours.starved.toFixed(2))],
        [`refused_${i + 1}`, ours.refused],
        [`postfix_refused_${i + 1}`, theirs?.refused ?? 'not measured'],
      ]),
    ),
  };
}
