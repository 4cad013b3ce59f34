/**
 * The outcome journal: the deliveries that a mail server accepted and that this worker has not yet settled.
 *
 * Settling is batched, so a killed worker would lose the last few deliveries and repeat them. Each acceptance is therefore
 * appended here before anything else happens; a write to a file survives the death of the process. The next worker on this
 * machine replays the journals of dead workers before it releases their rows. Only the moment between the final dot and its
 * reply stays uncertain, and no protocol can close this window.
 *
 * This module owns one file per worker epoch, `journal/<epoch>.jsonl` in the data folder, and reserves space in it: the file
 * consists of empty lines that entries overwrite, so that a full disk does not stop workers with reserved space. States: open;
 * failed (a write failed: no message may be sent until a write succeeds); closed. The file is emptied when all entries are
 * settled and it has grown or failed.
 */
import {
  closeSync,
  constants,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Small enough to replay at once, large enough not to be emptied all the time. */
const EMPTY_ABOVE_BYTES = 256 * 1024;
/** Twice that size, with room for entries that arrive before all earlier ones are settled. */
const ROOM = Buffer.alloc(2 * EMPTY_ABOVE_BYTES, '\n');
const FILE_NAME = /^(\d+)\.jsonl$/;
const OPEN_FLAGS = constants.O_WRONLY | constants.O_CREAT;

export class Journal<Entry> {
  readonly #file: string;
  readonly #onFailed: (error: Error | null) => void;
  #descriptor: number;
  #unsettled = 0;
  #bytes = 0;
  #failed = false;
  /** The text that could not be written, in whole or in part. */
  #unwritten = '';

  /** `onFailed` gets the error when writing fails, and null when writing works again. */
  constructor(dataDir: string, epoch: number, onFailed: (error: Error | null) => void = () => {}) {
    mkdirSync(folderOf(dataDir), { recursive: true });
    this.#file = fileOf(dataDir, epoch);
    this.#onFailed = onFailed;
    this.#descriptor = openSync(this.#file, OPEN_FLAGS, 0o600);
    this.#empty();
  }

  /** Keeps an entry until `settled` has counted it. */
  append(entry: Entry): void {
    this.#unsettled += 1;
    const line = `${JSON.stringify(entry)}\n`;
    if (this.#failed) this.#unwritten += line;
    else this.#write(line);
  }

  /** Reports that this many entries are now in the database. */
  settled(count: number): void {
    this.#unsettled -= count;
    if (this.#unsettled > 0) return;
    this.#unwritten = '';
    if (this.#failed || this.#bytes > EMPTY_ABOVE_BYTES) this.#empty();
  }

  /** Whether an acceptance could be written now. If not, a worker must not send. */
  usable(): boolean {
    if (!this.#failed) return true;
    if (this.#unsettled === 0) this.#empty();
    else this.#writeAgain();
    return !this.#failed;
  }

  /** Whether an entry is not in the database yet. */
  get isUnsettled(): boolean {
    return this.#unsettled > 0;
  }

  /** At a clean end every entry is settled, and the file is removed. */
  close(): void {
    closeSync(this.#descriptor);
    if (this.#unsettled === 0) rmSync(this.#file, { force: true });
  }

  #empty(): void {
    this.#bytes = 0;
    this.#attempt(() => {
      if (writeSync(this.#descriptor, ROOM, 0, ROOM.length, 0) < ROOM.length) throw noRoom();
      ftruncateSync(this.#descriptor, ROOM.length);
    });
  }

  /** The file may end in the middle of a line. */
  #writeAgain(): void {
    const lines = this.#unwritten;
    this.#unwritten = '';
    this.#write(`\n${lines}`);
  }

  #write(lines: string): void {
    const bytes = Buffer.from(lines);
    this.#attempt(() => {
      const written = writeSync(this.#descriptor, bytes, 0, bytes.length, this.#bytes);
      this.#bytes += written;
      if (written < bytes.length) throw noRoom(); // a disk that runs full accepts part of a write
    });
    if (this.#failed) this.#unwritten += lines;
  }

  #attempt(write: () => void): void {
    const failedBefore = this.#failed;
    try {
      write();
      this.#failed = false;
      if (failedBefore) this.#onFailed(null);
    } catch (error) {
      this.#failed = true;
      if (!failedBefore) this.#onFailed(error as Error);
    }
  }
}

function noRoom(): Error {
  return new Error('ENOSPC: no space left on device, write');
}

export function journalEpochs(dataDir: string): number[] {
  try {
    return readdirSync(folderOf(dataDir)).flatMap((name) => {
      const epoch = FILE_NAME.exec(name)?.[1];
      return epoch === undefined ? [] : [Number(epoch)];
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The entries of a journal, one per line, oldest first. */
export type JournalLines = readonly string[];

export function allJournals(dataDir: string): ReadonlyMap<number, JournalLines> {
  return new Map(journalEpochs(dataDir).map((epoch) => [epoch, readLines(fileOf(dataDir, epoch))]));
}

/** Whether the later reading contains every line of the earlier one, so no journal was emptied or removed between them. */
export function haveOnlyGrown(
  before: ReadonlyMap<number, JournalLines>,
  after: ReadonlyMap<number, JournalLines>,
): boolean {
  return [...before].every(([epoch, lines]) => lines.every((line, i) => after.get(epoch)?.[i] === line));
}

/** The entries of a dead worker. A last line that was cut short by its death is left out. */
export function readJournal<Entry>(dataDir: string, epoch: number): Entry[] {
  return parseJournal(readLines(fileOf(dataDir, epoch)));
}

function parseJournal<Entry>(lines: JournalLines): Entry[] {
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as Entry];
    } catch {
      return [];
    }
  });
}

export function removeJournal(dataDir: string, epoch: number): void {
  rmSync(fileOf(dataDir, epoch), { force: true });
}

/** The non-empty lines. Another worker may have replayed and removed the file in the meantime. */
function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').match(/[^\n]+/g) ?? [];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function fileOf(dataDir: string, epoch: number): string {
  return join(folderOf(dataDir), `${epoch}.jsonl`);
}

function folderOf(dataDir: string): string {
  return join(dataDir, 'journal');
}
