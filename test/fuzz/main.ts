/** `npm run fuzz [-- --minutes 5 --seed 1]`: a database of its own, then `fuzz.ts`; exit code 1 when something is wrong. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/database/database.ts';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createLog } from '../../src/runtime/log.ts';
import { commandOptions } from '../support/command-options.ts';
import type { FuzzReport } from './ask.ts';
import { openFuzzFixture } from './fixture.ts';
import { fuzz } from './fuzz.ts';
import { verdictOn } from './verdict.ts';

const USAGE = 'usage: npm run fuzz -- [--minutes 5] [--seed 1]';
const values = commandOptions(USAGE, { minutes: { type: 'string' }, seed: { type: 'string' } });
const minutes = Number(values.minutes ?? 5);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
if (!(minutes > 0 && Number.isSafeInteger(seed))) {
  say(USAGE);
  process.exit(2);
}
process.exitCode = await main();

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function main(): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-fuzz-'));
  chmodSync(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const db = new Database({ url: postgres.url, log: createLog('fuzz', 'silent'), applicationName: 'fuzz' });
  try {
    await migrate(postgres.url);
    const fixture = await openFuzzFixture(postgres.url, db);
    say(`Fuzzing ${fixture.url} for ${minutes} minutes with seed ${seed}…`);
    try {
      const report = await fuzz(fixture, {
        seed,
        forMs: minutes * 60_000,
        idsPerNoun: 3,
        limitMs: 5_000,
        progress: say,
      });
      return tell(report, verdictOn(report, fixture));
    } finally {
      await fixture.stop();
    }
  } finally {
    await db.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function tell(
  { problems: _all, asked: _asked, ...figures }: FuzzReport,
  problems: readonly string[],
): number {
  for (const problem of problems) process.stdout.write(`${problem}\n\n`);
  process.stdout.write(`${JSON.stringify({ seed, minutes, ...figures, problems: problems.length })}\n`);
  return problems.length === 0 ? 0 : 1;
}
