/**
 * Where the tags of html begin and end, and what their attributes are, exactly as a browser's tokenizer sees it (WHATWG
 * HTML 13.2.5). Whoever changes html has to be exact. Every step goes on where the one before ended, and the first thing
 * that is never closed ends the walk, so that no html takes longer than its length.
 */
import type { SlicedWork } from '../../../runtime/sliced-work.ts';
import { searching } from './long-search.ts';
import { type BeginTag, endsName, isLetter, TagReader, type WantedTags } from './tag-reader.ts';

/** What is in these is text, whatever it looks like. */
const RAW_TEXT = /^(?:script|style|title|textarea|xmp|iframe|noembed|noframes)$/;
const COMMENT = '<!--';
const EXCLAMATION = 0x21;
const SLASH = 0x2f;
const QUESTION = 0x3f;
const STEP_CHARS = 32 * 1024;

/**
 * The beginning tags that are wanted, in their order; not those in comments, so neither what only Outlook shows. A null
 * between them is a pause, for callers whose html may be long.
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

/** Behind what is no tag: a comment, a declaration, a bracket that begins nothing. Null where it never ends. */
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
