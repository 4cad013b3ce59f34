/**
 * Detects dead workers: a worker is dead when another has watched it for a whole lease without a heartbeat.
 *
 * Watching means repeated checks by a worker whose own heartbeats succeeded all that time. The detector uses no clock of the
 * database or of another machine, and time that no worker observed does not count. So a database outage, a suspended machine or
 * a changed clock makes no worker dead: the next check starts watching again, and live workers send a heartbeat within the
 * lease.
 *
 * Owns the last observation of each worker. Pure: the caller passes the time of a monotonic clock.
 */

/** A worker's row in the table. */
export interface ObservedWorker {
  readonly epoch: number;
  /** Changes with every heartbeat. Null for a holder of mail that is not registered. */
  readonly beat: string | null;
}

/** When the query was sent, and when its answer was read. */
interface QueryTimes {
  readonly askedMs: number;
  readonly readMs: number;
}

interface Watched {
  readonly beat: string | null;
  readonly sinceMs: number;
}

export class FailureDetector {
  readonly #leaseMs: number;
  /** Checks that are further apart than this do not belong to one watch. */
  readonly #maxGapMs: number;
  #watched = new Map<number, Watched>();
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(leaseMs: number, maxGapMs: number) {
    this.#leaseMs = leaseMs;
    this.#maxGapMs = maxGapMs;
  }

  /** Returns the workers of `seen` that have been silent for a whole watched lease. */
  look<Seen extends ObservedWorker>(seen: readonly Seen[], { askedMs, readMs }: QueryTimes): Seen[] {
    if (readMs - this.#lastMs > this.#maxGapMs) this.#watched.clear();
    this.#lastMs = readMs;
    this.#watched = new Map(
      seen.map(({ epoch, beat }) => {
        const before = this.#watched.get(epoch);
        return [epoch, before?.beat === beat ? before : { beat, sinceMs: readMs }];
      }),
    );
    return seen.filter(
      ({ epoch }) => askedMs - (this.#watched.get(epoch) as Watched).sinceMs >= this.#leaseMs,
    );
  }

  interrupt(): void {
    this.#watched.clear();
  }
}
