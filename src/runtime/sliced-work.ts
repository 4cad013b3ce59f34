/**
 * Long work, written once as a generator and run in either of two ways: synchronously when the input is known
 * to be small, or in time slices when a client chooses its size. It should take 1 ms at most between two
 * `yield`s.
 */
import { Turns } from './turns.ts';

export type SlicedWork<T> = Generator<void, T>;

/** Yields to the event loop between slices. */
export async function inTurns<T>(work: SlicedWork<T>, turns = new Turns()): Promise<T> {
  for (;;) {
    const slice = work.next();
    if (slice.done === true) return slice.value;
    if (turns.isOver) await turns.next();
  }
}

export function atOnce<T>(work: SlicedWork<T>): T {
  for (;;) {
    const slice = work.next();
    if (slice.done === true) return slice.value;
  }
}
