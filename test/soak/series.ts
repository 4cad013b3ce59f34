/** What is judged, by which bound, and why that bound. */
import type { Bound, Point, Series } from './judge.ts';
import type { Sample } from './sampler.ts';

const MIB = 1_048_576;
const SHOWN: Bound = { kind: 'shown' };

/** `max_wal_size` is 2 GB, which a checkpoint that takes its time passes by a little. */
const WAL_MIB: Bound = { kind: 'at-most', most: 2_048 * 1.25 };
/** Heaps breathe; a leak of one object an email is far above it after half an hour. */
const MEMORY: Bound = { kind: 'rise-percent', most: 10 };
const HANDLES: Bound = { kind: 'rise', most: 5 };
const THREADS: Bound = { kind: 'rise', most: 2 };
const CONNECTIONS: Bound = { kind: 'rise', most: 2 };
/** What is due is taken up within a second; five more would be a queue that ages. */
const AGE_S: Bound = { kind: 'rise', most: 5 };
/** The outbox holds what waits, nothing else: it must not swell with what went through it. */
const OUTBOX_MIB: Bound = { kind: 'rise', most: 8 };
/** Mail is kept, so disk grows; but by as much for the last email as for those before. */
const PER_EMAIL: Bound = { kind: 'rise-percent', most: 10 };
/** An email's bytes are measured over so much of the run, because files grow in steps. */
const PART_OF_RUN = 1 / 12;

export function seriesOf(samples: readonly Sample[]): Series[] {
  return [
    ...ofProcesses(samples),
    ...ofConnections(samples),
    ...ofQueues(samples),
    ...ofDisk(samples),
    ...ofSpeed(samples),
  ];
}

function ofProcesses(samples: readonly Sample[]): Series[] {
  const names = [...new Set(samples.flatMap(({ processes }) => processes.map(({ name }) => name)))];
  const read = (name: string, field: 'memoryBytes' | 'handles' | 'threads') => (sample: Sample) =>
    sample.processes.find((one) => one.name === name)?.[field] ?? 0;
  const memory = (name: string) => (sample: Sample) => read(name, 'memoryBytes')(sample) / MIB;
  return [
    ...names.map((name) => series(samples, `memory, ${name}`, 'MiB', MEMORY, memory(name))),
    ...names.map((name) => series(samples, `handles, ${name}`, '', handlesOf(name), read(name, 'handles'))),
    ...names.map((name) => series(samples, `threads, ${name}`, '', THREADS, read(name, 'threads'))),
  ];
}

function ofConnections(samples: readonly Sample[]): Series[] {
  return [
    series(samples, 'connections', '', CONNECTIONS, (s) => connectionsOf(s)),
    series(samples, 'connections in a transaction', '', CONNECTIONS, (s) => s.database.in_transaction),
    series(samples, 'oldest transaction', 's', AGE_S, (s) => s.database.oldest_transaction_s),
  ];
}

function ofQueues(samples: readonly Sample[]): Series[] {
  return [
    series(samples, 'mail, age of the oldest due', 's', AGE_S, (s) => s.database.queue_age_s),
    series(samples, 'mail, due', '', SHOWN, (s) => s.database.queued),
    series(samples, 'webhook that works, oldest due', 's', AGE_S, (s) => s.database.hook_age_s),
    series(samples, 'webhook that works, due', '', SHOWN, (s) => s.database.hook_waiting),
    series(samples, 'webhooks that fail or hang, oldest due', 's', SHOWN, (s) => s.database.broken_age_s),
  ];
}

function ofDisk(samples: readonly Sample[]): Series[] {
  return [
    perEmail('database, an email', samples, (s) => s.database.database_bytes),
    perEmail('data folder without log, an email', samples, (s) => s.diskBytes),
    series(samples, 'database', 'MiB', SHOWN, (s) => s.database.database_bytes / MIB),
    series(samples, 'write-ahead log', 'MiB', WAL_MIB, (s) => s.database.wal_bytes / MIB),
    series(samples, 'outbox on disk', 'MiB', OUTBOX_MIB, (s) => s.database.outbox_bytes / MIB),
    series(samples, 'dead rows, outbox', '', SHOWN, (s) => s.database.outbox_dead),
    series(samples, 'dead rows, webhook deliveries', '', SHOWN, (s) => s.database.webhooks_dead),
    series(samples, 'dead rows, emails and recipients', '', SHOWN, (s) => s.database.emails_dead),
  ];
}

function ofSpeed(samples: readonly Sample[]): Series[] {
  return [
    series(samples, 'delivered', '/s', SHOWN, (s) => s.deliveredPerS),
    series(samples, 'accept, p50', 'ms', SHOWN, (s) => s.acceptP50Ms),
    series(samples, 'accept, p99', 'ms', SHOWN, (s) => s.acceptP99Ms),
    series(samples, 'cores taken by other work', '', SHOWN, (s) => s.othersCores),
  ];
}

export function connectionsOf({ database }: Sample): number {
  return database.active + database.idle + database.in_transaction;
}

function series(
  samples: readonly Sample[],
  name: string,
  unit: string,
  bound: Bound,
  value: (sample: Sample) => number,
): Series {
  return { name, unit, bound, points: samples.map((one) => ({ atS: one.atS, value: value(one) })) };
}

/** Each of PostgreSQL's processes opens a file when it first needs it, and some of them come and go. */
function handlesOf(name: string): Bound {
  return name === 'postgres' ? { kind: 'rise-percent', most: 10 } : HANDLES;
}

function perEmail(name: string, samples: readonly Sample[], bytes: (sample: Sample) => number): Series {
  const step = Math.max(1, Math.round(samples.length * PART_OF_RUN));
  const points = samples.slice(step).flatMap((sample, i): Point[] => {
    const before = samples[i];
    const emails = sample.acceptedEmails - (before?.acceptedEmails ?? 0);
    if (before === undefined || emails <= 0) return [];
    return [{ atS: sample.atS, value: (bytes(sample) - bytes(before)) / emails }];
  });
  return { name, unit: 'B', bound: PER_EMAIL, points };
}
