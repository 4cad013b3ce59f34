/**
 * Finds the lanes with mail that is due.
 *
 * Owns the database's time up to which arrivals were read, the place the patrol has come to, and the lanes that it was
 * told of and has not handed on. It looks at arrivals when somebody says that there are some and not where, and once a second; at the next lanes of the patrol once a second, and
 * without a pause until it has been round once: after the start, and after a gap in which much may have happened.
 */
import type { Database } from '../../kit/database/database.ts';
import { MINUTE_MS } from '../../kit/runtime/durations.ts';
import { arrivals, type Lane, patrol } from '../../outbox/lanes.ts';

const POLL_MS = 1_000;
/** While there is plenty to do, looking can wait a little. */
const BUSY_LOOK_MS = 200;
const BUSY_PATROL_MS = 100;
/** Rows are seen when their transaction commits, some time after they are due. Most commit within the first. */
const LOOK_BACK_MS = 1_000;
const FAR_LOOK_BACK_MS = 10_000;
const FAR_LOOK_MS = 2_000;
const LONGEST_GAP_MS = MINUTE_MS;
const PATROL_LANES = 500;
/** Who is told of more lanes before the next look, looks. */
const MAX_TOLD = 1_000;

export interface LaneFinderOptions {
  readonly db: Database;
  /** From a clock that is never set. */
  readonly nowMs: () => number;
}

export class LaneFinder {
  readonly #options: LaneFinderOptions;
  #noticed = true;
  #told: Lane[] = [];
  #upToMs: number | null = null;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #lookedFarMs = Number.NEGATIVE_INFINITY;
  #patrolledMs = Number.NEGATIVE_INFINITY;
  #patrolAt: Lane | null = null;
  #hurry = true;

  constructor(options: LaneFinderOptions) {
    this.#options = options;
  }

  /** Somebody says that there is new mail, and perhaps in which lanes. */
  notice(lanes?: readonly Lane[]): void {
    if (lanes !== undefined && this.#told.length + lanes.length <= MAX_TOLD) this.#told.push(...lanes);
    else this.#noticed = true;
  }

  /** Whether lanes are known that nobody has to look for. */
  get isTold(): boolean {
    return this.#told.length > 0;
  }

  takeTold(): readonly Lane[] {
    const told = this.#told;
    this.#told = [];
    return told;
  }

  /** `busy`: there is plenty to do already. `full`: nothing can be done with more lanes now. */
  async look({ busy, full }: { readonly busy: boolean; readonly full: boolean }): Promise<readonly Lane[]> {
    const nowMs = this.#options.nowMs();
    const lanes = [...this.takeTold()];
    if (this.#isArrivalTime(nowMs, busy)) lanes.push(...(await this.#lookAtArrivals(nowMs)));
    if (!full && this.#isPatrolTime(nowMs, busy)) lanes.push(...(await this.#patrol(nowMs)));
    return lanes;
  }

  /** Whether the next look should not wait for a reason. */
  get isHurrying(): boolean {
    return this.#hurry;
  }

  #isArrivalTime(nowMs: number, busy: boolean): boolean {
    const sinceMs = nowMs - this.#lookedMs;
    return sinceMs >= POLL_MS || (this.#noticed && (!busy || sinceMs >= BUSY_LOOK_MS));
  }

  #isPatrolTime(nowMs: number, busy: boolean): boolean {
    const sinceMs = nowMs - this.#patrolledMs;
    return sinceMs >= POLL_MS || (this.#hurry && (!busy || sinceMs >= BUSY_PATROL_MS));
  }

  async #lookAtArrivals(nowMs: number): Promise<readonly Lane[]> {
    if (nowMs - this.#lookedMs > LONGEST_GAP_MS) {
      this.#upToMs = null;
      this.#hurry = true;
    }
    const far = nowMs - this.#lookedFarMs >= FAR_LOOK_MS;
    this.#noticed = false;
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
    if (next === null) this.#hurry = false;
    return dueLanes;
  }
}
