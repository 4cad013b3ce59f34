import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MUTATIONS, type Mutation, mutatedBuild } from './mutations.ts';
import { isClean, type StormReport, tableOf } from './report.ts';
import { random } from './scenarios/random.ts';
import { runStorm } from './storm.ts';

const SEED = 20_261_118;
/** Less than three minutes on a machine that does little else, and twice that on a busy one. */
const TIMEOUT_MS = 360_000;
const KINDS = ['kill-worker', 'kill-api', 'freeze-postgres', 'freeze-past-lease', 'sink-before-dot'];

/** The same small storm for every bug. */
async function stormOf(mutation: Mutation | null): Promise<StormReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-storm-'));
  chmodSync(dataDir, 0o755);
  const build = mutatedBuild(mutation);
  try {
    return await runStorm(random, {
      seed: SEED,
      forMs: 20_000,
      workers: 2,
      kinds: new Set(KINDS),
      killEveryMs: 3_000,
      longestFreezeMs: 5_000,
      pastLeaseEveryMs: 8_000,
      sinkCuts: 0.02,
      sending: { rate: 1_000, keyed: undefined },
      mostDue: 200,
      program: build.program('start'),
      dataDir,
      stuckAfterMs: 30_000,
      say: () => undefined,
    });
  } finally {
    build.remove();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

describe('a small storm', () => {
  it(
    'is clean when no bug is planted',
    async () => {
      const report = await stormOf(null);
      expect(isClean(report), tableOf(report)).toBe(true);
    },
    TIMEOUT_MS,
  );

  for (const mutation of MUTATIONS)
    it(
      `finds the planted bug: ${mutation.name}`,
      async () => {
        const report = await stormOf(mutation);
        const found = report.findings.find(({ name }) => name === mutation.foundAs)?.found ?? [];
        expect(found.length, tableOf(report)).toBeGreaterThan(0);
      },
      TIMEOUT_MS,
    );

  it('refuses to plant a bug into a text that is not there any more', () => {
    const gone = { name: 'a bug', texts: [{ replaced: /no such text/g, by: '' }], foundAs: '' };
    expect(() => mutatedBuild(gone)).toThrow(/“a bug” cannot be planted/);
  });
});
