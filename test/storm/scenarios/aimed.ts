/**
 * Two scenarios that strike at the moment for which a protection of the workers exists. The storm at large meets these moments
 * by chance. Here nearly every delivery in hand is at that moment, so one strike shows whether the protection works.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SupervisedInstallation } from '../installation.ts';
import { FAIR_WEATHER, type Scenario, type StormContext } from '../scenario.ts';

/** Deliveries in hand of the worker that is struck. */
const ENOUGH = 30;

/**
 * Receivers answer DATA so late that the frozen worker and the worker that takes over both wait for that answer when the
 * frozen worker goes on, and that the frozen worker has time to claim again.
 */
const SLOW_RECEIVERS_MS = 3_000;

/** What the lease and the fence protect against: a worker that goes on with mail that belongs to another worker. */
export const takenOver: Scenario = {
  name: 'taken-over',
  about: 'Freezes a worker until another has its mail, while receivers take seconds to answer DATA.',
  usual: { minutes: 0.1, rate: 100, workers: 2 },
  outside: () => ({ ...FAIR_WEATHER, thinkMs: { data: SLOW_RECEIVERS_MS, dot: 0 } }),
  install: (options, outside) => SupervisedInstallation.start({ ...options, outside }),
  async strike({ faults, traffic, options }) {
    // Deliveries that were made show that connections are open, so that most mail in hand waits for an answer to DATA.
    await faults.untilTraffic({ inHand: ENOUGH * options.workers, made: ENOUGH });
    const [busiest] = faults
      .roles()
      .filter(({ victim }) => victim === 'worker')
      .toSorted((a, b) => traffic.inHand(b.pid) - traffic.inHand(a.pid));
    if (busiest === undefined) throw new Error('No worker is running.');
    await faults.freezePastLease(busiest);
    await faults.untilTraffic({ made: 2 * ENOUGH });
  },
};

/** Enough mail that clients have repeated requests, and receivers have hung up. */
const DELIVERED_BEFORE = 200;
/** Receivers answer DATA so late that nearly every connection has a message under way when PostgreSQL is frozen. */
const THINK_MS = 1_000;
/** No delivery for so long while PostgreSQL is frozen: the workers have read every reply that they wait for. */
const QUIET_MS = 1_500;
/** Less than the time for which a worker without heartbeats trusts its lease, after which it delivers nothing. */
const LONGEST_FREEZE_MS = 5_000;
const POLL_MS = 50;

/** What the outcome journal protects against: a worker dies before the database knows what the worker has delivered. */
export const unsettled: Scenario = {
  name: 'unsettled',
  about:
    'Kills all workers while PostgreSQL is frozen: only their journals know what they delivered meanwhile.',
  usual: { minutes: 0.1, rate: 200, workers: 2 },
  outside: ({ sinkCuts = 0 }) => ({
    ...FAIR_WEATHER,
    faults: { ...FAIR_WEATHER.faults, beforeDot: sinkCuts },
    thinkMs: { data: THINK_MS, dot: 0 },
  }),
  install: (options, outside) => SupervisedInstallation.start({ ...options, outside }),
  async strike(context) {
    const { faults, options } = context;
    await faults.untilTraffic({ inHand: ENOUGH * options.workers, made: DELIVERED_BEFORE });
    await killUnsettled(context);
    await faults.untilTraffic({ made: ENOUGH });
  },
};

async function killUnsettled({ faults, outside }: StormContext): Promise<void> {
  const over = new AbortController();
  const frozen = faults.freeze('freeze-postgres', faults.postgres(), LONGEST_FREEZE_MS, over.signal);
  await untilQuiet(outside, LONGEST_FREEZE_MS);
  for (const role of faults.roles()) if (role.victim === 'worker') faults.kill('kill-worker', role);
  over.abort();
  await frozen;
}

/** Resolves when some messages have arrived, and then no more for a while. */
async function untilQuiet(outside: StormContext['outside'], withinMs: number): Promise<void> {
  const beganMs = performance.now();
  const before = (await outside.count()).taken;
  let last = before;
  let changedMs = beganMs;
  while (performance.now() - beganMs < withinMs) {
    await sleep(POLL_MS);
    const { taken } = await outside.count();
    if (taken !== last) changedMs = performance.now();
    last = taken;
    if (taken > before && performance.now() - changedMs > QUIET_MS) return;
  }
}
