/**
 * Every bench, with small numbers, as `npm run bench -- --smoke` runs it: one after the other, because each starts an installation
 * of its own. Benches whose peers are not installed are skipped.
 */
import { describe, expect, test } from 'vitest';
import { benchFile, benchNames } from '../../bench/support/catalogue.ts';
import { SMOKE_LIMIT_MS, smokeLine } from '../../bench/support/smoke.ts';
import { supervise } from '../../bench/support/supervise.ts';

/** Ending the processes of a bench that hangs takes a while, too. */
const TEST_LIMIT_MS = SMOKE_LIMIT_MS + 30_000;

describe('in smoke mode', () => {
  for (const name of benchNames()) {
    test(
      `the bench ${name} ends with a result`,
      async ({ skip }) => {
        const order = { name, file: benchFile(name), size: 'smoke', limitMs: SMOKE_LIMIT_MS } as const;
        const ended = await supervise(order);
        if (ended.kind === 'skipped') skip(ended.why);
        expect(ended.kind, `${smokeLine(name, ended)}\n${ended.output}`).toBe('measured');
      },
      TEST_LIMIT_MS,
    );
  }
});
