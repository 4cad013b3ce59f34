/** What was committed, and nobody was told: the answers to COMMIT are lost on their way back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../fuzz/random.ts';
import { ApartInstallation } from '../apart.ts';
import { type LosingGate, openLosingGate } from '../losing-gate.ts';
import { FAIR_WEATHER, type Scenario } from '../scenario.ts';

const COMMITS = { asked: /COMMIT/, done: /COMMIT\0/ };
/** At a lower rate there are fewer of them, so a larger share is lost. */
const LOST_OF_EMAILS_A_SECOND = 6;
const LARGEST_CHANCE = 0.3;
const AT_LEAST = 30;
/** How much longer than asked for it goes on, where too few answers were lost by then. */
const LONGER_MS = 120_000;
const CHECK_INTERVAL_MS = 100;

export function lostCommit(): Scenario {
  let gate: LosingGate;
  return {
    name: 'lost-commit',
    about: 'Loses the answers to COMMIT, of API and workers.',
    usual: { minutes: 1, rate: 100, workers: 2 },
    outside: () => FAIR_WEATHER,
    install: (options, outside) =>
      ApartInstallation.start({
        ...options,
        outside,
        between: async (port) => {
          gate = await openLosingGate(port, COMMITS, new Random(options.seed));
          return gate.port;
        },
      }),
    async strike({ options, log }) {
      gate.chance = Math.min(LARGEST_CHANCE, LOST_OF_EMAILS_A_SECOND / options.sending.rate);
      await sleep(options.forMs);
      const latestMs = performance.now() + LONGER_MS;
      while (gate.lost < AT_LEAST && performance.now() < latestMs) await sleep(CHECK_INTERVAL_MS);
      gate.chance = 0;
      for (let i = 0; i < gate.lost; i += 1) log.strike('lost-answer', null);
    },
    problems: () => (gate.lost >= AT_LEAST ? [] : [`only ${gate.lost} answers were lost`]),
  };
}
