/** Searches long text in slices: for some texts `indexOf` takes many nanoseconds per character. */
import type { SlicedWork } from '../../../runtime/sliced-work.ts';

const SLICE_CHARS = 128 * 1024;

/** Equals `text.indexOf(mark, from)`. */
export function* searching(text: string, mark: string, from: number): SlicedWork<number> {
  for (let at = from; at < text.length; at += SLICE_CHARS) {
    if (at > from) yield;
    // The slice is a view, not a copy. It overlaps the next one, so that a match on the edge is found.
    const found = text.slice(at, at + SLICE_CHARS + mark.length - 1).indexOf(mark);
    if (found !== -1) return at + found;
  }
  return -1;
}

/** Equals `text.slice(0, before).lastIndexOf(mark)`. */
export function* searchingBack(text: string, mark: string, before: number): SlicedWork<number> {
  for (let end = before; end > 0; end -= SLICE_CHARS) {
    if (end < before) yield;
    const start = Math.max(0, end - SLICE_CHARS);
    const found = text.slice(start, Math.min(before, end + mark.length - 1)).lastIndexOf(mark);
    if (found !== -1) return start + found;
  }
  return -1;
}
