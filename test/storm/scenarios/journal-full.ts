/**
 * The disks of the workers' journals are full while mail is delivered. Who holds room in its journal goes on; who is started
 * on a full disk has none, takes no mail and says so, until there is room.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApartInstallation } from '../apart.ts';
import { FAIR_WEATHER, type Scenario, type StormContext } from '../scenario.ts';
import { SmallDisk, whyNoMount } from '../small-disk.ts';

const MEGABYTES = 4;
const SAID = 'the outcome journal cannot be written';
const SAID_WITHIN_MS = 30_000;
/** What was said may come while the last of what is in hand is still given back. */
const GRACE_MS = 2_000;
/** Whoever takes over from a dead worker removes its journal: that room must be gone before the next one looks. */
const FILL_EVERY_MS = 40;

export function journalFull({ stepMs = 10_000 } = {}): Scenario {
  let disks: SmallDisk[] = [];
  let problems: string[] = [];
  return {
    name: 'journal-full',
    about: 'Fills the disks of the workers’ journals, and kills the workers while they are full.',
    usual: { minutes: 0.5, rate: 50, workers: 2 },
    whyNot: whyNoMount,
    outside: () => ({ ...FAIR_WEATHER, thinkMs: { data: 0, dot: 20 } }),
    install: async (options, outside) => {
      const hosts = Array.from({ length: options.workers }, (_, i) => `worker-${i + 1}`);
      disks = hosts.map((host) => new SmallDisk(join(options.dataDir, host), MEGABYTES));
      return ApartInstallation.start({ ...options, outside });
    },
    async strike(context) {
      const { log, options, traffic, faults } = context;
      await sleep(options.forMs / 4);
      for (const disk of disks) disk.fill();
      log.strike('fill-journals', traffic.inHand());
      problems = await handedOver(context, stepMs, 'some');
      const filling = setInterval(() => disks.forEach((disk) => void disk.fill()), FILL_EVERY_MS);
      await faults.untilTraffic();
      killWorkers(context);
      const said = await untilSaid(context);
      problems.push(...said, ...(await handedOver(context, stepMs, 'none')));
      clearInterval(filling);
      for (const disk of disks) {
        disk.free();
        problems.push(...(await handedOver(context, stepMs, 'some')));
      }
      await sleep(options.forMs / 4);
    },
    problems: () => problems,
    clear: () => {
      for (const disk of disks) disk.remove();
    },
  };
}

function killWorkers({ faults }: StormContext): void {
  for (const role of faults.roles()) if (role.victim === 'worker') faults.kill('kill-worker', role);
}

async function untilSaid({ options }: StormContext): Promise<string[]> {
  const deadline = performance.now() + SAID_WITHIN_MS;
  for (;;) {
    const times = readFileSync(join(options.dataDir, 'storm.log'), 'utf8').split(SAID).length - 1;
    if (times >= options.workers) break;
    if (performance.now() > deadline)
      return [`only ${times} workers said that their journal cannot be written`];
    await sleep(100);
  }
  await sleep(GRACE_MS);
  return [];
}

/** While nobody can write down what would be accepted, nothing may be handed over. */
async function handedOver(
  { outside }: StormContext,
  withinMs: number,
  wanted: 'some' | 'none',
): Promise<string[]> {
  const { taken: before } = await outside.count();
  await sleep(withinMs);
  const { taken: after } = await outside.count();
  const isFine = wanted === 'some' ? after > before : after === before;
  return isFine ? [] : [`${after - before} messages were handed over where it should have been ${wanted}`];
}
