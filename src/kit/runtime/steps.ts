/**
 * Long work that is written once and done in either of two ways: at one go where the input is known to be small, or in turns where
 * a stranger chooses its size. A step is what a generator does between two `yield`s; each should take a millisecond at most.
 */
import { Turns } from './turns.ts';

export type Steps<T> = Generator<void, T>;

/** Lets others use the event loop between steps. */
export async function inTurns<T>(steps: Steps<T>, turns = new Turns()): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (turns.isOver) await turns.next();
  }
}

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
