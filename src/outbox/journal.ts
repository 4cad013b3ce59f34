/**
 * The outcome journal: what this worker knows was accepted by a mail server, and has not yet settled.
 *
 * Settling is batched, so a worker that is killed would forget the last few deliveries and repeat them. Before
 * anything else is done with an acceptance it is appended here; a write to a file survives the death of the
 * process. The next worker on this machine replays the journals of dead ones before it gives back their rows.
 * Only the moment between the final dot and the reading of its reply stays uncertain, and nothing can close it.
 *
 * It owns one file per worker epoch, `journal/<epoch>.jsonl` in the data folder. States: open; failed (a write
 * did not work: nothing may be handed over until it does); closed. It is emptied whenever all of it is settled.
 */
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Small enough to replay at once, large enough not to truncate all the time. */
const EMPTY_ABOVE_BYTES = 256 * 1024;
const FILE_NAME = /^(\d+)\.jsonl$/;

export class Journal<Entry> {
  readonly #file: string;
  #descriptor: number;
  #unsettled = 0;
  #bytes = 0;
  #failed = false;
  /** What could not be written, in whole or in part. */
  #unwritten = '';

  constructor(dataDir: string, epoch: number) {
    mkdirSync(folderOf(dataDir), { recursive: true });
    this.#file = join(folderOf(dataDir), `${epoch}.jsonl`);
    this.#descriptor = openSync(this.#file, 'a', 0o600);
  }

  /** Remembers an entry until `settled` has counted it. */
  append(entry: Entry): void {
    this.#unsettled += 1;
    this.#write(`${JSON.stringify(entry)}\n`);
  }

  /** So many of the entries are in the database now. */
  settled(count: number): void {
    this.#unsettled -= count;
    if (this.#unsettled === 0) this.#unwritten = '';
    if (this.#unsettled > 0 || this.#bytes <= EMPTY_ABOVE_BYTES) return;
    ftruncateSync(this.#descriptor, 0);
    this.#bytes = 0;
  }

  /** Whether an acceptance could be written down now. A worker must not send while it could not. */
  usable(): boolean {
    if (!this.#failed) return true;
    const lines = this.#unwritten;
    this.#unwritten = '';
    this.#write(`\n${lines}`); // what is on the disk may end in the middle of a line
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

  #write(lines: string): void {
    const bytes = Buffer.from(lines);
    try {
      const written = writeSync(this.#descriptor, bytes);
      this.#bytes += written;
      this.#failed = written < bytes.length; // a disk that runs full takes a part
    } catch {
      this.#failed = true;
    }
    if (this.#failed) this.#unwritten += lines;
  }
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

/** What a dead worker wrote down. Its last line may have been cut short by its death: that one is left out. */
export function readJournal<Entry>(dataDir: string, epoch: number): Entry[] {
  return readLines(join(folderOf(dataDir), `${epoch}.jsonl`)).flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Entry];
    } catch {
      return [];
    }
  });
}

export function removeJournal(dataDir: string, epoch: number): void {
  rmSync(join(folderOf(dataDir), `${epoch}.jsonl`), { force: true });
}

/** Another worker may have replayed and removed it in the meantime. */
function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function folderOf(dataDir: string): string {
  return join(dataDir, 'journal');
}
