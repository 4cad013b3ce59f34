/**
 * Which workers are dead: a worker is taken for dead when another has watched it for a whole lease without a heartbeat.
 *
 * Watched means: checked again and again, by a worker whose own heartbeats succeeded all that time. No clock of the
 * database or of another machine is used, and no worker is dead just because time has passed that nobody observed. So a
 * database outage, a machine that slept or a clock that was set kill nobody: whoever looks first afterwards starts
 * watching again, and live workers send a heartbeat within the lease.
 *
 * Owns what was last seen of each worker. Pure: the caller brings the time, from a clock that is never set.
 */

/** What stands in the table about a worker. */
export interface ObservedWorker {
  readonly epoch: number;
  /** Differs after every heartbeat. Null for a holder of mail that is not registered at all. */
  readonly beat: string | null;
}

/** When the question was sent, and when its answer was read. */
export interface QueryTimes {
  readonly askedMs: number;
  readonly readMs: number;
}

interface Watched {
  readonly beat: string | null;
  readonly sinceMs: number;
}

export class FailureDetector {
  readonly #leaseMs: number;
  /** Looks that are further apart than this do not belong to one watch. */
  readonly #maxGapMs: number;
  #watched = new Map<number, Watched>();
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(leaseMs: number, maxGapMs: number) {
    this.#leaseMs = leaseMs;
    this.#maxGapMs = maxGapMs;
  }

  /** Those of `seen` that have been silent for a whole lease of watching. */
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

  /** The watch was interrupted. */
  interrupt(): void {
    this.#watched.clear();
  }
}
