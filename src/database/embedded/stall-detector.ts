/**
 * A server that recovers from a crash refuses everybody meanwhile, for as long as it takes. One that has come to a stand
 * does so forever: what recovers waits for itself after an error (no room on the disk for its shared memory, for one),
 * and neither ends nor goes on. It is told by its processes doing nothing at all while it refuses.
 *
 * Owns since when nothing has moved. Looks that are far apart do not belong together: it has answered in between, or this
 * process was asleep.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { SECOND_MS } from '../../runtime/durations.ts';

/** Whoever waits for a disk is not idle, so that this is not about slow ones. */
export const STALLED_AFTER_MS = 20 * SECOND_MS;
const MAX_GAP_MS = 10_000;
/** Those that recovery is done by. */
const RECOVERING = /^postgres: (startup|checkpointer)/;
const BUSY = new Set(['R', 'D']);

export class StallDetector {
  readonly #stillMs: number;
  #progress: string | null = null;
  #sinceMs = 0;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(stillMs = STALLED_AFTER_MS) {
    this.#stillMs = stillMs;
  }

  /** True when `progress` has not changed for so long; null says that nobody can tell. */
  look(nowMs: number, progress: string | null): boolean {
    const isSame = nowMs - this.#lookedMs <= MAX_GAP_MS && progress !== null && progress === this.#progress;
    if (!isSame) this.#sinceMs = nowMs;
    this.#lookedMs = nowMs;
    this.#progress = progress;
    return nowMs - this.#sinceMs >= this.#stillMs;
  }
}

/** A text that changes when something moves. Null where there is no /proc to read it from. */
export function recoveryProgress(postmasterPid: number, nowMs: number): string | null {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const seen = statOf(name);
        if (seen?.parent !== postmasterPid || !RECOVERING.test(seen.command)) return [];
        return [`${name}:${BUSY.has(seen.state) ? nowMs : seen.ticks}`];
      })
      .join(' ');
  } catch {
    return null;
  }
}

function statOf(pid: string): { state: string; parent: number; ticks: string; command: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', parent] = fields;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
    return { state, parent: Number(parent), ticks: `${fields[11]}+${fields[12]}`, command };
  } catch {
    return undefined; // it ended in the meantime
  }
}
