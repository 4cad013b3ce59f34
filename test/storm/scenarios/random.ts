/** The storm at large: kills and freezes of everything, by a schedule that the seed repeats. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SupervisedInstallation } from '../installation.ts';
import type { Scenario } from '../scenario.ts';
import { scheduleOf } from '../schedule.ts';

const SINK_CHANCE = 0.002;
const HOOK_FAILURES = 0.01;
const SESSION_EVERY_MS = 6_000;
const FREEZE_EVERY_MS = 10_000;

export const random: Scenario = {
  name: 'storm',
  about: 'Kills and freezes everything at random.',
  usual: { minutes: 5, rate: 200, workers: 2 },
  outside: ({ kinds }) => ({
    faults: {
      beforeDot: kinds.has('sink-before-dot') ? SINK_CHANCE : 0,
      afterDot: kinds.has('sink-after-dot') ? SINK_CHANCE : 0,
      halfReply: kinds.has('sink-half-reply') ? SINK_CHANCE : 0,
    },
    thinkMs: { data: 0, dot: 0 },
    hookFailures: HOOK_FAILURES,
  }),
  install: (options, outside) => SupervisedInstallation.start({ ...options, outside }),
  async strike({ options, faults }) {
    const schedule = scheduleOf({
      ...options,
      sessionEveryMs: SESSION_EVERY_MS,
      freezeEveryMs: FREEZE_EVERY_MS,
    });
    const beganMs = performance.now();
    const elapsedMs = () => performance.now() - beganMs;
    for (const fault of schedule) {
      await sleep(Math.max(0, fault.atMs - elapsedMs()));
      await faults.strike(fault);
    }
    await sleep(Math.max(0, options.forMs - elapsedMs()));
  },
};
