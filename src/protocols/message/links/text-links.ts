/** Redirects the links of plain text as mail clients find them, and changes nothing else. Pure. */
import type { SlicedWork } from '../../../runtime/sliced-work.ts';
import type { Redirect } from './html-links.ts';
import { isWebAddress } from './web-address.ts';

const BEGINNING = /https?:\/\//i;
const LONGEST_BEGINNING = 'https://'.length;
const BEHIND = /[\s<>"]/;
const STEP_CHARS = 32 * 1024;
/** Trailing punctuation and closing brackets are not part of a link. */
const AFTER = /[.,;:!?'\])}]+$/;

export function* redirectingTextLinks(text: string, redirect: Redirect): SlicedWork<string> {
  let changed = '';
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    // A link that begins at the end of a step is still found.
    const begun = BEGINNING.exec(text.slice(at, at + STEP_CHARS + LONGEST_BEGINNING - 1));
    yield;
    if (begun === null) {
      at += STEP_CHARS;
      continue;
    }
    const start = at + begun.index;
    const end = yield* endOfLink(text, start + begun[0].length);
    const found = text.slice(start, end);
    at = end;
    const url = found === begun[0] ? found : withoutEnd(found);
    const instead = url !== begun[0] && isWebAddress(url) ? redirect(url) : null;
    if (instead === null) continue;
    changed += text.slice(copied, start) + instead;
    copied = start + url.length;
  }
  return copied === 0 ? text : changed + text.slice(copied);
}

function* endOfLink(text: string, from: number): SlicedWork<number> {
  for (let at = from; at < text.length; at += STEP_CHARS) {
    const found = text.slice(at, at + STEP_CHARS).search(BEHIND);
    if (found !== -1) return at + found;
    yield;
  }
  return text.length;
}

/** A closing bracket belongs to the link if it was opened within. */
function withoutEnd(found: string): string {
  const end = AFTER.exec(found.slice(-20))?.[0] ?? '';
  const url = found.slice(0, found.length - end.length);
  const closing = /^[)\]}]/.exec(end)?.[0];
  const opening = closing && '([{'[')]}'.indexOf(closing)];
  return opening !== undefined && url.includes(opening) ? url + closing : url;
}
