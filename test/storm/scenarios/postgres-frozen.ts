/** PostgreSQL stands still: for longer than every lease and time limit, and for just longer than a session may idle. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SupervisedInstallation } from '../installation.ts';
import { FAIR_WEATHER, type Scenario } from '../scenario.ts';

const FREEZES_MS = [75_000, 12_000, 12_000, 12_000];

export const postgresFrozen: Scenario = {
  name: 'postgres-frozen',
  about: `Stops PostgreSQL for ${FREEZES_MS.map((ms) => ms / 1_000).join(', ')} s.`,
  usual: { minutes: 1, rate: 100, workers: 2 },
  outside: () => FAIR_WEATHER,
  install: (options, outside) => SupervisedInstallation.start({ ...options, outside }),
  async strike({ options, faults }) {
    for (const forMs of FREEZES_MS) {
      await sleep(options.forMs / FREEZES_MS.length);
      await faults.untilTraffic();
      await faults.freeze('freeze-postgres', faults.postgres(), forMs);
    }
    await sleep(2_000);
  },
};
