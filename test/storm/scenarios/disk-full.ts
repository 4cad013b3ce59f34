/**
 * The disk of the data folder, PostgreSQL's and the journals', is full to the last byte, and later has room again.
 * Meanwhile nothing can be accepted, and that is said; afterwards everything goes on, and nobody restarts anything.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { adHoc } from '../../../src/database/sql.ts';
import { SupervisedInstallation } from '../installation.ts';
import { refusalProblems } from '../refusals.ts';
import { FAIR_WEATHER, type Scenario } from '../scenario.ts';
import { SmallDisk, whyNoMount } from '../small-disk.ts';

const MEGABYTES = 768;
const FULL_MS = [40_000, 15_000];
const FILL_AGAIN_MS = 250;

const switchLog = adHoc('SELECT pg_switch_wal(), pg_logical_emit_message(true, $$storm$$, $$full$$)');

export function diskFull({ fullMs = FULL_MS } = {}): Scenario {
  let disk: SmallDisk | undefined;
  let supervisor = 0;
  return {
    name: 'disk-full',
    about: `Fills the disk with the data folder for ${fullMs.map((ms) => ms / 1_000).join(' and ')} s.`,
    usual: { minutes: 1, rate: 100, workers: 2 },
    whyNot: whyNoMount,
    outside: () => FAIR_WEATHER,
    install: async (options, outside) => {
      disk = new SmallDisk(join(options.dataDir, 'site'), MEGABYTES);
      const logFile = join(options.dataDir, 'storm.log');
      return SupervisedInstallation.start({ ...options, outside, dataDir: disk.folder, logFile });
    },
    async strike({ options, installation, log, traffic }) {
      supervisor = installation.supervisorPid ?? 0;
      for (const forMs of fullMs) {
        await sleep(options.forMs / (fullMs.length + 1));
        log.strike('fill-disk', traffic.inHand());
        const endMs = performance.now() + forMs;
        while (performance.now() < endMs) {
          disk?.fill();
          // What was made ahead of the log is used up as well: then PostgreSQL ends, and cannot start.
          await installation.db.many(switchLog).catch(() => []);
          await sleep(FILL_AGAIN_MS);
        }
        disk?.free();
      }
      await sleep(options.forMs / (fullMs.length + 1));
    },
    problems: ({ installation, ledger }) => [
      ...(installation.supervisorPid === supervisor ? [] : ['the supervisor ended']),
      ...refusalProblems(ledger),
    ],
    clear: () => disk?.remove(),
  };
}
