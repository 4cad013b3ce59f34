/** Joins the lines of a text with `format=flowed` (RFC 3676), whose paragraphs are folded at blanks. */
import type { SlicedWork } from '../../../runtime/sliced-work.ts';

/** Joined in one go, to the end of a line. */
const SLICE_CHARS = 16 * 1024;
const SIGNATURE = '-- ';

/** Lines end with LF. `deletesBlanks`: with `delsp=yes`, the blank before a fold is not part of the text. */
export function* joiningFlowed(text: string, deletesBlanks: boolean): SlicedWork<string> {
  const pieces: string[] = [];
  let isFolded = false;
  for (let from = 0, to = 0; from < text.length; from = to) {
    const newline = text.indexOf('\n', from + SLICE_CHARS);
    to = newline < 0 ? text.length : newline + 1;
    let joined = '';
    for (const [line] of text.slice(from, to).matchAll(/[^\n]*\n|[^\n]+/g)) {
      if (isFolded && isQuoted(line)) joined += '\n';
      const content = line.startsWith(' ') ? line.slice(1) : line;
      isFolded = line.endsWith(' \n') && line !== `${SIGNATURE}\n` && !isQuoted(line);
      joined += isFolded ? content.slice(0, deletesBlanks ? -2 : -1) : content;
    }
    pieces.push(joined);
    yield;
  }
  return pieces.join('');
}

/** Quoted lines are kept apart, because joining them would need their marks to be removed. */
function isQuoted(line: string): boolean {
  return line.startsWith('>');
}
