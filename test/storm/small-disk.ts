/**
 * A disk that can be filled and freed: a small file system of its own, in memory (`tmpfs`). Only root may mount one, and
 * not in every container; `whyNoMount` says why not.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHUNK = Buffer.alloc(1024 * 1024);

export class SmallDisk {
  readonly folder: string;
  readonly #ballast: string;

  constructor(folder: string, megabytes: number) {
    this.folder = folder;
    this.#ballast = join(folder, 'ballast');
    mkdirSync(folder, { recursive: true });
    run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'postrider-storm', folder]);
  }

  /** To the last byte; what others free meanwhile is filled by calling again. */
  fill(): void {
    const file = openSync(this.#ballast, 'a');
    try {
      for (let size = CHUNK.length; size >= 1; size = Math.floor(size / 16))
        while (written(file, size) === size);
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true });
  }

  /** With everything on it. */
  remove(): void {
    run('umount', ['-l', this.folder]);
    rmdirSync(this.folder);
  }
}

/** Null where disks can be mounted. */
export function whyNoMount(): string | null {
  if (process.getuid?.() !== 0) return 'only root may mount the small disk that this fills';
  const folder = mkdtempSync(join(tmpdir(), 'postrider-mount-'));
  try {
    new SmallDisk(folder, 1).remove();
    return null;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return `no small disk can be mounted here (${error instanceof Error ? error.message : error})`;
  }
}

function written(file: number, size: number): number {
  try {
    return writeSync(file, CHUNK, 0, size);
  } catch {
    return 0;
  }
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr?.trim() || `${program} failed`);
}
