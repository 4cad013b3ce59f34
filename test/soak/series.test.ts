import { describe, expect, it } from 'vitest';
import { soakChart } from './chart.ts';
import { type Judgement, judge } from './judge.ts';
import { isFlat, type SoakReport, tableOf } from './report.ts';
import type { Sample } from './sampler.ts';
import { seriesOf } from './series.ts';

const MIB = 1_048_576;

interface Leaks {
  readonly workerBytes?: number;
  readonly bytesAnEmail?: (minute: number) => number;
}

/** An hour at 100 emails a second. */
function samples({ workerBytes = 0, bytesAnEmail = () => 5_000 }: Leaks = {}): Sample[] {
  let databaseBytes = 11 * MIB;
  return Array.from({ length: 121 }, (_, i): Sample => {
    databaseBytes += 3_000 * bytesAnEmail(i / 2);
    const held = { handles: 60, threads: 11, cpuS: i };
    return {
      atS: i * 30,
      processes: [
        { name: 'api', pids: [1], memoryBytes: 150 * MIB, ...held },
        { name: 'worker 1', pids: [2], memoryBytes: 150 * MIB + i * 3_000 * workerBytes, ...held },
      ],
      database: {
        active: i % 3,
        idle: 20 - (i % 3),
        in_transaction: 0,
        oldest_transaction_s: 0.1,
        database_bytes: databaseBytes,
        wal_bytes: 1_000 * MIB,
        outbox_bytes: MIB,
        outbox_dead: 500,
        webhooks_dead: 500,
        emails_dead: 500,
        queued: 20,
        queue_age_s: 0.2,
        hook_waiting: 3,
        hook_age_s: 0.1,
        broken_age_s: i,
      },
      diskBytes: databaseBytes,
      acceptedEmails: i * 3_000,
      deliveredMails: i * 3_000,
      deliveredPerS: 100,
      acceptP50Ms: 5,
      acceptP99Ms: 20,
      othersCores: 0,
    };
  });
}

function growing(leaks?: Leaks): string[] {
  return judged(leaks)
    .filter((one) => !one.isFlat)
    .map(({ name }) => name);
}

function judged(leaks?: Leaks): Judgement[] {
  return seriesOf(samples(leaks)).map(judge);
}

function report(leaks?: Leaks): SoakReport {
  return {
    ...{
      commit: 'abc',
      startedAt: '',
      minutes: 60,
      longestGapS: 10,
      seed: 1,
      cores: 2,
      workers: 2,
      capacity: 140,
      load: 0.7,
    },
    ...{ rate: 100, acceptedEmails: 360_000, deliveredMails: 1, streamedEvents: 1, drainedAfterS: 1 },
    ...{ requests: {}, tables: [], problems: [], judgements: judged(leaks), samples: samples(leaks) },
  };
}

describe('what a soak judges', () => {
  it('finds nothing that grows where mail is kept and nothing else happens', () => {
    expect(growing()).toEqual([]);
  });

  it('names the process that keeps a few bytes of every email', () => {
    expect(growing({ workerBytes: 200 })).toEqual(['memory, worker 1']);
  });

  it('finds that later emails take more of the disk than earlier ones', () => {
    expect(growing({ bytesAnEmail: (minute) => 5_000 + minute * 20 })).toEqual([
      'database, an email',
      'data folder without log, an email',
    ]);
  });

  it('says in its table what grows, and is not flat then', () => {
    expect(isFlat(report())).toBe(true);
    const leaking = report({ workerBytes: 200 });
    expect(isFlat(leaking)).toBe(false);
    expect(
      tableOf(leaking)
        .split('\n')
        .filter((line) => line.includes('**grows**')),
    ).toHaveLength(1);
  });

  it('is not flat when mail is missing', () => {
    expect(isFlat({ ...report(), problems: ['9 emails stored, 10 accepted'] })).toBe(false);
  });

  it('draws a line for every series of a panel, with a place for every sample', () => {
    const chart = soakChart(report());
    const lines = [...chart.matchAll(/<polyline [^>]*points="([^"]*)"/g)].map(([, points]) => points ?? '');
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.every((points) => /^(\d+(\.\d)?,\d+(\.\d)? ?){121}$/.test(points))).toBe(true);
  });
});
