/**
 * What a delivery writes: rows, bytes of the write-ahead log, and processor time of PostgreSQL. The reference are the rows of release
 * 0.1.0, which workers write while one of that release is registered.
 */
import { adHoc } from '../src/database/sql.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { cpuSeconds } from './support/cpu.ts';
import { type DeliveryRig, startDeliveryRig } from './support/delivery-rig.ts';
import { median } from './support/measure.ts';
import { number } from './support/table.ts';

export const title = 'What a delivery writes';
export const claim = 'a delivery writes at most 0.9 of the write-ahead log of 0.1.0';

const SIZES = {
  full: { rounds: 3, mails: 6_000 },
  smoke: { rounds: 1, mails: 500 },
};
/** 1 / 0.9, rounded. */
const TARGET = 1.11;
const HEARTBEAT_MS = 2_000;

const COUNTED = {
  inserts: 'rows inserted',
  updates: 'rows updated',
  deletes: 'rows deleted',
  walBytes: 'bytes of the log',
  databaseMs: 'processor time of PostgreSQL, ms',
} as const;
type Written = Readonly<Record<keyof typeof COUNTED, number>>;

const select = adHoc<Omit<Written, 'databaseMs'>>(
  `SELECT sum(n_tup_ins)::float8 AS inserts, sum(n_tup_upd)::float8 AS updates, sum(n_tup_del)::float8 AS deletes,
          (pg_current_wal_insert_lsn() - '0/0')::float8 AS "walBytes"
   FROM pg_stat_user_tables WHERE relname ~ '^(outbox|emails|recipients|events|attempts)(_p[0-9]+)?$'`,
);

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const { rounds, mails } = SIZES[size];
  const rig = await startDeliveryRig();
  try {
    // Full pages depend on the time since the last checkpoint, and would hide what is written.
    await rig.db.exec(adHoc('ALTER SYSTEM SET full_page_writes = off'));
    await rig.db.exec(adHoc('SELECT pg_reload_conf()'));
    const [now, before]: [Written[], Written[]] = [[], []];
    for (let round = 1; round <= rounds; round += 1) {
      before.push(await besideEarlierWorker(rig, () => measure(rig, mails)));
      now.push(await measure(rig, mails));
      const [one, other] = [now.at(-1), before.at(-1)];
      progress(
        `round ${round} of ${rounds}: ${one?.walBytes.toFixed(0)} and ${other?.walBytes.toFixed(0)} bytes`,
      );
    }
    return report(now, before, mails);
  } finally {
    await rig.stop();
  }
}

async function measure(rig: DeliveryRig, mails: number): Promise<Written> {
  await rig.seed(mails);
  const pid = rig.installation.databasePid;
  // What this process wrote counts before, not while it is idle later.
  await rig.db.exec(adHoc('SELECT pg_stat_force_next_flush()'));
  const [from, cpuFrom] = [await rig.db.one(select), cpuSeconds(pid)];
  // The workers report their counts when they end.
  await rig.deliver(mails, 0);
  const [to, cpuTo] = [await rig.db.one(select), cpuSeconds(pid)];
  await rig.empty();
  return {
    inserts: (to.inserts - from.inserts) / mails,
    updates: (to.updates - from.updates) / mails,
    deletes: (to.deletes - from.deletes) / mails,
    walBytes: (to.walBytes - from.walBytes) / mails,
    databaseMs: ((cpuTo - cpuFrom) * 1_000) / mails,
  };
}

async function besideEarlierWorker<T>(rig: DeliveryRig, work: () => Promise<T>): Promise<T> {
  const { epoch } = await rig.db.one(
    adHoc<{ epoch: number }>(`INSERT INTO workers (host, pid) VALUES ('earlier', 0) RETURNING epoch`),
  );
  const beat = () => rig.db.exec(adHoc('UPDATE workers SET heartbeat_at = now() WHERE epoch = $1'), [epoch]);
  const timer = setInterval(beat, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await rig.db.exec(adHoc('DELETE FROM workers WHERE epoch = $1'), [epoch]);
  }
}

function report(now: readonly Written[], before: readonly Written[], mails: number): BenchResult {
  const of = (all: readonly Written[], name: keyof Written) => median(all.map((one) => one[name]));
  const names = Object.keys(COUNTED) as (keyof Written)[];
  const rows = names.map((name) => {
    const [one, other] = [of(now, name), of(before, name)];
    return [COUNTED[name], number(one, 2), number(other, 2), number(one / other, 2)];
  });
  const figures = names.flatMap((name): [string, number][] => [
    [name, Number(of(now, name).toFixed(3))],
    [`${name}_of_0_1_0`, Number(of(before, name).toFixed(3))],
  ]);
  return {
    ratio: of(before, 'walBytes') / of(now, 'walBytes'),
    target: TARGET,
    table: { columns: ['for each mail', 'now', '0.1.0', 'share'], rows },
    figures: { ...Object.fromEntries(figures), mails, rounds: now.length },
  };
}
