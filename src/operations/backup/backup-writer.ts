/**
 * The file of a backup. It is written under a temporary name, readable by its owner only, and renamed when all of it is on the
 * disk: a file with the final name is complete.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { judgeDisk, readDiskSpace, type StatFs } from '../../runtime/disk-space.ts';
import { BackupError } from './backup-error.ts';
import {
  type BackupManifest,
  type Digest,
  MANIFEST,
  MANIFEST_HASH,
  manifestHash,
  type SavedFile,
  sha256,
  TABLES_FOLDER,
} from './manifest.ts';
import { LAST_BLOCKS, paddingBytes, tarHeader } from './tar.ts';

const compress = promisify(gzip);
/** The fastest compression, because the machine has mail to deliver meanwhile. */
const FASTEST = 1;
/** How much of a table is kept in memory, unless a row is larger. */
const PART_BYTES = 4 * 1024 * 1024;
const LOOK_AT_DISK_BYTES = 64 * 1024 * 1024;

interface WriterOptions {
  readonly nowMs: () => number;
  readonly statfs?: StatFs | undefined;
}

export class BackupWriter {
  readonly #file: string;
  readonly #unfinished: string;
  readonly #handle: FileHandle;
  readonly #options: WriterOptions;
  #bytes = 0;
  #lookAt = 0;

  private constructor(file: string, unfinished: string, handle: FileHandle, options: WriterOptions) {
    this.#file = file;
    this.#unfinished = unfinished;
    this.#handle = handle;
    this.#options = options;
  }

  static async create(file: string, options: WriterOptions): Promise<BackupWriter> {
    if (await stat(file).catch(() => null)) throw new BackupError(`${file} exists; choose another name.`);
    const unfinished = `${file}.${process.pid}.unfinished`;
    const handle = await open(unfinished, 'wx', 0o600).catch((error: Error) => {
      throw new BackupError(`${file} cannot be written: ${error.message}`);
    });
    return new BackupWriter(file, unfinished, handle, options);
  }

  async addFile(name: string, content: Buffer): Promise<SavedFile> {
    await this.#add(name, content);
    return { name, bytes: content.length, sha256: sha256(content) };
  }

  /** `text` comes in chunks that end with a row. */
  async addTable(
    table: string,
    text: AsyncIterable<Buffer>,
    onBytes: (more: number) => void,
  ): Promise<Digest> {
    const hash = createHash('sha256');
    let bytes = 0;
    let number = 0;
    for await (const part of partsOf(text)) {
      hash.update(part);
      bytes += part.length;
      number += 1;
      const name = `${TABLES_FOLDER}${table}/${String(number).padStart(6, '0')}.gz`;
      await this.#add(name, await compress(part, { level: FASTEST }));
      onBytes(part.length);
    }
    return { bytes, sha256: hash.digest('hex') };
  }

  /** The file is complete, on the disk and in its place. Resolves with its size. */
  async finish(manifest: BackupManifest): Promise<number> {
    const content = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    await this.#add(MANIFEST, content);
    await this.#add(MANIFEST_HASH, manifestHash(content));
    await this.#write(LAST_BLOCKS);
    await this.#handle.sync();
    await this.#handle.close();
    await rename(this.#unfinished, this.#file);
    await syncFolder(dirname(this.#file));
    return this.#bytes;
  }

  /** Removes the file. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    await rm(this.#unfinished, { force: true });
  }

  async #add(name: string, content: Buffer): Promise<void> {
    await this.#leaveRoom();
    await this.#write(tarHeader({ name, bytes: content.length }, this.#options.nowMs()));
    await this.#write(content);
    await this.#write(Buffer.alloc(paddingBytes(content.length)));
  }

  async #write(bytes: Buffer): Promise<void> {
    await this.#handle.writeFile(bytes);
    this.#bytes += bytes.length;
  }

  /** A backup must not cause mail to be refused: it fails before the disk is that full. */
  async #leaveRoom(): Promise<void> {
    if (this.#bytes < this.#lookAt) return;
    this.#lookAt = this.#bytes + LOOK_AT_DISK_BYTES;
    const folder = dirname(this.#file);
    const space = await readDiskSpace(folder, this.#options.statfs);
    if (space === null || judgeDisk(space) !== 'full') return;
    throw new BackupError(
      `The disk of ${folder} is nearly full. Free some space, or back up to another disk.`,
    );
  }
}

async function* partsOf(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let bytes = 0;
  for await (const rows of text) {
    gathered.push(rows);
    bytes += rows.length;
    if (bytes < PART_BYTES) continue;
    yield Buffer.concat(gathered, bytes);
    gathered = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(gathered, bytes);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
