/** Whether mail that waits makes mail that is sent slower: a million rows due, half a million deferred, 100,000 blocked. */
import type { Database } from '../src/database/database.ts';
import { adHoc } from '../src/database/sql.ts';
import type { claim as Claim } from '../src/outbox/claim.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { built } from './support/built.ts';
import { type Delivered, type DeliveryRig, startDeliveryRig } from './support/delivery-rig.ts';
import { DOMAINS } from './support/mail-sink.ts';
import { median } from './support/measure.ts';
import { number } from './support/table.ts';

export const title = 'Delivering 10,000 mails with nothing else in the queue, and with 1,600,000 rows';
export const claim = 'the rate with the backlog is at least 0.9 of the rate without';

const TARGET = 0.9;
const SIZES = {
  full: {
    ...{ mails: 12_000, warmUp: 2_000, rounds: 3, claims: 200 },
    ...{ due: 1_000_000, deferred: 500_000, blocked: 100_000 },
  },
  smoke: {
    ...{ mails: 500, warmUp: 100, rounds: 1, claims: 5 },
    ...{ due: 2_000, deferred: 1_000, blocked: 500 },
  },
};
type Numbers = (typeof SIZES)[Size];
/** Rows that one statement adds. */
const STEP = 100_000;

interface Round extends Delivered {
  readonly claimMs: number;
}

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const numbers = SIZES[size];
  const rig = await startDeliveryRig();
  try {
    const alone: Round[] = [];
    const behind: Round[] = [];
    for (let round = 1; round <= numbers.rounds; round += 1) {
      alone.push(await measure(rig, numbers, false, progress));
      behind.push(await measure(rig, numbers, true, progress));
    }
    return report(alone, behind, numbers);
  } finally {
    await rig.stop();
  }
}

async function measure(
  rig: DeliveryRig,
  numbers: Numbers,
  backlog: boolean,
  progress: Progress,
): Promise<Round> {
  progress(`seeding${backlog ? ' with the backlog' : ''}`);
  await rig.seed(numbers.mails);
  if (backlog) await addBacklog(rig, numbers);
  await rig.db.exec(adHoc('VACUUM ANALYZE outbox'));
  const claimMs = await claimCost(rig, numbers.claims);
  const delivered = await rig.deliver(numbers.mails, numbers.warmUp);
  progress(
    `${backlog ? 'with' : 'without'} the backlog: ${number(delivered.perSecond)}/s, a claim ${number(claimMs, 2)} ms`,
  );
  await rig.empty();
  return { ...delivered, claimMs };
}

/** Rows alone, without emails: those that are due lie behind the mails that are measured, in the same lanes. */
async function addBacklog(
  { db, organizationId, sink }: DeliveryRig,
  { due, deferred, blocked }: Numbers,
): Promise<void> {
  const domains = Array.from({ length: DOMAINS }, (_, i) => sink.domain(i));
  const add = (count: number, dueAt: string, domain: string) =>
    db.exec(
      adHoc(
        `INSERT INTO outbox (email_id, due_at, expires_at, size, position, priority, organization_id, domain, mode)
         SELECT gen_random_uuid(), ${dueAt}, now() + interval '1 day', 4096, 0, 1, $2, ${domain}, 'live'
         FROM generate_series(1, $1::int) AS n WHERE cardinality($3::text[]) > 0`,
      ),
      [count, organizationId, domains],
    );
  const inLanes = `($3::text[])[n % ${DOMAINS} + 1]`;
  for (let done = 0; done < due; done += STEP) await add(Math.min(STEP, due - done), 'now()', inLanes);
  for (let done = 0; done < deferred; done += STEP) {
    const domain = `CASE WHEN n % 2 = 0 THEN ${inLanes} ELSE 'far' || n % 20000 || '.test' END`;
    const dueAt = `now() + interval '1 hour' + n * interval '1 millisecond'`;
    await add(Math.min(STEP, deferred - done), dueAt, domain);
  }
  await add(blocked, `now() - interval '1 day'`, `'blocked.bench.test'`);
  await db.exec(adHoc(`INSERT INTO sites (name, paused_at) VALUES ('mx.blocked.bench.test', now())`));
}

/** What a claim of five mails from each domain costs, taken back every time. */
async function claimCost({ db, organizationId, sink }: DeliveryRig, claims: number): Promise<number> {
  const outbox = await built<{ claim: typeof Claim }>('outbox/claim');
  const wants = Array.from({ length: DOMAINS }, (_, i) => ({
    domain: sink.domain(i),
    organizationId,
    priority: 1,
    room: 5,
  }));
  const times: number[] = [];
  for (let i = 0; i < claims; i += 1)
    times.push(await timeThenRollBack(db, (tx) => outbox.claim(tx, { epoch: 1, mode: 'live' }, wants)));
  return median(times);
}

class TakenBack extends Error {}

async function timeThenRollBack(
  db: Database,
  work: (tx: Parameters<typeof Claim>[0]) => Promise<unknown>,
): Promise<number> {
  let tookMs = 0;
  await db
    .transaction(async (tx) => {
      const startedMs = performance.now();
      await work(tx);
      tookMs = performance.now() - startedMs;
      throw new TakenBack();
    })
    .catch((error) => {
      if (!(error instanceof TakenBack)) throw error;
    });
  return tookMs;
}

function report(alone: readonly Round[], behind: readonly Round[], numbers: Numbers): BenchResult {
  const { mails, due, deferred, blocked } = numbers;
  const of = (rounds: readonly Round[], value: (round: Round) => number) => median(rounds.map(value));
  const rate = (rounds: readonly Round[]) => of(rounds, (one) => one.perSecond);
  const claimMs = (rounds: readonly Round[]) => of(rounds, (one) => one.claimMs);
  const rss = Math.max(...[...alone, ...behind].map((one) => one.rssMb));
  const row = (name: string, rounds: readonly Round[]) => [
    name,
    number(rate(rounds)),
    rounds.map((one) => number(one.perSecond)).join(' '),
    number(claimMs(rounds), 2),
    String(Math.max(...rounds.map((one) => one.rssMb))),
  ];
  return {
    ratio: rate(behind) / rate(alone),
    target: TARGET,
    table: {
      columns: ['queue', 'median mails/s', 'rounds', 'claim of 50, ms', 'worker peak MB'],
      rows: [
        row(`${number(mails)} due`, alone),
        row(`${number(mails + due)} due, ${number(deferred)} deferred, ${number(blocked)} blocked`, behind),
      ],
    },
    figures: {
      alone_per_second: Math.round(rate(alone)),
      behind_per_second: Math.round(rate(behind)),
      claim_alone_ms: Number(claimMs(alone).toFixed(3)),
      claim_behind_ms: Number(claimMs(behind).toFixed(3)),
      claim_ratio: Number((claimMs(behind) / claimMs(alone)).toFixed(2)),
      worker_peak_mb: rss,
    },
  };
}
