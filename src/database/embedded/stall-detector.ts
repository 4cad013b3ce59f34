/**
 * Detects a stuck recovery. A server that recovers from a crash refuses all connections until it is done. A stuck one refuses
 * them forever: after an error, such as no disk space for its shared memory, its recovery waits for itself and neither ends nor
 * continues. The sign is that its processes do nothing at all while it refuses connections.
 *
 * Owns since when no progress was seen. Checks that are far apart do not belong together: the server answered in between, or
 * this process slept.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { SECOND_MS } from '../../runtime/durations.ts';

/** A process that waits for a disk is not idle, so slow disks do not count. */
const STALLED_AFTER_MS = 20 * SECOND_MS;
const MAX_GAP_MS = 10_000;
/** The processes that perform recovery. */
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

  /** True if `progress` has not changed for this long; null means unknown. */
  look(nowMs: number, progress: string | null): boolean {
    const isSame = nowMs - this.#lookedMs <= MAX_GAP_MS && progress !== null && progress === this.#progress;
    if (!isSame) this.#sinceMs = nowMs;
    this.#lookedMs = nowMs;
    this.#progress = progress;
    return nowMs - this.#sinceMs >= this.#stillMs;
  }
}

/** A text that changes with any progress. Null without /proc. */
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
    return undefined; // the process ended in the meantime
  }
}
