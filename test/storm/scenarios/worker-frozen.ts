/** One worker stands still beyond its lease while another takes over, and then goes on with what it had in hand. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SupervisedInstallation } from '../installation.ts';
import { FAIR_WEATHER, type Scenario } from '../scenario.ts';

const FOR_MS = 60_000;

export const workerFrozen: Scenario = {
  name: 'worker-frozen',
  about: `Stops one worker for ${FOR_MS / 1_000} s while the others go on.`,
  usual: { minutes: 0.5, rate: 100, workers: 2 },
  // Slow enough that it has much in hand, and most of that before the dot.
  outside: () => ({ ...FAIR_WEATHER, thinkMs: { data: 400, dot: 100 } }),
  install: (options, outside) => SupervisedInstallation.start({ ...options, outside }),
  async strike({ options, faults }) {
    await sleep(options.forMs / 2);
    await faults.untilTraffic();
    const workers = faults.roles().filter(({ victim }) => victim === 'worker');
    await faults.freeze('freeze-worker', workers.slice(0, 1), FOR_MS);
    await sleep(options.forMs / 2);
  },
};
