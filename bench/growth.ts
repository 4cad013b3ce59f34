/**
 * How cost grows with what is stored: accepting, delivering, reading and removing, with ever more mail in the tables.
 * An installation with the least mail is measured again beside each larger one, in turns.
 * BENCH_SIZES=10000,100000,1000000,10000000 also measures ten million: at 2.3 KB an email, 23 GB of disk.
 */
import { createApiKey } from '../src/accounts/api-keys/service.ts';
import { adHoc } from '../src/database/sql.ts';
import { applyRetention } from '../src/operations/retention.ts';
import { writeRetention } from '../src/organizations/settings/retention.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { DAY_MS } from '../src/runtime/durations.ts';
import { createLog } from '../src/runtime/log.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { cpuSeconds } from './support/cpu.ts';
import { type DeliveryRig, startDeliveryRig } from './support/delivery-rig.ts';
import { type Grown, growthChart, growthTable, type Round } from './support/growth-report.ts';
import { expectOnly, load } from './support/load.ts';
import { median, untilSteady } from './support/measure.ts';
import { emailAt, organizationId, SHARES, seedEmails } from './support/seed-emails.ts';
import { sendRequest } from './support/send-request.ts';
import { number } from './support/table.ts';

export const title = 'What more stored mail costs';
export const claim =
  'with the most mail, accepting and delivering keep at least 0.85 of their rate with the least';

const SIZES = {
  full: {
    emails: (process.env.BENCH_SIZES ?? '10000,100000,1000000').split(',').map(Number),
    rounds: Number(process.env.BENCH_ROUNDS ?? 5),
    accept: { connections: 64, durationMs: 5_000, warmUps: 8 },
    deliver: { mails: 6_000, warmUp: 1_000 },
    reads: 25,
  },
  smoke: {
    emails: [200, 400],
    rounds: 1,
    accept: { connections: 16, durationMs: 300, warmUps: 1 },
    deliver: { mails: 200, warmUp: 50 },
    reads: 2,
  },
};
type Numbers = (typeof SIZES)[Size];
const TARGET = 0.85;
const KEPT_DAYS = 90;
const KEY = 'bench_growth_0123456789abcdef';

interface Site {
  readonly emails: number;
  readonly numbers: Numbers;
  readonly nowMs: number;
  readonly rig: DeliveryRig;
  readonly diskBytesPerEmail: number;
}

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const numbers = SIZES[size];
  const [least, ...larger] = numbers.emails;
  if (least === undefined || larger.length === 0) throw new Error('BENCH_SIZES needs two sizes at least.');
  const base = await prepare(least, numbers, progress);
  const grown: Grown[] = [];
  try {
    await warmUp(base);
    for (const emails of larger) grown.push(await compare(base, emails, progress));
    return report(base, grown, await retention(base));
  } finally {
    await base.rig.stop();
  }
}

async function warmUp({ rig, numbers }: Site): Promise<void> {
  await untilSteady(async () => (await accept(rig, numbers)).perSecond, numbers.accept.warmUps);
  await freeKey(rig);
}

async function compare(base: Site, size: number, progress: Progress): Promise<Grown> {
  const { numbers } = base;
  const site = await prepare(size, numbers, progress);
  try {
    const [rounds, beside]: [Round[], Round[]] = [[], []];
    progress(`measuring with ${number(size)}`);
    await warmUp(site);
    for (let n = 1; n <= numbers.rounds; n += 1) {
      beside.push(await measure(base, n));
      rounds.push(await measure(site, n));
      const [one, other] = [rounds.at(-1), beside.at(-1)].map((round) => (round ? summary(round) : ''));
      progress(`${number(size)}: ${one}; ${number(base.emails)}: ${other}`);
    }
    const { diskBytesPerEmail } = site;
    const retentionMs = await retention(site);
    return {
      emails: size,
      round: medianOf(rounds),
      beside: medianOf(beside),
      diskBytesPerEmail,
      retentionMs,
    };
  } finally {
    await site.rig.stop();
  }
}

async function prepare(emails: number, numbers: Numbers, progress: Progress): Promise<Site> {
  const rig = await startDeliveryRig();
  const before = await databaseBytes(rig);
  const nowMs = Date.now();
  progress(`seeding ${number(emails)} emails`);
  await seedEmails(rig.db, rig.installation.databaseUrl, emails, nowMs, progress);
  const diskBytesPerEmail = ((await databaseBytes(rig)) - before) / emails;
  await keepFor(rig, 0); // the workers that deliver would tidy up, too
  const key = { name: 'bench', scope: 'full' as const, domain: null, expiresAt: null };
  await createApiKey(rig.db, systemClock, organizationId(0), key, { secret: KEY });
  return { emails, numbers, nowMs, rig, diskBytesPerEmail };
}

async function measure(site: Site, n: number): Promise<Round> {
  const { rig, numbers } = site;
  const { mails, warmUp: first } = numbers.deliver;
  const reading = await read(site, n);
  const accepting = await counted(rig, () => accept(rig, numbers));
  await freeKey(rig);
  await rig.seed(mails);
  const delivering = await counted(rig, async () => {
    const { perSecond, cpuMsPerMail } = await rig.deliver(mails, first);
    return { count: mails, perSecond, cpuMs: cpuMsPerMail };
  });
  await freeKey(rig);
  return {
    ...reading,
    acceptedPerSecond: accepting.perSecond,
    deliveredPerSecond: delivering.perSecond,
    acceptCpuMs: accepting.cpuMs,
    deliverCpuMs: delivering.cpuMs,
    acceptWalBytes: accepting.walBytes,
    deliverWalBytes: delivering.walBytes,
  };
}

interface Work {
  readonly count: number;
  readonly perSecond: number;
  /** Of one email. */
  readonly cpuMs: number;
}

async function accept({ installation }: DeliveryRig, numbers: Numbers): Promise<Work> {
  const { connections, durationMs } = numbers.accept;
  const { apiPort: port, apiPid, databasePid } = installation;
  const cpuSoFar = () => cpuSeconds(apiPid) + cpuSeconds(databasePid);
  const before = cpuSoFar();
  const findings = await load(sendRequest(installation), { port, connections, durationMs });
  expectOnly(201, findings);
  const count = findings.answers;
  return {
    count,
    perSecond: count / findings.seconds,
    cpuMs: ((cpuSoFar() - before) * 1_000) / count,
  };
}

/** The write-ahead log that some work made, for each email of it. */
async function counted(
  { db }: DeliveryRig,
  work: () => Promise<Work>,
): Promise<Work & { readonly walBytes: number }> {
  // A page is logged whole the first time after a checkpoint: from one on, it is the same for every size.
  await db.exec(adHoc('CHECKPOINT'));
  const { start } = await db.one(adHoc<{ start: string }>('SELECT pg_current_wal_lsn()::text AS start'));
  const done = await work();
  const written = adHoc<{ bytes: number }>('SELECT (pg_current_wal_lsn() - $1::pg_lsn)::float8 AS bytes');
  return { ...done, walBytes: (await db.one(written, [start])).bytes / done.count };
}

async function read({ emails, nowMs, rig, numbers: { reads } }: Site, round: number) {
  const own = Math.round(emails * SHARES[0]);
  const ask = async (path: string) => {
    const started = performance.now();
    const response = await fetch(`http://127.0.0.1:${rig.installation.apiPort}/api/v1${path}`, {
      headers: { authorization: `Bearer ${KEY}` },
    });
    const { pagination } = (await response.json()) as { pagination?: { total_count: number } };
    if (!pagination?.total_count) throw new Error(`${path} answered ${response.status}, or found nothing.`);
    return performance.now() - started;
  };
  const [pages, searches]: [number[], number[]] = [[], []];
  for (let i = 0; i < reads; i += 1) {
    // Somebody else each time, so that nothing remembered can help.
    const n = ((round * reads + i) * 7_919) % own;
    const address = emailAt(0, n, own, nowMs).addresses.to[0]?.email ?? '';
    pages.push(await ask('/emails'));
    searches.push(await ask(`/emails?${new URLSearchParams({ to: address })}`));
  }
  return { firstPageMs: median(pages), searchMs: median(searches) };
}

/** What was accepted and delivered while measuring, so that sizes stay what they are. */
async function freeKey({ db, installation }: DeliveryRig): Promise<void> {
  const tables = ['outbox', 'events', 'recipients', 'email_contents', 'emails', 'email_counts'];
  for (const table of tables) {
    await db.exec(adHoc(`DELETE FROM ${table} WHERE organization_id = $1`), [installation.organizationId]);
  }
  for (const table of tables) await db.exec(adHoc(`VACUUM ${table}`));
  // A worker in live mode does not trust a domain that was verified in the sandbox; the next round sends from it again.
  await db.exec(adHoc('UPDATE domains SET spf_verified = true, dkim_verified = true'));
}

/** How long it takes to remove the oldest week, from when all of it has been kept long enough. */
async function retention({ rig, nowMs }: Site): Promise<number> {
  await keepFor(rig, KEPT_DAYS);
  const { end } = await rig.db.one(
    adHoc<{ end: Date }>(
      `SELECT date_bin('7 days', min(created_at), '2000-01-03 00:00:00Z') + interval '7 days' AS end FROM emails`,
    ),
  );
  const clock = { nowMs: () => Math.max(nowMs, end.getTime() + KEPT_DAYS * DAY_MS + 1_000) };
  const before = await emailsIn(rig);
  const started = performance.now();
  const log = createLog('bench', 'silent');
  await applyRetention(
    { db: rig.db, clock: { ...systemClock, ...clock }, log },
    new AbortController().signal,
  );
  const ms = performance.now() - started;
  if ((await emailsIn(rig)) >= before) throw new Error('Retention removed nothing.');
  return ms;
}

async function keepFor({ db }: DeliveryRig, days: number): Promise<void> {
  for (const index of SHARES.keys()) {
    await writeRetention(db, organizationId(index), { content_days: 0, email_days: days }, new Date());
  }
}

async function emailsIn({ db }: DeliveryRig): Promise<number> {
  return (await db.one(adHoc<{ count: number }>('SELECT count(*) AS count FROM emails'))).count;
}

async function databaseBytes({ db }: DeliveryRig): Promise<number> {
  const size = adHoc<{ bytes: number }>('SELECT pg_database_size(current_database())::float8 AS bytes');
  return (await db.one(size)).bytes;
}

function medianOf(rounds: readonly Round[]): Round {
  const names = Object.keys(rounds[0] ?? {}) as (keyof Round)[];
  const entries = names.map((name) => [name, median(rounds.map((round) => round[name]))]);
  return Object.fromEntries(entries) as unknown as Round;
}

function summary({ acceptedPerSecond, deliveredPerSecond }: Round): string {
  return `${number(acceptedPerSecond)} accepted/s, ${number(deliveredPerSecond)} delivered/s`;
}

function report(base: Site, grown: readonly Grown[], baseRetentionMs: number): BenchResult {
  const last = grown.at(-1) as Grown;
  const accepting = last.round.acceptedPerSecond / last.beside.acceptedPerSecond;
  const delivering = last.round.deliveredPerSecond / last.beside.deliveredPerSecond;
  const { emails, diskBytesPerEmail } = base;
  const least = { emails, diskBytesPerEmail, round: last.beside, beside: last.beside };
  const all = [{ ...least, retentionMs: baseRetentionMs }, ...grown];
  return {
    ratio: Math.min(accepting, delivering),
    target: TARGET,
    table: growthTable(all),
    figures: {
      sizes: base.numbers.emails.join(),
      accepting: Number(accepting.toFixed(3)),
      delivering: Number(delivering.toFixed(3)),
      accept_cpu: Number((last.round.acceptCpuMs / last.beside.acceptCpuMs).toFixed(3)),
      deliver_cpu: Number((last.round.deliverCpuMs / last.beside.deliverCpuMs).toFixed(3)),
      bytes_an_email: Math.round(last.diskBytesPerEmail),
      retention_ms: Math.round(last.retentionMs),
    },
    chart: growthChart(all),
  };
}
