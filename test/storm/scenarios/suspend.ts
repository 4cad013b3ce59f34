/** A laptop's lid, a paused virtual machine: everything stands still at once and goes on as if nothing had been. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SupervisedInstallation } from '../installation.ts';
import { FAIR_WEATHER, type Scenario } from '../scenario.ts';

const FOR_MS = 30_000;

export const suspend: Scenario = {
  name: 'suspend',
  about: `Stops everything, PostgreSQL and supervisor too, for ${FOR_MS / 1_000} s.`,
  usual: { minutes: 0.5, rate: 100, workers: 1 },
  // Slow enough that there is always something in hand.
  outside: () => ({ ...FAIR_WEATHER, thinkMs: { data: 50, dot: 50 } }),
  install: (options, outside) => SupervisedInstallation.start({ ...options, outside }),
  async strike({ options, faults }) {
    await sleep(options.forMs / 2);
    await faults.untilTraffic();
    await faults.freeze('freeze-everything', faults.everything(), FOR_MS);
    await sleep(options.forMs / 2);
  },
};
