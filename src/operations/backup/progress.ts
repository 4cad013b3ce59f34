/** Reports progress in lines: one for each table with rows, and more if a table takes long. */
import type { Say } from '../../runtime/say.ts';

const EVERY_MS = 200;
const COUNT = new Intl.NumberFormat('en-US');

export class BackupProgress {
  readonly #sizes: ReadonlyMap<string, number>;
  readonly #total: number;
  readonly #say: Say;
  readonly #nowMs: () => number;
  #table = '';
  #read = 0;
  #done = 0;
  #saidMs: number;

  /** `sizes`: the approximate size of each table; a missing one counts as zero. */
  constructor(
    tables: readonly { readonly name: string }[],
    sizes: ReadonlyMap<string, number>,
    say: Say,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#sizes = sizes;
    this.#total = tables.reduce((sum, { name }) => sum + (sizes.get(name) ?? 0), 0);
    this.#say = say;
    this.#nowMs = nowMs;
    this.#saidMs = nowMs();
  }

  begin(table: string): void {
    this.#table = table;
    this.#read = 0;
  }

  more(bytes: number): void {
    this.#read += bytes;
    if (this.#nowMs() - this.#saidMs < EVERY_MS) return;
    this.#saidMs = this.#nowMs();
    this.#say(`  ${this.#table}: ${sizeText(this.#read)} so far`, this.#share());
  }

  end(rows: number, bytes: number): void {
    this.#done += this.#sizes.get(this.#table) ?? 0;
    const words = `${COUNT.format(rows)} ${rows === 1 ? 'row' : 'rows'}`;
    if (rows > 0) this.#say(`  ${this.#table}: ${words}, ${sizeText(bytes)}`);
  }

  /** The copied text is about as large as the stored table; the share is capped there. */
  #share(): number {
    const now = this.#done + Math.min(this.#read, this.#sizes.get(this.#table) ?? 0);
    return this.#total === 0 ? 1 : now / this.#total;
  }
}

export function sizeText(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
