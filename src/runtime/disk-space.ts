/**
 * Watches the free space of our folders' disks. PostgreSQL stops altogether when its disk is full, and
 * everything in flight is then retried at once; so new mail is refused while there is still room to deliver
 * and clean up.
 *
 * The watch owns its last reading. States: `fine`; `low` below a tenth of the disk, which is logged; `full`
 * below the reserve, when new mail is refused. It remains `full` until a tenth more than the reserve is free.
 */
import { statfs } from 'node:fs/promises';
import type { Service } from './lifecycle.ts';
import type { Log } from './log.ts';

export interface DiskSpace {
  readonly folder: string;
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export type DiskState = 'fine' | 'low' | 'full';

/** The signature in node:fs/promises. Blocks reserved for root do not count as free. */
export type StatFs = (
  folder: string,
) => Promise<{ readonly bsize: number; readonly blocks: number; readonly bavail: number }>;

const LOW_PART = 0.1;
/**
 * Room for the write-ahead log of already accepted mail; on a small disk at most half of the warning level.
 */
const RESERVE_BYTES = 1024 ** 3;
const RESERVE_PART = 0.05;
const RECOVERED_PART = 1.1;
/** At 200 MB/s, a disk loses as much as the reserve in this time. */
const EVERY_MS = 5_000;

/** Null when the folder cannot be read. */
export async function readDiskSpace(folder: string, read: StatFs = statfs): Promise<DiskSpace | null> {
  try {
    const { bsize, blocks, bavail } = await read(folder);
    return blocks === 0 ? null : { folder, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return null;
  }
}

/** `wasFull`: whether new mail has been refused until now. */
export function judgeDisk({ freeBytes, totalBytes }: DiskSpace, wasFull = false): DiskState {
  const reserve = Math.min(RESERVE_BYTES, totalBytes * RESERVE_PART) * (wasFull ? RECOVERED_PART : 1);
  if (freeBytes < reserve) return 'full';
  return freeBytes < totalBytes * LOW_PART ? 'low' : 'fine';
}

/** The disk that runs out of space first. */
export function tightest(spaces: readonly (DiskSpace | null)[]): DiskSpace | null {
  const known = spaces.filter((space) => space !== null);
  return known.reduce<DiskSpace | null>(
    (least, space) => (least === null || freePart(space) < freePart(least) ? space : least),
    null,
  );
}

export function freePart({ freeBytes, totalBytes }: DiskSpace): number {
  return freeBytes / totalBytes;
}

interface DiskWatchOptions {
  readonly folders: () => Promise<readonly string[]>;
  readonly log: Log;
  readonly statfs?: StatFs | undefined;
  readonly everyMs?: number;
}

export class DiskWatch implements Service {
  readonly name = 'disk watch';
  readonly #options: DiskWatchOptions;
  #folders: readonly string[] = [];
  #space: DiskSpace | null = null;
  #state: DiskState = 'fine';
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
  }

  get state(): DiskState {
    return this.#state;
  }

  /** The last reading; null before the first, or when it failed. */
  get space(): DiskSpace | null {
    return this.#space;
  }

  async start(): Promise<void> {
    this.#folders = await this.#options.folders();
    await this.look();
    this.#timer = setInterval(() => void this.look(), this.#options.everyMs ?? EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
  }

  async look(): Promise<void> {
    const read = this.#options.statfs ?? statfs;
    this.#space = tightest(await Promise.all(this.#folders.map((folder) => readDiskSpace(folder, read))));
    const before = this.#state;
    this.#state = this.#space === null ? 'fine' : judgeDisk(this.#space, before === 'full');
    if (this.#state !== before && this.#space !== null) this.#tell(this.#space);
  }

  #tell({ folder, freeBytes, totalBytes }: DiskSpace): void {
    const { log } = this.#options;
    const seen = { folder, freeBytes, totalBytes };
    if (this.#state === 'full')
      log.error(seen, 'the disk is nearly full: new mail is refused until space is freed');
    else if (this.#state === 'low') log.warn(seen, 'less than a tenth of the disk is left');
    else log.info(seen, 'the disk has enough free space again');
  }
}
