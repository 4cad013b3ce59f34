/**
 * Long work on the event loop, done in turns: a request that keeps the loop for long keeps everybody else waiting.
 * `isOver` is cheap enough to be asked for every item; when it says so, `next()` lets the others have theirs.
 *
 * All long work of a process shares one budget for each turn of the event loop, and waits in one queue: ten messages that are read at
 * once hold it no longer than one.
 */

const TURN_MS = 8;

/** When the budget of this turn of the event loop is spent; null until somebody uses some of it. */
let endsAtMs: number | null = null;
/** Work that waits for a turn of the event loop, in order. */
const waiting: (() => void)[] = [];

export class Turns {
  get isOver(): boolean {
    return performance.now() >= (endsAtMs ?? begin());
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(resolve);
      // Where nobody has used any of the budget, nobody has arranged for the next turn either.
      if (endsAtMs === null) begin();
    });
  }
}

function begin(): number {
  setImmediate(onTurn);
  endsAtMs = performance.now() + TURN_MS;
  return endsAtMs;
}

/** One goes on in each turn: it uses the new budget, and so arranges for the next turn. */
function onTurn(): void {
  endsAtMs = null;
  const next = waiting.shift();
  if (next === undefined) return;
  begin();
  next();
}
