/**
 * The power goes: everything ends at once, and comes up elsewhere from what was on the disk. What had been answered is
 * there; what was delivered and not settled yet may be delivered again, as far as the journal had not reached the disk.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../fuzz/random.ts';
import { wallMs } from '../fault-log.ts';
import { SupervisedInstallation } from '../installation.ts';
import { FAIR_WEATHER, type Scenario, type StormContext } from '../scenario.ts';
import { canLoop, copyFolder, cutJournals, journaledRecipients, LoopDisk } from '../snapshots.ts';

/** What of the journals is left: what had reached the device, everything that was written, or only a part of that. */
type Cut = 'device' | 'whole' | 'cut off';

const MEGABYTES = 1_024;
/** Less than half a lease, for which a worker goes on with what it has in hand. */
const AWAY_MS = 5_000;

export function powerCut(): Scenario {
  const disks: LoopDisk[] = [];
  let cuts: readonly Cut[] = [];
  let site: SupervisedInstallation;

  function snapshot(cut: Cut, { options, installation }: StormContext): string {
    const folder = join(options.dataDir, `site-${disks.length}-${cut.replace(' ', '-')}`);
    const disk = disks.at(-1);
    if (cut === 'device' && disk !== undefined) {
      disks.push(disk.copy(`${folder}.image`, folder));
      return folder;
    }
    copyFolder(installation.dataDir, folder);
    if (cut === 'cut off') cutJournals(folder, new Random(options.seed));
    return folder;
  }

  async function cutPower(cut: Cut, context: StormContext): Promise<void> {
    const { faults, log, installation } = context;
    const kind = `power-cut-${cut.replace(' ', '-')}`;
    await faults.endAll(kind, async () => {
      const fromMs = wallMs();
      const before = journaledRecipients(installation.dataDir);
      const folder = snapshot(cut, context);
      const after = journaledRecipients(folder);
      const forgotten = new Set([...before].filter((recipient) => !after.has(recipient)));
      const nobody = { victim: 'journal', pid: 0, connections: new Map<number, number>() };
      log.add({ kind, harm: 'killed', ...nobody, fromMs, toMs: Number.POSITIVE_INFINITY, forgotten });
      context.options.say(
        `Power cut (${cut}): ${before.size} recipients in journals, ${forgotten.size} forgotten.`,
      );
      site.moveTo(folder);
    });
    await installation.ready();
  }

  /** It stays away: the power goes while it is. */
  async function withoutDatabase({ faults }: StormContext): Promise<void> {
    await faults.untilTraffic();
    void faults.freeze('freeze-postgres', faults.postgres(), 2 * AWAY_MS);
    await sleep(AWAY_MS);
  }

  return {
    name: 'power-cut',
    about: 'Ends everything at once, and starts it elsewhere from what was on the disk.',
    usual: { minutes: 1, rate: 100, workers: 2 },
    // Slow enough that there is always something in hand.
    outside: () => ({ ...FAIR_WEATHER, thinkMs: { data: 200, dot: 400 } }),
    install: async (options, outside) => {
      const isLoop = canLoop();
      cuts = isLoop ? ['device', 'device', 'whole', 'cut off'] : ['whole', 'cut off'];
      const dataDir = join(options.dataDir, 'site');
      if (isLoop) disks.push(LoopDisk.create(join(options.dataDir, 'site.image'), dataDir, MEGABYTES));
      const logFile = join(options.dataDir, 'storm.log');
      site = await SupervisedInstallation.start({ ...options, outside, dataDir, logFile });
      return site;
    },
    async strike(context) {
      for (const [i, cut] of cuts.entries()) {
        await sleep(context.options.forMs / (cuts.length + 1));
        // Without the database nothing is settled: what is delivered meanwhile is in the journal and nowhere else.
        if (i > 0) await withoutDatabase(context);
        await cutPower(cut, context);
      }
      await sleep(context.options.forMs / (cuts.length + 1));
    },
    clear: () => {
      for (const disk of disks) disk.remove();
    },
  };
}
