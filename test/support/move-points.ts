/** Where a move can be cut off: before each step, and within those that do several things. */
export const BEFORE_ARRIVAL = [
  ...['preparing', 'standing', 'copying', 'quieting', 'quiet', 'marked', 'closed', 'copied', 'compared'],
] as const;
/** One of each kind of what there is to undo. */
export const TO_UNDO = ['standing', 'quiet', 'closed', 'copied'] as const;
export const AFTER_ARRIVAL = ['settling', 'released', 'clearing'] as const;

/** Resolves when it is there, where it stays forever. */
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
