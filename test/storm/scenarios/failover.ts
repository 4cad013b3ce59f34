/** The primary is lost and its standby takes over, at the same address: nothing that was answered is gone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openTcpGate, type TcpGate } from '../../support/tcp-gate.ts';
import { until } from '../../support/until.ts';
import { ApartInstallation, type Primary } from '../apart.ts';
import { FAIR_WEATHER, type Scenario, type World } from '../scenario.ts';
import { followSynchronously, letItOnlyRead, type Standby } from '../standby.ts';

/** How long whoever watches over the database takes to notice that it is gone. */
const NOTICED_AFTER_MS = 2_000;
/** From the new primary's first moment to the first mail that is accepted, and delivered. */
const BACK_WITHIN_MS = 10_000;
const ONLY_READS_MS = 4_000;

/** With `switchover`, the primary stops writing before it goes, as one does that is relieved. */
export function failover({ switchover }: { readonly switchover: boolean }): Scenario {
  let gate: TcpGate;
  let standby: Standby;
  let primary: Primary;
  const back = { acceptedMs: 0, deliveredMs: 0 };
  return {
    name: switchover ? 'switchover' : 'failover',
    about: switchover
      ? 'Lets the primary only read (25006), then stops it and lets its standby take over.'
      : 'Kills the primary, and lets its synchronous standby take over.',
    usual: { minutes: 0.5, rate: 100, workers: 2 },
    // Slow enough that there is always something that was taken and is not settled.
    outside: () => ({ ...FAIR_WEATHER, thinkMs: { data: 0, dot: 100 } }),
    install: (options, outside) =>
      ApartInstallation.start({
        ...options,
        outside,
        isMoved: true,
        between: async (port, at) => {
          primary = at;
          standby = await followSynchronously(at.url, at.clusterDir);
          gate = await openTcpGate('127.0.0.1', port);
          return gate.port;
        },
      }),
    async strike(world) {
      const { options, faults, log } = world;
      await sleep(options.forMs / 2);
      if (switchover) {
        await letItOnlyRead(primary.url);
        log.strike('only-reads');
        await sleep(ONLY_READS_MS);
      }
      for (const target of faults.postgres()) faults.kill('kill-primary', target);
      await gate.shut();
      await sleep(NOTICED_AFTER_MS);
      await standby.promote();
      gate.leadTo(standby.port);
      await gate.open();
      await untilBack(world, back);
      await sleep(options.forMs / 2);
    },
    problems: () =>
      Object.entries(back).flatMap(([what, ms]) =>
        ms <= BACK_WITHIN_MS ? [] : [`${what}: ${Math.round(ms)}`],
      ),
    figures: () => [
      ['accepts again after the new primary writes', `${Math.round(back.acceptedMs)} ms`],
      ['delivers again', `${Math.round(back.deliveredMs)} ms`],
    ],
    end: () => standby?.stop(),
  };
}

async function untilBack({ ledger, outside }: World, back: { acceptedMs: number; deliveredMs: number }) {
  const beganMs = performance.now();
  const accepted = ledger.emails('accepted');
  const { taken } = await outside.count();
  await until(() => ledger.emails('accepted') !== accepted);
  back.acceptedMs = performance.now() - beganMs;
  await until(async () => (await outside.count()).taken !== taken);
  back.deliveredMs = performance.now() - beganMs;
}
