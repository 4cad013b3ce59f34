/** Reads a backup. All of it is checked against its hashes before any of it is used. */
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Say } from '../../runtime/say.ts';
import { BackupError } from './backup-error.ts';
import {
  type BackupManifest,
  type Digest,
  MANIFEST,
  MANIFEST_HASH,
  manifestHash,
  readManifest,
  TABLES_FOLDER,
} from './manifest.ts';
import { BLOCK_BYTES, paddingBytes, readTarHeader, type TarEntry } from './tar.ts';

const uncompress = promisify(gunzip);

interface Place extends TarEntry {
  readonly offset: number;
}

export class BackupReader {
  readonly manifest: BackupManifest;
  readonly #handle: FileHandle;
  readonly #places: readonly Place[];

  private constructor(handle: FileHandle, places: readonly Place[], manifest: BackupManifest) {
    this.#handle = handle;
    this.#places = places;
    this.manifest = manifest;
  }

  /** Throws unless the file is complete and undamaged. `say` reports the progress. */
  static async open(file: string, say: Say = () => undefined): Promise<BackupReader> {
    const handle = await open(file).catch((error: Error) => {
      throw new BackupError(`${file} cannot be read: ${error.message}`);
    });
    try {
      const places = await placesIn(handle);
      const manifest = await trustedManifest(handle, places);
      await checkContents(handle, places, manifest, say);
      return new BackupReader(handle, places, manifest);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async file(name: string): Promise<Buffer> {
    const place = this.#places.find((one) => one.name === name);
    if (place === undefined) throw new Error(`${name} is not in the backup.`);
    return read(this.#handle, place);
  }

  /** The table's rows, in the format of COPY. */
  async *table(name: string): AsyncGenerator<Buffer> {
    for (const place of this.#places)
      if (tableOf(place) === name) yield await uncompress(await read(this.#handle, place));
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

async function placesIn(handle: FileHandle): Promise<Place[]> {
  const { size } = await handle.stat();
  const places: Place[] = [];
  for (let offset = 0; offset < size; ) {
    const entry = readTarHeader(await read(handle, { name: 'a header', offset, bytes: BLOCK_BYTES }));
    if (entry === undefined) return places;
    offset += BLOCK_BYTES;
    if (offset + entry.bytes > size) break;
    places.push({ ...entry, offset });
    offset += entry.bytes + paddingBytes(entry.bytes);
  }
  throw notWhole();
}

async function trustedManifest(handle: FileHandle, places: readonly Place[]): Promise<BackupManifest> {
  const [manifest, hash] = [MANIFEST, MANIFEST_HASH].map((name) => places.find((one) => one.name === name));
  if (manifest === undefined || hash === undefined) throw notWhole();
  const content = await read(handle, manifest);
  if (!manifestHash(content).equals(await read(handle, hash))) throw damaged(MANIFEST);
  return readManifest(content);
}

async function checkContents(
  handle: FileHandle,
  places: readonly Place[],
  { files, tables }: BackupManifest,
  say: Say,
): Promise<void> {
  const end = places.at(-1);
  const size = end === undefined ? 0 : end.offset + end.bytes;
  const found = new Map<string, { hash: Hash; bytes: number }>();
  for (const place of places) {
    const name = tableOf(place) ?? place.name;
    const content = await contentOf(handle, place);
    const one = found.get(name) ?? { hash: createHash('sha256'), bytes: 0 };
    one.hash.update(content);
    found.set(name, { hash: one.hash, bytes: one.bytes + content.length });
    say('Checking', size === 0 ? 1 : (place.offset + place.bytes) / size);
  }
  const nothing = createHash('sha256').digest('hex');
  const isAsSaved = ({ name, bytes, sha256 }: Digest & { name: string }) => {
    const one = found.get(name);
    return one === undefined
      ? bytes === 0 && sha256 === nothing
      : one.bytes === bytes && one.hash.digest('hex') === sha256;
  };
  const wrong = [...files, ...tables].find((one) => !isAsSaved(one));
  if (wrong !== undefined) throw damaged(wrong.name);
}

async function contentOf(handle: FileHandle, place: Place): Promise<Buffer> {
  const content = await read(handle, place);
  if (tableOf(place) === undefined) return content;
  return uncompress(content).catch(() => {
    throw damaged(place.name);
  });
}

function tableOf({ name }: TarEntry): string | undefined {
  return name.startsWith(TABLES_FOLDER) ? name.slice(TABLES_FOLDER.length).split('/')[0] : undefined;
}

async function read(handle: FileHandle, { offset, bytes }: Place): Promise<Buffer> {
  const content = Buffer.alloc(bytes);
  for (let done = 0; done < bytes; ) {
    const { bytesRead } = await handle.read(content, done, bytes - done, offset + done);
    if (bytesRead === 0) throw notWhole();
    done += bytesRead;
  }
  return content;
}

function notWhole(): BackupError {
  return new BackupError(
    'The backup file is incomplete: its end is missing. Nothing was restored. Use another copy of the backup.',
  );
}

function damaged(name: string): BackupError {
  return new BackupError(`The backup is damaged: ${name} does not match its hash. Nothing was restored.`);
}
