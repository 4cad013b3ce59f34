import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Outside } from './outside.ts';
import { FAIR_WEATHER, type Scenario, type StormOptions } from './scenario.ts';
import { random } from './scenarios/random.ts';
import { runStorm } from './storm.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'postrider-storm-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('a storm that fails', () => {
  it('reports that the mail server of the storm was killed, and not that a pipe to it is broken', async () => {
    const outside = await Outside.start({ file: join(dataDir, 'outside.jsonl'), seed: 1, ...FAIR_WEATHER });
    const counting = outside.count();
    process.kill(outside.pid, 'SIGKILL');
    await expect(Promise.all([counting, outside.failed])).rejects.toThrow(/outside world .* SIGKILL/);
    outside.calm();
    await expect(outside.count()).rejects.toThrow(/outside world .* SIGKILL/);
    await outside.end();
  });

  it('reports the last words of the mail server of the storm when it fails', async () => {
    const file = join(dataDir, 'no-such-folder', 'outside.jsonl');
    await expect(Outside.start({ file, seed: 1, ...FAIR_WEATHER })).rejects.toThrow(
      /ENOENT.*no-such-folder/s,
    );
  });

  it('reports the error that came first, and not those of the cleaning up after it', async () => {
    const scenario: Scenario = {
      ...random,
      install: async (_, outside) => {
        process.kill(outside.pid, 'SIGKILL');
        throw new Error('The installation did not start.');
      },
      end: () => Promise.reject(new Error('Nothing could be ended.')),
    };
    await expect(runStorm(scenario, optionsOf(dataDir))).rejects.toThrow('The installation did not start.');
  });
});

function optionsOf(folder: string): StormOptions {
  return {
    seed: 1,
    forMs: 1_000,
    workers: 1,
    kinds: new Set(),
    killEveryMs: 1_000,
    longestFreezeMs: 1_000,
    sending: { rate: 1, keyed: undefined },
    dataDir: folder,
    stuckAfterMs: 1_000,
    say: () => undefined,
  };
}
