/**
 * A stretch of the source that people edit as plain text: the text between two tags, or the value of an attribute.
 * Changing it replaces only the characters that differ, so entities, expressions and line ends around them stay.
 */
import {
  type Atom,
  atomsOfText,
  decoded,
  shownIn,
  shownOf,
  splitAtTags,
  type TextKind,
  valueAtoms,
} from './atoms.ts';
import type { Range } from './tokens.ts';

/** The value of an attribute. */
export interface ValueKind {
  readonly is: 'value';
  /** Empty for a value without quotes. */
  readonly quote: '"' | "'" | '';
  /** Stands before the value: the name of an attribute that is not there yet, or only `=`. */
  readonly prefix: string;
}

export interface Field extends Range {
  /** Unique among the fields of one source. */
  readonly key: string;
  readonly label: string;
  readonly shown: string;
  readonly atoms: readonly Atom[];
  readonly kind: TextKind | ValueKind;
}

export interface Splice extends Range {
  readonly text: string;
}

export function withSplices(source: string, splices: readonly Splice[]): string {
  let text = '';
  let at = 0;
  for (const splice of [...splices].sort((a, b) => a.start - b.start || a.end - b.end)) {
    text += source.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return text + source.slice(at);
}

/** Null where nothing changes. */
export function spliceOf(field: Field, typed: string, source: string): Splice | null {
  const wanted = canonical(typed, field.kind);
  if (wanted === field.shown) return null;
  const { start, end, kind } = field;
  const whole = { start, end, text: wholeSource(wanted, field, source) };
  if (kind.is === 'value' && kind.quote === '') return whole;
  const part = changedPart(field, wanted, source);
  const result = source.slice(start, part.start) + part.text + source.slice(part.end, end);
  return shownAgain(result, kind) === wanted ? part : whole;
}

/** A typed text as it is displayed after it was saved. */
export function canonical(typed: string, kind: Field['kind']): string {
  const text = typed.replace(/\r\n?/g, '\n');
  if (kind.is === 'value') return text.replace(/[\n\t]/g, ' ');
  if (kind.isPreformatted) return text;
  const parts = splitAtTags(text).map(({ start, end, isTag }) => {
    const part = text.slice(start, end);
    return isTag ? part : part.replace(/[ \t\f]+/g, ' ').replace(/ ?\n ?/g, '\n');
  });
  const first = kind.trimStart ? 0 : -1;
  const last = kind.trimEnd ? parts.length - 1 : -1;
  return parts
    .map((part, at) => {
      const begun = at === first ? part.replace(/^ /, '') : part;
      return at === last ? begun.replace(/ $/, '') : begun;
    })
    .join('');
}

function shownAgain(source: string, kind: Field['kind']): string | null {
  const atoms =
    kind.is === 'value' ? valueAtoms(source, { start: 0, end: source.length }) : atomsOfText(source, kind);
  return atoms === null ? null : shownIn(atoms);
}

/** Without the start and the end that stay. What stays are whole atoms, and no part of a typed expression. */
function changedPart({ atoms, shown, end, kind }: Field, wanted: string, source: string): Splice {
  const tags = splitAtTags(wanted).filter(({ isTag }) => isTag);
  const isCut = (at: number) => tags.some((tag) => tag.start < at && at < tag.end);
  const lengths = atoms.map((atom) => atom.shown.length);
  const alike = Math.min(shown.length, wanted.length);
  const head = keptAtoms(lengths, commonStart(shown, wanted, alike), isCut);
  const left = lengths.slice(head.count).reverse();
  const tail = keptAtoms(left, commonEnd(shown, wanted, alike - head.length), (length) =>
    isCut(wanted.length - length),
  );
  const changed = atoms.slice(head.count, atoms.length - tail.count);
  const from = atoms[head.count]?.start ?? end;
  const range = { start: from, end: changed.at(-1)?.end ?? from };
  const middle = wanted.slice(head.length, wanted.length - tail.length);
  return { ...range, text: encoded(middle, kind, source, range) };
}

function commonStart(a: string, b: string, most: number): number {
  let length = 0;
  while (length < most && a[length] === b[length]) length += 1;
  return length;
}

function commonEnd(a: string, b: string, most: number): number {
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length += 1;
  return length;
}

/** The most atoms that are at most `alike` long, and end where nothing is cut. */
function keptAtoms(lengths: readonly number[], alike: number, isCut: (length: number) => boolean) {
  let kept = { count: 0, length: 0 };
  let length = 0;
  for (const [at, own] of lengths.entries()) {
    length += own;
    if (length > alike) break;
    if (!isCut(length)) kept = { count: at + 1, length };
  }
  return kept;
}

function wholeSource(wanted: string, { start, end, kind }: Field, source: string): string {
  const text = encoded(wanted, kind, source, { start, end });
  return kind.is === 'value' && kind.quote === '' ? `${kind.prefix}"${text}"` : text;
}

function encoded(text: string, kind: Field['kind'], source: string, { start, end }: Range): string {
  const parts = splitAtTags(text).map((part) => {
    const written = text.slice(part.start, part.end);
    return part.isTag ? written : encodedText(written, kind);
  });
  return besideTags(parts.join(''), source.slice(0, start).slice(-2), source.slice(end, end + 2));
}

/** Entities that a field shows as they are written may be typed, too. */
function encodedText(text: string, kind: Field['kind']): string {
  const escaped = text
    .replace(/&(?:#\w+|\w+);|&/g, (found) => (isShownAsWritten(found) ? found : `&amp;${found.slice(1)}`))
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\u00a0', '&nbsp;');
  if (kind.is === 'value')
    return kind.quote === "'" ? escaped.replaceAll("'", '&#39;') : escaped.replaceAll('"', '&quot;');
  return kind.isPreformatted ? escaped : escaped.replaceAll('\n', kind.lineBreak);
}

function isShownAsWritten(entity: string): boolean {
  const character = decoded(entity);
  return character !== null && shownOf(entity, character) === entity;
}

/** A brace or a backslash beside an expression would become a part of it. */
function besideTags(text: string, before: string, after: string): string {
  let safe = text;
  if (before.endsWith('}}')) safe = safe.replace(/^\}/, '&#125;');
  if (after.startsWith('{{')) safe = safe.replace(/\{$/, '&#123;').replace(/\\$/, '&#92;');
  return safe;
}
