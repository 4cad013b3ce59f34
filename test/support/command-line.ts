import { systemClock } from '../../src/kit/runtime/clock.ts';
import { parseConfig } from '../../src/kit/runtime/config.ts';
import { runCli } from '../../src/processes/cli/run.ts';

/** Who types. */
export const TEST_OPERATOR = { user: 'ada', machine: 'mail-1' };

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** `npx postrider …` in this process, with this environment and no other. */
export async function runCommand(argv: readonly string[], env: Record<string, string>): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(argv, {
    loadConfig: () => parseConfig(env),
    clock: systemClock,
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    operator: TEST_OPERATOR,
    become: async (program) => void out.push(`becomes ${program}`),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}
