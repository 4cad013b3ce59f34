/**
 * Long work that is written once, as a generator, and done in either of two ways: at one go where the input is known to be small, or in
 * turns where a stranger chooses its size. Between two `yield`s it should take a millisecond at most.
 */
import { Turns } from './turns.ts';

export type SlicedWork<T> = Generator<void, T>;

/** Lets others use the event loop between slices. */
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
