/** Starts that are interrupted: whatever runs by then is killed at random moments, and then it is let be. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../fuzz/random.ts';
import { FaultLog } from './fault-log.ts';
import { Faults } from './faults.ts';
import type { SupervisedInstallation } from './installation.ts';
import { processesOf } from './processes.ts';

/** Half of them hit the supervisor: with it goes everything, at once or soon. */
const SUPERVISOR = 0.5;

export interface RoughStart {
  readonly random: Random;
  readonly kills: number;
  /** Between two kills at most. */
  readonly apartMs: number;
}

/** Resolves when it is ready, all the same; tells what was done to it. */
export async function startRoughly(
  installation: SupervisedInstallation,
  { random, kills, apartMs }: RoughStart,
): Promise<FaultLog> {
  const log = new FaultLog();
  const faults = new Faults(installation, log);
  for (let i = 0; i < kills; i += 1) {
    await sleep(random.next() * apartMs);
    const target = pick(installation, random);
    if (target === undefined) log.missed += 1;
    else faults.kill(`kill-${target.victim}`, target);
  }
  await installation.open();
  return log;
}

function pick({ dataDir, supervisorPid }: SupervisedInstallation, random: Random) {
  const all = processesOf(dataDir).map(({ pid, command }) => ({
    pid,
    victim: pid === supervisorPid ? 'supervisor' : nameOf(command),
  }));
  const supervisor = all.find(({ victim }) => victim === 'supervisor');
  if (supervisor !== undefined && random.chance(SUPERVISOR)) return supervisor;
  return all[Math.floor(random.next() * all.length)];
}

function nameOf(command: string): string {
  return (
    /dist\/processes\/([a-z-]+)\.js/.exec(command)?.[1] ?? (/initdb/.test(command) ? 'initdb' : 'postgres')
  );
}
