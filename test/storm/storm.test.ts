import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isClean, type StormReport, tableOf } from './report.ts';
import { random } from './scenarios/random.ts';
import { FAULT_KINDS } from './schedule.ts';
import { runStorm } from './storm.ts';

/** `npm run storm` blows for longer, harder, and with seeds of its own. */
const FOR_MS = 25_000;
/** One by which everything is killed in so short a time, and a worker, PostgreSQL and a session of it freeze. */
const SEED = 20_261_663;

let report: StormReport;
let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'postrider-storm-'));
  chmodSync(dataDir, 0o755);
  report = await runStorm(random, {
    seed: SEED,
    forMs: FOR_MS,
    workers: 2,
    kinds: new Set(FAULT_KINDS),
    killEveryMs: 1_200,
    longestFreezeMs: 6_000,
    sending: { rate: 1_000, keyed: undefined },
    mostDue: 200,
    dataDir,
    stuckAfterMs: 60_000,
    say: () => undefined,
  });
}, 400_000);
afterAll(() => {
  // What went wrong is looked into there.
  if (report !== undefined && isClean(report)) rmSync(dataDir, { recursive: true, force: true });
});

describe('a whole installation of which something is killed or frozen all the time', () => {
  it('accounts for every mail: nothing lost, nothing twice but where nobody could know', () => {
    expect(isClean(report), `${tableOf(report)}\n\nIts data are in ${dataDir}.`).toBe(true);
  });

  it('was struck fifteen times and more, of every kind of process, while mail went in and out', () => {
    expect(report.kills).toBeGreaterThanOrEqual(15);
    expect(report.freezes).toBeGreaterThan(0);
    expect(Object.values(report.inHand).flat().length).toBeGreaterThanOrEqual(report.kills + report.freezes);
    for (const kind of ['kill-worker', 'kill-api', 'kill-postmaster', 'kill-supervisor', 'kill-other'])
      expect(report.faults[kind], kind).toBeGreaterThan(0);
    expect(report.accepted).toBeGreaterThan(100);
    for (const way of ['http plain', 'http mixed', 'smtp plain', 'resend plain', 'resend mixed'])
      expect(report.acceptedAs[way], way).toBeGreaterThan(0);
    expect(report.deliveries).toBeGreaterThan(report.accepted / 2);
    expect(report.repeatedRequests).toBeGreaterThan(0);
  });
});
