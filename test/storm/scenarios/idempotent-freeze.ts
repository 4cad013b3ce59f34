/** The database stands still for longer than a key may be in use: whoever was first must still be the only one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SupervisedInstallation } from '../installation.ts';
import { FAIR_WEATHER, type Scenario } from '../scenario.ts';

const FOR_MS = 64_000;
const TIMES = 2;

export const idempotentFreeze: Scenario = {
  name: 'idempotent-freeze',
  about: `Stops PostgreSQL for ${FOR_MS / 1_000} s, ${TIMES} times, while every request is repeated by its key.`,
  usual: { minutes: 0.5, rate: 100, workers: 1 },
  keyed: 1,
  outside: () => FAIR_WEATHER,
  install: (options, outside) => SupervisedInstallation.start({ ...options, outside }),
  async strike({ options, faults }) {
    for (let i = 0; i < TIMES; i += 1) {
      await sleep(options.forMs / TIMES);
      await faults.untilTraffic();
      await faults.freeze('freeze-postgres', faults.postgres(), FOR_MS);
    }
    await sleep(2_000);
  },
};
