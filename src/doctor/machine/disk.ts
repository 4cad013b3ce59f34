/** Free space on the data disks, and whether writes are durable. */
import { randomBytes } from 'node:crypto';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type DiskSpace, freePart, judgeDisk } from '../../runtime/disk-space.ts';
import { doctorCheck } from '../doctor-check.ts';
import type { DoctorContext } from '../doctor-context.ts';
import { CheckInconclusive, type Observation } from '../finding.ts';

interface DiskFacts extends DiskSpace {
  /** Free inodes; null when the file system has no such limit. */
  readonly freeFiles: number | null;
  readonly totalFiles: number;
  /** The file system type in Linux' numbering. */
  readonly type: number;
}

export const diskCheck = doctorCheck({
  name: 'disk',
  isQuick: true,
  matters: 'PostgreSQL stops when its disk is full; before that, new mail is refused.',
  gather: ({ folders }) => Promise.all(folders.map(readDisk)),
  judge: (all: readonly DiskFacts[]) => all.map(judgeFreeSpace),
});

async function readDisk(folder: string): Promise<DiskFacts> {
  const { bsize, blocks, bavail, files, ffree, type } = await statfs(folder).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT'
        ? new CheckInconclusive(
            `The data folder ${folder} does not exist yet.`,
            'The first start creates it.',
          )
        : new CheckInconclusive(`${folder} cannot be examined: ${error.message}.`);
    },
  );
  return {
    folder,
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    freeFiles: files === 0 ? null : ffree,
    totalFiles: files,
    type,
  };
}

const FEW_FILES = 0.05;
const HARDLY_ANY_FILES = 0.01;

export function judgeFreeSpace(disk: DiskFacts): Observation {
  const { folder, freeBytes, totalBytes, freeFiles, totalFiles } = disk;
  const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1);
  const room = `${gigabytes(freeBytes)} of ${gigabytes(totalBytes)} GB (${Math.floor(100 * freePart(disk))}%)`;
  const state = judgeDisk(disk);
  const filesPart = freeFiles === null ? 1 : freeFiles / totalFiles;
  const files =
    freeFiles === null
      ? ''
      : ` and ${freeFiles.toLocaleString('en-US')} of ${totalFiles.toLocaleString('en-US')} inodes`;
  const seen = `${room}${files} are free under ${folder}.`;
  if (state === 'full' || filesPart < HARDLY_ANY_FILES) return { level: 'bad', seen, fix: MAKE_ROOM };
  if (state === 'low' || filesPart < FEW_FILES) return { level: 'warn', seen, fix: MAKE_ROOM };
  return { level: 'ok', seen };
}

const MAKE_ROOM =
  'Make the disk larger, or keep mail for a shorter time: PUT /settings/retention, or Settings in the dashboard.';

interface WriteFacts {
  readonly folder: string;
  readonly type: number;
  /** Duration of each write with fsync, in milliseconds. */
  readonly tookMs: readonly number[];
}

export const durableWritesCheck = doctorCheck({
  name: 'durable_writes',
  isQuick: true,
  matters: 'Accepted mail must be on the disk: otherwise a power failure loses mail that was answered 201.',
  gather: gatherWrites,
  judge: judgeWrites,
});

async function gatherWrites({ config: { dataDir } }: DoctorContext): Promise<WriteFacts> {
  const { type } = await readDisk(dataDir);
  const tookMs = await timeWrites(dataDir).catch((error: Error) => {
    throw new CheckInconclusive(
      `Nothing could be written to ${dataDir}: ${error.message}.`,
      'Run it as the user that Postrider runs as.',
    );
  });
  return { folder: dataDir, type, tookMs };
}

const WRITES = 16;
const BLOCK = Buffer.alloc(4_096, 0x50);
/** A slow disk is measured long enough by then. */
const ENOUGH_MS = 1_000;

async function timeWrites(folder: string): Promise<number[]> {
  const file = join(folder, `doctor-${randomBytes(6).toString('hex')}.tmp`);
  const handle = await open(file, 'wx', 0o600);
  const tookMs: number[] = [];
  const began = performance.now();
  try {
    for (let n = 0; n < WRITES && performance.now() - began < ENOUGH_MS; n += 1) {
      const from = performance.now();
      await handle.write(BLOCK, 0, BLOCK.length, n * BLOCK.length);
      await handle.sync();
      tookMs.push(performance.now() - from);
    }
  } finally {
    await handle.close();
    await rm(file, { force: true });
  }
  return tookMs;
}

/** Types in `statfs` numbering. */
const IN_MEMORY: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);
const OVERLAY = 0x794c7630;
const NFS = 0x6969;
/** A durable write cannot be faster, except with a battery-backed cache. */
const SUSPICIOUS_MS = 0.1;
const SLOW_MS = 50;

export function judgeWrites({ folder, type, tookMs }: WriteFacts): Observation[] {
  const typical = tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length / 2)] ?? 0;
  const figure = `A write of 4 KB with fsync takes ${typical.toFixed(typical < 10 ? 2 : 0)} ms under ${folder}`;
  const elsewhere = 'Move the data folder to a disk (POSTRIDER_DATA_DIR).';
  if (IN_MEMORY.has(type))
    return [
      { level: 'bad', seen: `${folder} is in memory (tmpfs): a restart loses all data.`, fix: elsewhere },
    ];
  if (type === OVERLAY) {
    const seen = `${folder} is in the writable layer of a container, which is deleted with the container.`;
    return [{ level: 'bad', seen, fix: `Mount a volume there, such as -v postrider-data:${folder}.` }];
  }
  if (type === NFS)
    return [
      {
        level: 'warn',
        seen: `${folder} is on NFS. ${figure}.`,
        why: 'The durability of writes depends on the export and mount options.',
        fix: `Export it with sync, or: ${elsewhere}`,
      },
    ];
  if (typical < SUSPICIOUS_MS) {
    const seen = `${figure}, which is faster than a disk can store data durably.`;
    return [
      {
        level: 'warn',
        seen,
        fix: 'Make sure that the disk’s cache has a battery, or turn it off (hdparm -W0), and that a virtual disk is not set to ignore flushes (cache=unsafe).',
      },
    ];
  }
  if (typical > SLOW_MS) {
    const why = 'Every group of accepted mail waits for one write like this.';
    return [
      {
        level: 'warn',
        seen: `${figure}, which is slow.`,
        why,
        fix: 'Use a faster disk: an SSD takes 1 to 5 ms.',
      },
    ];
  }
  return [{ level: 'ok', seen: `${figure}: the write waits for the disk.` }];
}
