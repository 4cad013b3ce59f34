/**
 * Finds the lanes with mail that is due.
 *
 * Owns the database time up to which arrivals were read, the position of the patrol, and the announced lanes that were not
 * returned yet. Arrivals are read once a second, and when new mail is announced without its lanes. The patrol reads the next
 * lanes once a second. After the start, and after a long gap, it reads without a pause until it has seen all lanes once.
 */
import type { Database } from '../../database/database.ts';
import { arrivals, type Lane, patrol } from '../../outbox/lanes.ts';
import { MINUTE_MS } from '../../runtime/durations.ts';

const POLL_MS = 1_000;
/** The interval between reads while there is enough mail. */
const BUSY_LOOK_MS = 200;
const BUSY_PATROL_MS = 100;
/** A row becomes visible when its transaction commits, some time after it is due. Most commit within the shorter time. */
const LOOK_BACK_MS = 1_000;
const FAR_LOOK_BACK_MS = 10_000;
const FAR_LOOK_MS = 2_000;
const LONGEST_GAP_MS = MINUTE_MS;
const PATROL_LANES = 500;
/** With more announced lanes than this, arrivals are read instead. */
const MAX_HINTS = 1_000;

interface LaneFinderOptions {
  readonly db: Database;
  /** From a monotonic clock. */
  readonly nowMs: () => number;
}

export class LaneFinder {
  readonly #options: LaneFinderOptions;
  #mustLook = true;
  #hints: Lane[] = [];
  #upToMs: number | null = null;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #lookedFarMs = Number.NEGATIVE_INFINITY;
  #patrolledMs = Number.NEGATIVE_INFINITY;
  #patrolAt: Lane | null = null;
  #isPatrolIncomplete = true;

  constructor(options: LaneFinderOptions) {
    this.#options = options;
  }

  /** New mail was announced, perhaps with its lanes. */
  notice(lanes?: readonly Lane[]): void {
    if (lanes !== undefined && this.#hints.length + lanes.length <= MAX_HINTS) this.#hints.push(...lanes);
    else this.#mustLook = true;
  }

  /** Whether announced lanes are waiting. */
  get hasHints(): boolean {
    return this.#hints.length > 0;
  }

  takeHints(): readonly Lane[] {
    const hints = this.#hints;
    this.#hints = [];
    return hints;
  }

  /** `busy`: there is enough mail already. `full`: the queue takes no more lanes now. */
  async look({ busy, full }: { readonly busy: boolean; readonly full: boolean }): Promise<readonly Lane[]> {
    const nowMs = this.#options.nowMs();
    const lanes = [...this.takeHints()];
    if (this.#isArrivalTime(nowMs, busy)) lanes.push(...(await this.#lookAtArrivals(nowMs)));
    if (!full && this.#isPatrolTime(nowMs, busy)) lanes.push(...(await this.#patrol(nowMs)));
    return lanes;
  }

  /** Whether to read again at once. */
  get isHurrying(): boolean {
    return this.#isPatrolIncomplete;
  }

  #isArrivalTime(nowMs: number, busy: boolean): boolean {
    const sinceMs = nowMs - this.#lookedMs;
    return sinceMs >= POLL_MS || (this.#mustLook && (!busy || sinceMs >= BUSY_LOOK_MS));
  }

  #isPatrolTime(nowMs: number, busy: boolean): boolean {
    const sinceMs = nowMs - this.#patrolledMs;
    return sinceMs >= POLL_MS || (this.#isPatrolIncomplete && (!busy || sinceMs >= BUSY_PATROL_MS));
  }

  async #lookAtArrivals(nowMs: number): Promise<readonly Lane[]> {
    if (nowMs - this.#lookedMs > LONGEST_GAP_MS) {
      this.#upToMs = null;
      this.#isPatrolIncomplete = true;
    }
    const far = nowMs - this.#lookedFarMs >= FAR_LOOK_MS;
    this.#mustLook = false;
    const found = await arrivals(this.#options.db, this.#upToMs, far ? FAR_LOOK_BACK_MS : LOOK_BACK_MS);
    this.#upToMs = found.upToMs;
    this.#lookedMs = nowMs;
    if (far) this.#lookedFarMs = nowMs;
    return found.lanes;
  }

  async #patrol(nowMs: number): Promise<readonly Lane[]> {
    const { dueLanes, next } = await patrol(this.#options.db, this.#patrolAt, PATROL_LANES);
    this.#patrolAt = next;
    this.#patrolledMs = nowMs;
    if (next === null) this.#isPatrolIncomplete = false;
    return dueLanes;
  }
}
