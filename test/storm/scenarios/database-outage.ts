/** The database is away for longer than a lease, for workers that share nothing else: nobody takes the other for dead. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openTcpGate, type TcpGate } from '../../support/tcp-gate.ts';
import { ApartInstallation } from '../apart.ts';
import { FAIR_WEATHER, type Scenario } from '../scenario.ts';

const FOR_MS = 20_000;
/** Who is back first is luck. */
const TIMES = 3;

export function databaseOutage(): Scenario {
  let gate: TcpGate;
  return {
    name: 'database-outage',
    about: `Takes the database away for ${FOR_MS / 1_000} s, ${TIMES} times, from workers on machines of their own.`,
    usual: { minutes: 0.5, rate: 100, workers: 2 },
    outside: () => ({ ...FAIR_WEATHER, thinkMs: { data: 0, dot: 400 } }),
    install: (options, outside) =>
      ApartInstallation.start({
        ...options,
        outside,
        between: async (port) => {
          gate = await openTcpGate('127.0.0.1', port);
          return gate.port;
        },
      }),
    async strike({ options, log, traffic }) {
      for (let i = 0; i < TIMES; i += 1) {
        await sleep(options.forMs / TIMES);
        await gate.shut();
        log.strike('outage', traffic.inHand());
        await sleep(FOR_MS);
        await gate.open();
      }
      await sleep(options.forMs / TIMES);
    },
  };
}
