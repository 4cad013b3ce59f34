/**
 * How much processor time each worker has had, looked at again and again. On a busy machine a worker may have read a
 * reply and had no turn since: then it cannot have written it down. Only time that it really had counts against it.
 */
import { readFileSync } from 'node:fs';
import { wallMs } from './fault-log.ts';

/** What the thread that does the work had had by then, in milliseconds. */
export interface ProcessorTime {
  readonly atMs: number;
  readonly hadMs: number;
}

const LOOK_EVERY_MS = 20;
const LOOK_FOR_NEW_EVERY = 25;
/** Longer than anything takes from a reply to the journal. */
const KEPT = 500;

export class ProcessorTimes {
  readonly #workers: () => readonly number[];
  readonly #timer: NodeJS.Timeout;
  #known = new Map<number, ProcessorTime[]>();
  #looks = 0;

  constructor(workers: () => readonly number[]) {
    this.#workers = workers;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  /** Up to this moment, which is the last of them; none where nothing is known of it. */
  of(pid: number): readonly ProcessorTime[] {
    const before = this.#known.get(pid);
    const now = timeOf(pid);
    return before === undefined || now === null ? [] : [...before, now];
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.#looks % LOOK_FOR_NEW_EVERY === 0)
      this.#known = new Map(this.#workers().map((pid) => [pid, this.#known.get(pid) ?? []]));
    this.#looks += 1;
    for (const [pid, times] of this.#known) {
      const now = timeOf(pid);
      if (now !== null) times.push(now);
      if (times.length > KEPT) times.shift();
    }
  }
}

/** Of the main thread: others sign, and write nothing down. */
function timeOf(pid: number): ProcessorTime | null {
  try {
    const [onProcessorNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ');
    return { atMs: wallMs(), hadMs: Number(onProcessorNs) / 1e6 };
  } catch {
    return null;
  }
}

/** How much of it came after that moment, at most; infinite where nobody looked before. */
export function hadSince(times: readonly ProcessorTime[], sinceMs: number): number {
  const before = times.findLast(({ atMs }) => atMs <= sinceMs);
  const last = times.at(-1);
  return before === undefined || last === undefined ? Number.POSITIVE_INFINITY : last.hadMs - before.hadMs;
}
