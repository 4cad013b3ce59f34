/**
 * What is left of a data folder when the power goes. A disk of our own (`LoopDisk`) is copied below its file system: what
 * nobody had forced to the disk is not in the copy, as after a power cut. Where none can be mounted, and beside that, the
 * folder is copied as processes see it, and what was not forced (the journals) is cut off by hand.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { journalEpochs, readJournal } from '../../src/outbox/journal.ts';
import type { Random } from '../fuzz/random.ts';

/** Whom a worker knew to have been delivered to. */
export function journaledRecipients(dataDir: string): Set<string> {
  const entries = journalEpochs(dataDir).flatMap((epoch) =>
    readJournal<{ recipient: string }>(dataDir, epoch),
  );
  return new Set(entries.map(({ recipient }) => recipient));
}

export function copyFolder(from: string, to: string): void {
  run('cp', ['-a', from, to]);
}

/** Each ends somewhere, in the middle of a line most likely. */
export function cutJournals(dataDir: string, random: Random): void {
  const folder = join(dataDir, 'journal');
  for (const [i, name] of readdirSync(folder).entries()) {
    const file = openSync(join(folder, name), 'r+');
    ftruncateSync(file, i === 0 ? 0 : random.integer(0, 10_000));
    closeSync(file);
  }
}

export class LoopDisk {
  readonly folder: string;
  readonly #image: string;

  private constructor(image: string, folder: string) {
    this.#image = image;
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    run('mount', ['-o', 'loop', image, folder]);
  }

  static create(image: string, folder: string, megabytes: number): LoopDisk {
    run('truncate', ['-s', `${megabytes}M`, image]);
    run('mkfs.ext4', ['-q', '-m', '0', image]);
    return new LoopDisk(image, folder);
  }

  /** Another one, with what was on this one's device in this moment. */
  copy(image: string, folder: string): LoopDisk {
    run('cp', ['--sparse=always', this.#image, image]);
    return new LoopDisk(image, folder);
  }

  remove(): void {
    run('umount', ['-l', this.folder]);
    rmSync(this.#image);
  }
}

export function canLoop(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-loop-'));
  try {
    LoopDisk.create(join(folder, 'image'), join(folder, 'disk'), 16).remove();
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr?.trim() || error?.message || `${program} failed`);
}
