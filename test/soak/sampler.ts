/** Looks at everything every ten seconds and keeps what it saw. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Installation } from '../storm/installation.ts';
import type { Outside } from '../storm/outside.ts';
import { type DatabaseFigures, databaseFigures } from './database-figures.ts';
import { cpuSecondsOf, machineBusyS, type ProcessFigures, processFigures } from './process-figures.ts';
import type { Sender } from './sender.ts';
import type { Tally } from './tally.ts';

export interface Sample {
  /** Since the first one. */
  readonly atS: number;
  readonly processes: readonly ProcessFigures[];
  readonly database: DatabaseFigures;
  /** Of the data folder, without the write-ahead log. */
  readonly diskBytes: number;
  /** Since the beginning. */
  readonly acceptedEmails: number;
  readonly deliveredMails: number;
  readonly deliveredPerS: number;
  readonly acceptP50Ms: number;
  readonly acceptP99Ms: number;
  /** Cores that work of others on this machine took since the last sample; not ours and not that of this program. */
  readonly othersCores: number;
}

export interface Watched {
  readonly installation: Installation;
  readonly outside: Outside;
  readonly sender: Sender;
  readonly webhookId: string;
  readonly tally: Tally;
}

const EVERY_MS = 10_000;

export class Sampler {
  readonly samples: Sample[] = [];
  readonly #watched: Watched;
  readonly #tell: (sample: Sample) => void;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #beganMs = 0;
  #last = { atMs: 0, delivered: 0, busyS: 0, oursS: 0 };

  constructor(watched: Watched, tell: (sample: Sample) => void) {
    this.#watched = watched;
    this.#tell = tell;
  }

  async start(): Promise<void> {
    this.#beganMs = performance.now();
    await this.#look();
    this.#timer = setInterval(() => {
      this.#looking = this.#looking.then(() => this.#watched.tally.watch('sample', () => this.#look()));
    }, EVERY_MS);
  }

  /** Resolves when the last look is over. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<null> {
    const { installation, outside, sender, webhookId } = this.#watched;
    const database = await databaseFigures(installation.db, webhookId);
    const { taken } = await outside.count();
    const processes = processFigures(installation);
    const diskBytes = await sizeOf(installation.dataDir, 'pg_wal');
    const times = sender.takeTimes().sort((a, b) => a - b);
    const sample = {
      atS: (performance.now() - this.#beganMs) / 1_000,
      processes,
      database,
      diskBytes,
      acceptedEmails: sender.accepted.emails,
      deliveredMails: taken,
      acceptP50Ms: percentile(times, 0.5),
      acceptP99Ms: percentile(times, 0.99),
      ...this.#since(taken, processes),
    };
    this.samples.push(sample);
    this.#tell(sample);
    return null;
  }

  #since(
    delivered: number,
    processes: readonly ProcessFigures[],
  ): { deliveredPerS: number; othersCores: number } {
    const last = this.#last;
    const cpu = process.cpuUsage();
    const oursS =
      processes.reduce((sum, { cpuS }) => sum + cpuS, 0) +
      (cpu.user + cpu.system) / 1_000_000 +
      cpuSecondsOf(this.#watched.outside.pid);
    const now = { atMs: performance.now(), delivered, busyS: machineBusyS(), oursS };
    this.#last = now;
    if (last.atMs === 0) return { deliveredPerS: 0, othersCores: 0 };
    const seconds = (now.atMs - last.atMs) / 1_000;
    return {
      deliveredPerS: (delivered - last.delivered) / seconds,
      othersCores: Math.max(0, (now.busyS - last.busyS - (now.oursS - last.oursS)) / seconds),
    };
  }
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

const BLOCK_BYTES = 512;

/** What the files below a folder take on disk; `except` is the name of folders that are left out. */
async function sizeOf(folder: string, except: string): Promise<number> {
  let bytes = 0;
  // Files come and go while it looks.
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isFile()) bytes += ((await stat(path).catch(() => null))?.blocks ?? 0) * BLOCK_BYTES;
    else if (entry.isDirectory() && entry.name !== except) bytes += await sizeOf(path, except);
  }
  return bytes;
}
