/**
 * Runs long work on the event loop in time slices, so that one request does not block the others. `isOver` is
 * cheap enough to check for every item; when it returns true, `next()` yields to the event loop.
 *
 * All long work of a process shares one budget per turn of the event loop, and waits in one queue: ten
 * messages parsed at once block the loop no longer than one.
 */

const TURN_MS = 8;

/** End of the current turn's budget; null until work uses some of it. */
let endsAtMs: number | null = null;
/** Work waiting for a later turn of the event loop, in order. */
const waiting: (() => void)[] = [];

export class Turns {
  get isOver(): boolean {
    return performance.now() >= (endsAtMs ?? begin());
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(resolve);
      // If the budget is unused, the next turn is not yet scheduled either.
      if (endsAtMs === null) begin();
    });
  }
}

function begin(): number {
  setImmediate(onTurn);
  endsAtMs = performance.now() + TURN_MS;
  return endsAtMs;
}

/** Resumes one item per turn, which uses the new budget and so schedules the next turn. */
function onTurn(): void {
  endsAtMs = null;
  const next = waiting.shift();
  if (next === undefined) return;
  begin();
  next();
}
