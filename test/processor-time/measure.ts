/** Hostile shapes that a subject is given, and which of them hold the event loop for too long. */
import { bytesOfShape, COMMON_SHAPES, QUICK_BYTES } from './shapes.ts';
import { longestSliceMs } from './slices.ts';
import type { Subject } from './subject.ts';

export const LIMIT_MS = 50;
/** Compiling code at its first use, a collection of garbage and a busy machine add to a figure, but not every time. */
export const TRIES = 20;

/** How many bytes of a shape a subject is given. */
export type SizeOf = (subject: Subject, shape: string) => number;

/** Enough to notice a quadratic step; the largest size only where the subject asks for it. */
export const quickSize: SizeOf = ({ limitBytes, whole = [] }, shape) =>
  whole.includes(shape) ? limitBytes : Math.min(limitBytes, QUICK_BYTES);

export const everySize: SizeOf = (
  { limitBytes, commonBytes = limitBytes, shapes = {}, whole = [] },
  shape,
) =>
  shape in shapes || whole.includes(shape)
    ? limitBytes
    : bytesOfShape(shape, Math.min(commonBytes, limitBytes));

/** One sentence for each shape that holds the event loop for longer than the limit. */
export async function excessesOf(
  subject: Subject,
  sizeOf: SizeOf,
  common = COMMON_SHAPES,
): Promise<string[]> {
  const { name, run, shapes = {} } = subject;
  const excesses: string[] = [];
  for (const [shape, make] of Object.entries({ ...common, ...shapes })) {
    const input = make(sizeOf(subject, shape));
    const ms = await bestSliceMs(() => run(input));
    if (ms > LIMIT_MS)
      excesses.push(`${name}: ${shape}, ${input.length} bytes, held the event loop for ${ms.toFixed(0)} ms.`);
  }
  return excesses;
}

/** The longest slice of the best try. More tries are made only while none was short enough. */
export async function bestSliceMs(work: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && best > LIMIT_MS; tries += 1)
    best = Math.min(best, await longestSliceMs(work));
  return best;
}
