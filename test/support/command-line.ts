import type { LiveLine } from '../../src/cli/progress.ts';
import { runCli } from '../../src/cli/run.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';

/** The operator that runs commands in tests. */
export const TEST_OPERATOR = { user: 'ada', machine: 'mail-1' };

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `npx postrider …` in this process with only this environment. `live` simulates a terminal. */
export async function runCommand(
  argv: readonly string[],
  env: Record<string, string>,
  live?: LiveLine,
): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(argv, {
    loadConfig: () => parseConfig(env),
    clock: systemClock,
    live,
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    operator: TEST_OPERATOR,
    become: async (program) => void out.push(`becomes ${program}`),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}
