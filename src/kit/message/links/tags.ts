/**
 * Where the tags of html begin and end, and what their attributes are, exactly as a browser's tokenizer sees it (WHATWG
 * HTML 13.2.5). Whoever changes html has to be exact. Every step goes on where the one before ended, and the first thing
 * that is never closed ends the walk, so that no html takes longer than its length.
 */

export interface BeginTag {
  /** Lower case. */
  readonly name: string;
  readonly attributes: readonly TagAttribute[];
}

export interface TagAttribute {
  /** As it is written. */
  readonly name: string;
  /** Where its value is, without quotes; the same place twice where it has none. */
  readonly start: number;
  readonly end: number;
}

/** What is in these is text, whatever it looks like. */
const RAW_TEXT = /^(?:script|style|title|textarea|xmp|iframe|noembed|noframes)$/;
const COMMENT = '<!--';
const TAB = 0x09;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;

/** The beginning tags whose name is wanted, in their order; not those in comments, so neither what only Outlook shows. */
export function* tagsNamed(html: string, wanted: RegExp): Generator<BeginTag> {
  let at = html.indexOf('<');
  while (at !== -1) {
    const letterAt = html.charCodeAt(at + 1) === SLASH ? at + 2 : at + 1;
    let end: number | null;
    if (isLetter(html.charCodeAt(letterAt))) {
      const nameEnd = endOfName(html, letterAt);
      const isEnding = letterAt === at + 2;
      const name = isEnding ? '' : html.slice(letterAt, nameEnd).toLowerCase();
      const attributes: TagAttribute[] | null = wanted.test(name) ? [] : null;
      end = endOfTag(html, nameEnd, attributes);
      if (end !== null && attributes !== null) yield { name, attributes };
      if (end !== null && name === 'plaintext') end = null;
      if (end !== null && RAW_TEXT.test(name)) end = endOfRawText(html, name, end);
    } else end = endOfOther(html, at, letterAt);
    if (end === null) return;
    at = html.indexOf('<', end);
  }
}

/** Behind what is no tag: a comment, a declaration, a bracket that begins nothing. Null where it never ends. */
function endOfOther(html: string, at: number, letterAt: number): number | null {
  if (html.startsWith(COMMENT, at)) return after(html, '-->', at + 2);
  const next = html[at + 1];
  const isBogus = next === '!' || next === '?' || letterAt === at + 2;
  return isBogus ? after(html, '>', letterAt) : at + 1;
}

function after(html: string, mark: string, from: number): number | null {
  const at = html.indexOf(mark, from);
  return at === -1 ? null : at + mark.length;
}

function endOfName(html: string, from: number): number {
  let at = from;
  while (at < html.length && !endsName(html.charCodeAt(at))) at += 1;
  return at;
}

/** Behind its `>`; null where there is none. Notes its attributes where they are wanted. */
function endOfTag(html: string, from: number, into: TagAttribute[] | null): number | null {
  let at = from;
  while (at < html.length) {
    const code = html.charCodeAt(at);
    if (code === GREATER) return at + 1;
    if (code === SLASH || isSpace(code)) at += 1;
    else at = endOfAttribute(html, at, into);
  }
  return null;
}

/** Behind the attribute that begins here; the end of the html where its value has none. */
function endOfAttribute(html: string, from: number, into: TagAttribute[] | null): number {
  // An equals sign that begins a name is part of it.
  let at = from + 1;
  while (at < html.length && html.charCodeAt(at) !== EQUALS && !endsName(html.charCodeAt(at))) at += 1;
  const nameEnd = at;
  const equalsAt = behindSpace(html, at);
  if (html.charCodeAt(equalsAt) !== EQUALS) {
    into?.push({ name: html.slice(from, nameEnd), start: nameEnd, end: nameEnd });
    return nameEnd;
  }
  const valueAt = behindSpace(html, equalsAt + 1);
  const quote = html.charCodeAt(valueAt);
  const isQuoted = quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE;
  const start = isQuoted ? valueAt + 1 : valueAt;
  const end = isQuoted ? html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", start) : endOfUnquoted(html, start);
  if (end === -1) return html.length;
  into?.push({ name: html.slice(from, nameEnd), start, end });
  return isQuoted ? end + 1 : end;
}

function endOfUnquoted(html: string, from: number): number {
  let at = from;
  while (at < html.length && html.charCodeAt(at) !== GREATER && !isSpace(html.charCodeAt(at))) at += 1;
  return at;
}

function behindSpace(html: string, from: number): number {
  let at = from;
  while (at < html.length && isSpace(html.charCodeAt(at))) at += 1;
  return at;
}

function endOfRawText(html: string, name: string, from: number): number | null {
  let at = from;
  for (;;) {
    at = html.indexOf('</', at);
    if (at === -1) return null;
    const nameEnd = at + 2 + name.length;
    if (html.slice(at + 2, nameEnd).toLowerCase() === name && endsName(html.charCodeAt(nameEnd)))
      return endOfTag(html, nameEnd, null);
    at += 2;
  }
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function isSpace(code: number): boolean {
  return code === SPACE || (code >= TAB && code <= 0x0d && code !== 0x0b);
}

function endsName(code: number): boolean {
  return code === GREATER || code === SLASH || isSpace(code);
}
