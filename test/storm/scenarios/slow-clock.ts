/**
 * One worker's clocks run slow, the one that is never set as well, and it is stopped for longer than a lease: half a lease
 * is room for that. The other takes over; nothing of what the slow one had in hand is sent again when it wakes.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApartInstallation } from '../apart.ts';
import { FakeTime, whyNoFakeTime } from '../fake-time.ts';
import { FAIR_WEATHER, type Scenario } from '../scenario.ts';

const SPEED = 0.6;
/** Just longer than a lease, in which its own clock has seen 60 % of that; and much longer. */
const FREEZES_MS = [16_000, 30_000];

export function slowClock(): Scenario {
  let slow: FakeTime;
  return {
    name: 'slow-clock',
    about: `Lets one worker’s clocks run at ${SPEED} of their speed, and stops it for ${FREEZES_MS.map((ms) => ms / 1_000).join(' and ')} s.`,
    usual: { minutes: 1, rate: 60, workers: 2 },
    whyNot: whyNoFakeTime,
    outside: () => ({ ...FAIR_WEATHER, thinkMs: { data: 200, dot: 50 } }),
    install: (options, outside) => {
      slow = new FakeTime(join(options.dataDir, 'slow.time'), { steady: true });
      slow.set(`+0 x${SPEED}`);
      return ApartInstallation.start({
        ...options,
        outside,
        env: (host) => (host === 'worker-1' ? slow.env : {}),
        // Whoever takes over must be able to read what the slow one wrote down.
        folder: (host) => (host === 'api' ? host : 'workers'),
      });
    },
    async strike({ options, faults, log, traffic }) {
      log.strike('slow-clock', traffic.inHand());
      const [first] = faults.roles().filter(({ victim }) => victim === 'worker');
      for (const forMs of FREEZES_MS) {
        await sleep(options.forMs / (FREEZES_MS.length + 1));
        await faults.untilTraffic();
        if (first !== undefined) await faults.freeze('freeze-worker', [first], forMs);
      }
      await sleep(options.forMs / (FREEZES_MS.length + 1));
    },
  };
}
