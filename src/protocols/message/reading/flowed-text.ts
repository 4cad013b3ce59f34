/** Joins the lines of a text with `format=flowed` (RFC 3676), whose paragraphs are folded at blanks. */
import type { SlicedWork } from '../../../runtime/sliced-work.ts';

/** Joined in one go. */
const SLICE_CHARS = 16 * 1024;
const LINE = /[^\n]*\n|[^\n]+/g;
const SIGNATURE = '-- \n';

/** Of the line before, or of the line that began in the slice before. */
interface State {
  isFolded: boolean;
  isQuoted: boolean;
  isUnfinished: boolean;
}

/** Lines end with LF. `deletesBlanks`: with `delsp=yes`, the blank before a fold is not part of the text. */
export function* joiningFlowed(text: string, deletesBlanks: boolean): SlicedWork<string> {
  const pieces: string[] = [];
  const state: State = { isFolded: false, isQuoted: false, isUnfinished: false };
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = endOfSlice(text, from);
    pieces.push(joinLines(text.slice(from, to), state, deletesBlanks));
    yield;
  }
  return pieces.join('');
}

/** At the end of a line; within a line only if it is longer than a slice, and never before its line end. */
function endOfSlice(text: string, from: number): number {
  const limit = from + SLICE_CHARS;
  if (limit >= text.length) return text.length;
  const newline = text.slice(from, limit).lastIndexOf('\n');
  if (newline >= 0) return from + newline + 1;
  return text[limit] === '\n' ? limit + 1 : limit;
}

function joinLines(lines: string, state: State, deletesBlanks: boolean): string {
  // An array, because a text put together with += is only copied when all slices are joined, which takes too long in one go.
  const joined: string[] = [];
  for (const [line] of lines.matchAll(LINE)) {
    const begins = !state.isUnfinished;
    if (begins) state.isQuoted = line.startsWith('>');
    // Quoted lines are kept apart, because joining them would need their marks to be removed.
    if (begins && state.isQuoted && state.isFolded) joined.push('\n');
    const content = begins && line.startsWith(' ') ? line.slice(1) : line;
    state.isFolded = content.endsWith(' \n') && !(begins && content === SIGNATURE) && !state.isQuoted;
    state.isUnfinished = !line.endsWith('\n');
    joined.push(state.isFolded ? content.slice(0, deletesBlanks ? -2 : -1) : content);
  }
  return joined.join('');
}
