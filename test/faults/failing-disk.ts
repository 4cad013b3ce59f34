/** Builds the library that makes one call to the disk fail, and orders the failure. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('./failing-disk.c', import.meta.url));

/** Null where the library can be built. */
export function whyNoFailingDisk(): string | null {
  if (process.platform !== 'linux') return 'the library is for Linux';
  return spawnSync('cc', ['--version']).status === 0 ? null : 'there is no C compiler (cc)';
}

export class FailingDisk {
  readonly #folder = mkdtempSync(join(tmpdir(), 'postrider-failing-disk-'));
  readonly #order = join(this.#folder, 'order');
  readonly #library = join(this.#folder, 'failing-disk.so');

  constructor() {
    // PostgreSQL may run as another account, which removes the order.
    chmodSync(this.#folder, 0o777);
    const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', this.#library, SOURCE]);
    if (status !== 0) throw new Error(`cc: ${stderr}`);
  }

  /** For the process whose disk is to fail. */
  get env(): Record<string, string> {
    return { LD_PRELOAD: this.#library, FAILING_DISK_ORDER: this.#order };
  }

  /** The next such call on a file with this in its path fails. */
  failOnce(call: 'fsync' | 'fdatasync' | 'write' | 'pwrite', path: string): void {
    writeFileSync(`${this.#order}.new`, `${call} ${path}\n`, { mode: 0o644 });
    renameSync(`${this.#order}.new`, this.#order);
  }

  get hasFailed(): boolean {
    return !existsSync(this.#order);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
