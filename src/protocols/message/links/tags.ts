/**
 * Finds the tags of HTML and their attributes exactly as a browser's tokenizer does (WHATWG HTML 13.2.5),
 * because changes to HTML must be exact. Every step continues where the last one ended, and the first
 * unclosed construct ends the walk, so the time is linear in the HTML's length.
 */
import type { SlicedWork } from '../../../runtime/sliced-work.ts';
import { searching } from './long-search.ts';
import { type BeginTag, endsName, isLetter, TagReader, type WantedTags } from './tag-reader.ts';

/** The content of these elements is plain text. */
const RAW_TEXT = /^(?:script|style|title|textarea|xmp|iframe|noembed|noframes)$/;
const COMMENT = '<!--';
const EXCLAMATION = 0x21;
const SLASH = 0x2f;
const QUESTION = 0x3f;
const STEP_CHARS = 32 * 1024;

/**
 * The wanted start tags in order, without those in comments (and so in Outlook's conditional comments).
 * Yields null as a pause, for callers with long HTML.
 */
export function* tagsNamed(html: string, wanted: WantedTags): Generator<BeginTag | null> {
  const reader = new TagReader(html, wanted);
  let pauseAt = STEP_CHARS;
  for (let at = html.indexOf('<'); at !== -1; ) {
    const isEnding = html.charCodeAt(at + 1) === SLASH;
    const letterAt = isEnding ? at + 2 : at + 1;
    let end: number | null;
    if (isLetter(html.charCodeAt(letterAt))) {
      reader.begin(letterAt, isEnding);
      while (!reader.advance(STEP_CHARS)) yield null;
      if (reader.wantedTag !== null) yield reader.wantedTag;
      end = reader.name === 'plaintext' ? null : reader.end;
      if (end !== null && RAW_TEXT.test(reader.name)) end = yield* endOfRawText(html, reader, end);
    } else end = yield* endOfOther(html, at, letterAt);
    if (end === null) return;
    if (end >= pauseAt) {
      yield null;
      pauseAt = end + STEP_CHARS;
    }
    at = html.indexOf('<', end);
  }
}

/** The offset behind a comment, a declaration or a stray bracket. Null when it never ends. */
function* endOfOther(html: string, at: number, letterAt: number): Generator<null, number | null> {
  const next = html.charCodeAt(at + 1);
  const isBogus = next === EXCLAMATION || next === QUESTION || letterAt === at + 2;
  if (!isBogus) return at + 1;
  const isComment = html.startsWith(COMMENT, at);
  return isComment ? yield* after(html, '-->', at + 2) : yield* after(html, '>', letterAt);
}

function* after(html: string, mark: string, from: number): Generator<null, number | null> {
  const at = yield* pausing(searching(html, mark, from));
  return at === -1 ? null : at + mark.length;
}

function* pausing<T>(work: SlicedWork<T>): Generator<null, T> {
  for (;;) {
    const slice = work.next();
    if (slice.done === true) return slice.value;
    yield null;
  }
}

function* endOfRawText(html: string, reader: TagReader, from: number): Generator<null, number | null> {
  const { name } = reader;
  let pauseAt = from + STEP_CHARS;
  for (let at = from; ; at += 2) {
    at = yield* pausing(searching(html, '</', at));
    if (at === -1) return null;
    const nameEnd = at + 2 + name.length;
    if (endsName(html.charCodeAt(nameEnd)) && html.slice(at + 2, nameEnd).toLowerCase() === name) {
      reader.begin(at + 2, true);
      while (!reader.advance(STEP_CHARS)) yield null;
      return reader.end;
    }
    if (at < pauseAt) continue;
    yield null;
    pauseAt = at + STEP_CHARS;
  }
}
