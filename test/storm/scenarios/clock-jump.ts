/**
 * The wall clock is set an hour ahead, and an hour back, and right again: first for the workers alone, then for PostgreSQL
 * alone. Mail that was due stays due, nobody takes anybody for dead, and a key stays one email.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApartInstallation } from '../apart.ts';
import { FakeTime, whyNoFakeTime } from '../fake-time.ts';
import { FAIR_WEATHER, type Scenario } from '../scenario.ts';

const JUMPS = ['+3600', '+0', '-3600', '+0'];

export function clockJump(): Scenario {
  let clocks: { readonly workers: FakeTime; readonly postgres: FakeTime };
  return {
    name: 'clock-jump',
    about: 'Sets the clock an hour ahead and back: of the workers, then of PostgreSQL.',
    usual: { minutes: 1.5, rate: 60, workers: 2 },
    whyNot: whyNoFakeTime,
    // What is scheduled follows PostgreSQL's clock, and that is wrong.
    mayBeEarly: true,
    outside: () => ({ ...FAIR_WEATHER, thinkMs: { data: 0, dot: 20 } }),
    install: (options, outside) => {
      clocks = {
        workers: new FakeTime(join(options.dataDir, 'workers.time'), { steady: false }),
        postgres: new FakeTime(join(options.dataDir, 'postgres.time'), { steady: false }),
      };
      return ApartInstallation.start({
        ...options,
        outside,
        env: (host) => (host === 'api' ? {} : clocks.workers.env),
        postgresEnv: clocks.postgres.env,
      });
    },
    async strike({ options, log, traffic }) {
      const stepMs = options.forMs / (2 * JUMPS.length + 1);
      await sleep(stepMs);
      for (const [whose, clock] of Object.entries(clocks))
        for (const jump of JUMPS) {
          clock.set(jump);
          log.strike(`clock-${whose}`, traffic.inHand());
          await sleep(stepMs);
        }
    },
  };
}
