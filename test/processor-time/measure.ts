/** Every shape at the size limit of a subject, and which of them hold the event loop for too long. */
import { bytesOfShape, COMMON_SHAPES } from './shapes.ts';
import { longestSliceMs } from './slices.ts';
import type { Subject } from './subject.ts';

export const LIMIT_MS = 50;
/** Compiling code at its first use, and a collection of garbage, count as its own: not every time, though. */
export const TRIES = 3;

/** One sentence for each shape that holds the event loop for longer than the limit. */
export async function excessesOf(subject: Subject, common = COMMON_SHAPES): Promise<string[]> {
  const { name, limitBytes, run, shapes = {} } = subject;
  const excesses: string[] = [];
  for (const [shape, make] of Object.entries({ ...common, ...shapes })) {
    const input = make(shape in shapes ? limitBytes : bytesOfShape(shape, limitBytes));
    const ms = await bestOf(() => run(input));
    if (ms > LIMIT_MS)
      excesses.push(`${name}: ${shape}, ${input.length} bytes, held the event loop for ${ms.toFixed(0)} ms.`);
  }
  return excesses;
}

async function bestOf(work: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && best > LIMIT_MS; tries += 1)
    best = Math.min(best, await longestSliceMs(work));
  return best;
}
