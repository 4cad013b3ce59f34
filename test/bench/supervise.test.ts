/** The process that runs a bench: how it tells a bench that works from one that hangs, fails or says nothing. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { supervise } from '../../bench/support/supervise.ts';

const LONG_ENOUGH_MS = 120_000;

function smoke(bench: string, limitMs = LONG_ENOUGH_MS) {
  const file = fileURLToPath(new URL(`fixtures/${bench}-bench.ts`, import.meta.url));
  return supervise({ name: bench, file, size: 'smoke', limitMs });
}

/** One that has ended and that nobody has asked for its exit code has no arguments any more. */
function isRunning(pid: string | undefined): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

describe('a bench', () => {
  test('that measures something passes in smoke mode, whatever its ratio', async () => {
    const ended = await smoke('measured');
    expect(ended).toMatchObject({ kind: 'measured', result: { ratio: 0.5, target: 1 } });
    expect(ended.output).toContain('at smoke size');
  });

  test('that hangs is reported with its last line, and leaves no process behind', async () => {
    // The limit has to leave time for a busy machine to start it.
    const ended = await smoke('hanging', 20_000);
    expect(ended).toMatchObject({
      kind: 'failed',
      why: expect.stringMatching(/^did not end within 20 s; .*started/),
    });
    const [, child, detached] = /started (\d+) and (\d+)/.exec(ended.output) ?? [];
    expect([child, detached].map(isRunning)).toEqual([false, false]);
  });

  test('that ends without a result line fails', async () => {
    expect(await smoke('silent')).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('without a result'),
    });
  });

  test('that throws fails with the message of the error', async () => {
    expect(await smoke('failing')).toMatchObject({
      kind: 'failed',
      why: 'ended with 1 and without a result: Error: Waited for 5 mails to arrive: 3 are left.',
    });
  });

  test('whose peer is missing is skipped with the command that installs it', async () => {
    expect(await smoke('lonely')).toMatchObject({
      kind: 'skipped',
      why: 'nosuchmailserver is not installed',
      install: 'apt-get install nosuchmailserver',
    });
  });
});
