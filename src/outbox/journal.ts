/**
 * The outcome journal: what this worker knows was accepted by a mail server, and has not yet settled.
 *
 * Settling is batched, so a worker that is killed would forget the last few deliveries and repeat them. Before
 * anything else is done with an acceptance it is appended here; a write to a file survives the death of the
 * process. The next worker on this machine replays the journals of dead ones before it gives back their rows.
 * Only the moment between the final dot and the reading of its reply stays uncertain, and nothing can close it.
 *
 * It owns one file per worker epoch, `journal/<epoch>.jsonl` in the data folder, and room in it: the file is made of
 * empty lines, which entries are written over, so that a disk which runs full does not stop those who hold room on it.
 * States: open; failed (a write did not work: nothing may be handed over until it does); closed. It is emptied whenever
 * all of it is settled and it has grown, or has failed.
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
/** As much again for what comes before all of it is settled. */
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
  /** What could not be written, in whole or in part. */
  #unwritten = '';

  /** `onFailed` is told when it can no longer be written, and with null when it can again. */
  constructor(dataDir: string, epoch: number, onFailed: (error: Error | null) => void = () => {}) {
    mkdirSync(folderOf(dataDir), { recursive: true });
    this.#file = fileOf(dataDir, epoch);
    this.#onFailed = onFailed;
    this.#descriptor = openSync(this.#file, OPEN_FLAGS, 0o600);
    this.#empty();
  }

  /** Remembers an entry until `settled` has counted it. */
  append(entry: Entry): void {
    this.#unsettled += 1;
    const line = `${JSON.stringify(entry)}\n`;
    if (this.#failed) this.#unwritten += line;
    else this.#write(line);
  }

  /** So many of the entries are in the database now. */
  settled(count: number): void {
    this.#unsettled -= count;
    if (this.#unsettled > 0) return;
    this.#unwritten = '';
    if (this.#failed || this.#bytes > EMPTY_ABOVE_BYTES) this.#empty();
  }

  /** Whether an acceptance could be written down now. A worker must not send while it could not. */
  usable(): boolean {
    if (!this.#failed) return true;
    if (this.#unsettled === 0) this.#empty();
    else this.#writeAgain();
    return !this.#failed;
  }

  /** Whether something that is written down is not in the database yet. */
  get isUnsettled(): boolean {
    return this.#unsettled > 0;
  }

  /** At a clean end nothing is unsettled, and nothing is left behind. */
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

  /** What is on the disk may end in the middle of a line. */
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
      if (written < bytes.length) throw noRoom(); // a disk that runs full takes a part
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

/** The epochs that left a journal in this data folder. */
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

/** What is written down, one entry to a line, oldest first. */
export type JournalLines = readonly string[];

/** Everything that is written down in this data folder now, by epoch. */
export function allJournals(dataDir: string): ReadonlyMap<number, JournalLines> {
  return new Map(journalEpochs(dataDir).map((epoch) => [epoch, readLines(fileOf(dataDir, epoch))]));
}

/** Whether the later reading has every line of the earlier one: nothing was emptied or removed between them. */
export function haveOnlyGrown(
  before: ReadonlyMap<number, JournalLines>,
  after: ReadonlyMap<number, JournalLines>,
): boolean {
  return [...before].every(([epoch, lines]) => lines.every((line, i) => after.get(epoch)?.[i] === line));
}

/** What a dead worker wrote down. Its last line may have been cut short by its death: that one is left out. */
export function readJournal<Entry>(dataDir: string, epoch: number): Entry[] {
  return parseJournal(readLines(fileOf(dataDir, epoch)));
}

export function parseJournal<Entry>(lines: JournalLines): Entry[] {
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

/** Without the empty ones. Another worker may have replayed and removed it in the meantime. */
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
