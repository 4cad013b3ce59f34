/** The storm at large: kills and freezes of everything, by a schedule that the seed repeats. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SupervisedInstallation } from '../installation.ts';
import type { Scenario } from '../scenario.ts';
import { scheduleOf } from '../schedule.ts';

const SINK_CHANCE = 0.002;
/** Recipients' servers take a moment, so that workers have deliveries in hand. */
const THINK_MS = { data: 100, dot: 10 };
const LEAST_IN_HAND = 5;
/** Deliveries before every other fault. The fault after that may meet what has not recovered yet. */
const MADE_BETWEEN = 50;
/** The schedule may take so many times as long where the machine is slow; what is left of it is left out. */
const LONGEST = 5;
const HOOK_FAILURES = 0.01;
const SESSION_EVERY_MS = 6_000;
const FREEZE_EVERY_MS = 10_000;
/** Seldom: each takes as long as a lease. */
const PAST_LEASE_EVERY_MS = 60_000;

export const random: Scenario = {
  name: 'storm',
  about: 'Kills and freezes everything at random.',
  usual: { minutes: 5, rate: 1_000, workers: 2 },
  leastInHand: LEAST_IN_HAND,
  leastDuringFaults: 0.5,
  outside: ({ kinds, sinkCuts = SINK_CHANCE }) => ({
    faults: {
      beforeDot: kinds.has('sink-before-dot') ? sinkCuts : 0,
      afterDot: kinds.has('sink-after-dot') ? sinkCuts : 0,
      halfReply: kinds.has('sink-half-reply') ? sinkCuts : 0,
    },
    thinkMs: THINK_MS,
    hookFailures: HOOK_FAILURES,
  }),
  install: (options, outside) => SupervisedInstallation.start({ ...options, outside }),
  async strike({ options, faults }) {
    const schedule = scheduleOf({
      ...options,
      sessionEveryMs: SESSION_EVERY_MS,
      freezeEveryMs: FREEZE_EVERY_MS,
      pastLeaseEveryMs: options.pastLeaseEveryMs ?? PAST_LEASE_EVERY_MS,
    });
    const beganMs = performance.now();
    // The clock of the schedule stands still while a fault waits for mail: a slow machine is struck as hard, only later.
    let waitedMs = 0;
    const elapsedMs = () => performance.now() - beganMs - waitedMs;
    for (const [i, fault] of schedule.entries()) {
      if (performance.now() - beganMs > LONGEST * options.forMs) break;
      await sleep(Math.max(0, fault.atMs - elapsedMs()));
      const fromMs = performance.now();
      await faults.untilTraffic({ inHand: LEAST_IN_HAND, made: i % 2 === 0 ? MADE_BETWEEN : 0 });
      waitedMs += performance.now() - fromMs;
      await faults.strike(fault);
    }
    await sleep(Math.max(0, options.forMs - elapsedMs()));
  },
};
