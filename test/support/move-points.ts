/** The points at which tests interrupt a move: before each step, and within steps that do several things. */
export const BEFORE_ARRIVAL = [
  ...['preparing', 'standing', 'copying', 'quieting', 'quiet', 'marked', 'closed', 'copied', 'compared'],
] as const;
/** One point for each kind of state that must be undone. */
export const TO_UNDO = ['standing', 'quiet', 'closed', 'copied'] as const;
export const AFTER_ARRIVAL = ['settling', 'released', 'clearing'] as const;

/** Stops a move at the point for ever. `there` resolves when the move has reached the point. */
export function stopsAt(point: string): {
  readonly at: (point: string) => Promise<void>;
  readonly there: Promise<void>;
} {
  let resolve = () => {};
  const there = new Promise<void>((done) => {
    resolve = done;
  });
  const at = (now: string) => {
    if (now !== point) return Promise.resolve();
    resolve();
    return new Promise<never>(() => undefined);
  };
  return { at, there };
}
