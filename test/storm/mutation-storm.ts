/** A small storm against the built programs, or against a copy of them with a planted bug. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mutation, mutatedBuild } from './mutations.ts';
import type { StormReport } from './report.ts';
import type { Scenario } from './scenario.ts';
import { runStorm } from './storm.ts';

const SEED = 20_261_118;

/** The same options with and without the bug: otherwise a clean storm without the bug would prove nothing. */
export async function mutationStorm(
  scenario: Scenario,
  mutation: Mutation | null,
  say: (line: string) => void = () => undefined,
): Promise<StormReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-storm-'));
  chmodSync(dataDir, 0o755);
  const build = mutatedBuild(mutation);
  try {
    return await runStorm(scenario, {
      seed: SEED,
      forMs: 0,
      workers: 2,
      kinds: new Set(),
      killEveryMs: 0,
      longestFreezeMs: 0,
      sinkCuts: 0.05,
      sending: { rate: 500, keyed: 1, repeated: 0.5 },
      mostDue: 100,
      program: build.program('start'),
      dataDir,
      stuckAfterMs: 30_000,
      say,
    });
  } finally {
    build.remove();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
