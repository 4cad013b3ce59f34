/** Nothing but claims whose answer is lost, and sessions of workers that end: what was claimed is found again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../fuzz/random.ts';
import { ApartInstallation } from '../apart.ts';
import { type LosingGate, openLosingGate } from '../losing-gate.ts';
import { FAIR_WEATHER, type Scenario } from '../scenario.ts';

const SESSIONS = 120;
/** Deliveries between two ends of sessions: otherwise a slow machine makes none before all sessions have ended. */
const MADE_BETWEEN = 2;
/** Of claims, while sessions end. */
const CHANCE = 0.05;
/** A claim is one statement that commits by itself, known by its name. */
const CLAIMS = { asked: /outbox\.claim|webhook_deliveries\.claim/, done: /UPDATE \d|SELECT \d/ };

export function lostClaim(): Scenario {
  let gate: LosingGate;
  return {
    name: 'lost-claim',
    about: `Loses answers to claims, and ends ${SESSIONS} sessions of workers; nothing restarts them.`,
    usual: { minutes: 0.75, rate: 80, workers: 2 },
    outside: () => FAIR_WEATHER,
    install: (options, outside) =>
      ApartInstallation.start({
        ...options,
        outside,
        between: async (port) => {
          gate = await openLosingGate(port, CLAIMS, new Random(options.seed));
          return gate.port;
        },
      }),
    async strike({ options, faults, log }) {
      const random = new Random(options.seed);
      gate.chance = CHANCE;
      while (log.strikes('end-') < SESSIONS) {
        await sleep((options.forMs / SESSIONS) * 2 * random.next());
        await faults.untilTraffic({ made: MADE_BETWEEN });
        await faults.endSession('end-session', random.next(), 'postrider-worker');
      }
      gate.chance = 0;
      for (let i = 0; i < gate.lost; i += 1) log.strike('lost-answer', null);
      await sleep(2_000);
    },
    problems: () => (gate.lost > 0 ? [] : ['no answer was lost']),
  };
}
