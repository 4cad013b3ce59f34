/** The very first start, killed while it makes its database, its schema and its roles, again and again. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../fuzz/random.ts';
import type { FaultLog } from '../fault-log.ts';
import { SupervisedInstallation } from '../installation.ts';
import { startRoughly } from '../rough-start.ts';
import { FAIR_WEATHER, type Scenario } from '../scenario.ts';

const STARTS = 5;
const KILLS = 8;
const APART_MS = 2_500;

export function firstStart({ starts = STARTS } = {}): Scenario {
  let log: FaultLog;
  const unclean: string[] = [];
  let kills = 0;
  return {
    name: 'first-start',
    about: `Kills ${KILLS} times in the middle of the first start of ${starts} installations, each of which must then work.`,
    usual: { minutes: 0.2, rate: 50, workers: 2 },
    outside: () => FAIR_WEATHER,
    async install(options, outside) {
      const random = new Random(options.seed);
      const rough = { random, kills: KILLS, apartMs: APART_MS };
      for (let i = 1; i < starts; i += 1) {
        const dataDir = join(options.dataDir, `first-start-${i}`);
        mkdirSync(dataDir);
        const trial = await SupervisedInstallation.launch({ ...options, dataDir, outside });
        kills += (await startRoughly(trial, rough)).strikes('kill-');
        options.say(`Start ${i} of ${starts} works after ${kills} kills in all.`);
        if (!(await trial.stop())) unclean.push(`start ${i} did not end well`);
      }
      const installation = await SupervisedInstallation.launch({ ...options, outside });
      log = await startRoughly(installation, rough);
      kills += log.strikes('kill-');
      return installation;
    },
    async strike(context) {
      context.log.adopt(log);
      await sleep(context.options.forMs);
    },
    problems: () => unclean,
    figures: () => [['first starts, kills during them', `${starts}, ${kills}`]],
  };
}
