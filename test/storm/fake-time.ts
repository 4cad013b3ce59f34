/**
 * A clock of their own for some processes, set while they run: libfaketime, preloaded, reads from a file what it is to
 * tell. The wall clock alone jumps; a slow clock is slow for everything, time-outs included, as a bad oscillator makes it.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';

const FOLDERS = ['/usr/lib', '/usr/local/lib'];
const LIBRARY = 'faketime/libfaketimeMT.so.1';

export class FakeTime {
  readonly #file: string;
  readonly #isSteadyFaked: boolean;

  /** `steady`: whether the clock that is never set is told wrong as well. */
  constructor(file: string, { steady }: { readonly steady: boolean }) {
    this.#file = file;
    this.#isSteadyFaked = steady;
    this.set('+0');
  }

  /** Such as `+3600`, `-3600`, or `+0 x0.6`. */
  set(spec: string): void {
    writeFileSync(this.#file, `${spec}\n`, { mode: 0o644 });
  }

  /** What a process is started with. */
  get env(): Record<string, string> {
    return {
      LD_PRELOAD: libraryOfTime() ?? '',
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: this.#isSteadyFaked ? '0' : '1',
    };
  }
}

export function whyNoFakeTime(): string | null {
  return libraryOfTime() === undefined ? 'libfaketime is not installed (Debian: apt install faketime)' : null;
}

function libraryOfTime(): string | undefined {
  return FOLDERS.flatMap((folder) => [folder, ...triplets(folder)])
    .map((folder) => `${folder}/${LIBRARY}`)
    .find((file) => existsSync(file));
}

function triplets(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder).flatMap((name) => (name.includes('-linux-') ? [`${folder}/${name}`] : []))
    : [];
}
