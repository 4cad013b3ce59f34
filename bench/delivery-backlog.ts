/** Whether mail that waits makes mail that is sent slower: a million rows due, half a million deferred, 100,000 blocked. */
import type { Database } from '../src/kit/database/database.ts';
import { adHoc } from '../src/kit/database/sql.ts';
import type { claim as Claim } from '../src/outbox/claim.ts';
import type { BenchResult, Progress } from './support/bench.ts';
import { built } from './support/built.ts';
import { type Delivered, type DeliveryRig, startDeliveryRig } from './support/delivery-rig.ts';
import { DOMAINS } from './support/mail-sink.ts';
import { median } from './support/measure.ts';
import { number } from './support/table.ts';

export const title = 'Delivering 10,000 mails with nothing else in the queue, and with 1,600,000 rows';
export const claim = 'the rate with the backlog is at least 0.9 of the rate without';

const TARGET = 0.9;
const MAILS = 12_000;
const WARM_UP = 2_000;
const DUE = 1_000_000;
const DEFERRED = 500_000;
const BLOCKED = 100_000;
const ROUNDS = 3;
const CLAIMS = 200;

interface Round extends Delivered {
  readonly claimMs: number;
}

export async function run(progress: Progress): Promise<BenchResult> {
  const rig = await startDeliveryRig();
  try {
    const alone: Round[] = [];
    const behind: Round[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      alone.push(await measure(rig, false, progress));
      behind.push(await measure(rig, true, progress));
    }
    return report(alone, behind);
  } finally {
    await rig.stop();
  }
}

async function measure(rig: DeliveryRig, backlog: boolean, progress: Progress): Promise<Round> {
  progress(`seeding${backlog ? ' with the backlog' : ''}`);
  await rig.seed(MAILS);
  if (backlog) await addBacklog(rig);
  await rig.db.exec(adHoc('VACUUM ANALYZE outbox'));
  const claimMs = await claimCost(rig);
  const delivered = await rig.deliver(MAILS, WARM_UP);
  progress(
    `${backlog ? 'with' : 'without'} the backlog: ${number(delivered.perSecond)}/s, a claim ${number(claimMs, 2)} ms`,
  );
  await rig.empty();
  return { ...delivered, claimMs };
}

/** Rows alone, without emails: those that are due lie behind the mails that are measured, in the same lanes. */
async function addBacklog({ db, organizationId, sink }: DeliveryRig): Promise<void> {
  const domains = Array.from({ length: DOMAINS }, (_, i) => sink.domain(i));
  const add = (count: number, due: string, domain: string) =>
    db.exec(
      adHoc(
        `INSERT INTO outbox (email_id, due_at, expires_at, size, position, priority, organization_id, domain, mode)
         SELECT gen_random_uuid(), ${due}, now() + interval '1 day', 4096, 0, 1, $2, ${domain}, 'live'
         FROM generate_series(1, $1::int) AS n WHERE cardinality($3::text[]) > 0`,
      ),
      [count, organizationId, domains],
    );
  const inLanes = `($3::text[])[n % ${DOMAINS} + 1]`;
  const STEP = 100_000;
  for (let done = 0; done < DUE; done += STEP) await add(STEP, 'now()', inLanes);
  for (let done = 0; done < DEFERRED; done += STEP) {
    const domain = `CASE WHEN n % 2 = 0 THEN ${inLanes} ELSE 'far' || n % 20000 || '.test' END`;
    await add(STEP, `now() + interval '1 hour' + n * interval '1 millisecond'`, domain);
  }
  await add(BLOCKED, `now() - interval '1 day'`, `'blocked.bench.test'`);
  await db.exec(adHoc(`INSERT INTO sites (name, paused_at) VALUES ('mx.blocked.bench.test', now())`));
}

/** What a claim of five mails from each domain costs, taken back every time. */
async function claimCost({ db, organizationId, sink }: DeliveryRig): Promise<number> {
  const outbox = await built<{ claim: typeof Claim }>('outbox/claim');
  const wants = Array.from({ length: DOMAINS }, (_, i) => ({
    domain: sink.domain(i),
    organizationId,
    priority: 1,
    room: 5,
  }));
  const times: number[] = [];
  for (let i = 0; i < CLAIMS; i += 1)
    times.push(await takenBack(db, (tx) => outbox.claim(tx, { epoch: 1, mode: 'live' }, wants)));
  return median(times);
}

class TakenBack extends Error {}

async function takenBack(
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

function report(alone: readonly Round[], behind: readonly Round[]): BenchResult {
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
      rows: [row('12,000 due', alone), row('1,012,000 due, 500,000 deferred, 100,000 blocked', behind)],
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
