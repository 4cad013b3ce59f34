/**
 * The smallest parts of a text that are replaced as a whole: a character, an entity, white space, a line break, an
 * expression. Each shows what readers see, and knows its place in the source.
 */
import { scanTags } from '../../../../../src/template-language/scan.ts';
import { type Range, readTokens, type TagToken, type TextToken } from './tokens.ts';

export interface Atom extends Range {
  readonly shown: string;
}

export interface LineBreak extends Range {
  readonly kind: 'break';
}

export type Leaf = TextToken | TagToken | LineBreak;

/** The text between two tags. */
export interface TextKind {
  readonly is: 'text';
  /** In `<pre>` white space and line ends are kept. */
  readonly isPreformatted: boolean;
  /** White space at the start and the end is not displayed. */
  readonly trimStart: boolean;
  readonly trimEnd: boolean;
  /** How the source writes line breaks, such as `<br/>`. */
  readonly lineBreak: string;
}

/** Would be invisible in a field, end it, or begin an expression: white space, zero-width characters, braces, backslashes. */
const SHOWN_AS_WRITTEN = /^[\s\p{C}{}\\]*$/u;
const NO_BREAK_SPACE = '\u00a0';
const ENTITY = /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/gi;

export function textAtoms(source: string, leaves: readonly Leaf[], kind: TextKind): Atom[] {
  const atoms = leaves.flatMap((leaf) => atomsOf(source, leaf));
  return kind.isPreformatted ? atoms : trimmed(collapsed(atoms, source), kind);
}

export function shownIn(atoms: readonly Atom[]): string {
  return atoms.map(({ shown }) => shown).join('');
}

/** Null for a text with elements besides line breaks. */
export function atomsOfText(text: string, kind: TextKind): Atom[] | null {
  const leaves = readTokens(text)?.tokens.map((token) => {
    if (token.kind === 'text' || token.kind === 'template') return token;
    return token.kind === 'open' && token.name === 'br' ? ({ ...token, kind: 'break' } as const) : null;
  });
  return leaves?.every((leaf) => leaf !== null) ? textAtoms(text, leaves, kind) : null;
}

/** Of an attribute: one line, in which entities end with a semicolon. */
export function valueAtoms(source: string, { start, end }: Range): Atom[] {
  const value = source.slice(start, end);
  return splitAtTags(value)
    .flatMap((part) =>
      part.isTag
        ? [{ ...part, shown: value.slice(part.start, part.end) }]
        : charactersAndEntities(value, part),
    )
    .map((atom) => ({
      start: atom.start + start,
      end: atom.end + start,
      shown: atom.shown.replace(/[\r\n\t]/g, ' '),
    }));
}

/** The same text without the places of its parts. */
export function shownInValue(source: string, range: Range): string {
  const value = source.slice(range.start, range.end);
  return value.includes('&') ? shownIn(valueAtoms(source, range)) : value.replace(/\r\n|[\r\n\t]/g, ' ');
}

interface Part extends Range {
  readonly isTag: boolean;
}

/** The Handlebars tags of a text, and what stands between them. */
export function splitAtTags(text: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const { start, end, isBroken } of scanTags(text).tags) {
    if (isBroken) continue;
    if (start > at) parts.push({ start: at, end: start, isTag: false });
    parts.push({ start, end, isTag: true });
    at = end;
  }
  if (at < text.length) parts.push({ start: at, end: text.length, isTag: false });
  return parts;
}

/** The character that readers see in place of an entity; the entity where the character cannot be typed. */
export function shownOf(entity: string, character: string): string {
  return character !== NO_BREAK_SPACE && SHOWN_AS_WRITTEN.test(character) ? entity : character;
}

/** What an entity stands for; null for an unknown one. */
export function decoded(entity: string): string | null {
  const tokens = readTokens(entity)?.tokens ?? [];
  const [token] = tokens;
  return tokens.length === 1 && token?.kind === 'text' && token.isEntity ? token.shown : null;
}

function atomsOf(source: string, leaf: Leaf): Atom[] {
  const { start, end } = leaf;
  const text = source.slice(start, end);
  if (leaf.kind === 'break') return [{ start, end, shown: '\n' }];
  // A text area shows every line end as one character.
  if (leaf.kind === 'template') return [{ start, end, shown: text.replace(/\r\n?/g, '\n') }];
  if (leaf.isEntity) return [{ start, end, shown: shownOf(text, leaf.shown) }];
  return characters(text, start);
}

function characters(text: string, start: number): Atom[] {
  const atoms: Atom[] = [];
  let at = start;
  for (const [character] of text.matchAll(/\r\n|./gsu)) {
    atoms.push({ start: at, end: at + character.length, shown: /[\r\n]/.test(character) ? '\n' : character });
    at += character.length;
  }
  return atoms;
}

function charactersAndEntities(value: string, { start, end }: Range): Atom[] {
  const lists: Atom[][] = [];
  const text = value.slice(start, end);
  let at = 0;
  for (const found of text.matchAll(ENTITY)) {
    const [entity] = found;
    const character = decoded(entity);
    if (character === null) continue;
    const place = start + found.index;
    lists.push(characters(text.slice(at, found.index), start + at));
    lists.push([{ start: place, end: place + entity.length, shown: shownOf(entity, character) }]);
    at = found.index + entity.length;
  }
  lists.push(characters(text.slice(at), start + at));
  return lists.flat();
}

/** White space is one space, and none beside a line break. */
function collapsed(atoms: readonly Atom[], source: string): Atom[] {
  const shown: Atom[] = [];
  for (const atom of atoms) {
    const last = shown.at(-1);
    const isSpace = isWhiteSpace(source, atom);
    const isBreak = !isSpace && atom.shown === '\n';
    if (last && isSpace && (last.shown === '\n' || last.shown === ' '))
      shown[shown.length - 1] = { ...last, end: atom.end };
    else if (last && isBreak && last.shown === ' ')
      shown[shown.length - 1] = { start: last.start, end: atom.end, shown: '\n' };
    else shown.push(isSpace ? { ...atom, shown: ' ' } : atom);
  }
  return shown;
}

function isWhiteSpace(source: string, { start, end }: Range): boolean {
  return /^[ \t\r\n\f]+$/.test(source.slice(start, end));
}

function trimmed(atoms: Atom[], { trimStart, trimEnd }: TextKind): Atom[] {
  const from = trimStart && atoms[0]?.shown === ' ' ? 1 : 0;
  const to = trimEnd && atoms.length > from && atoms.at(-1)?.shown === ' ' ? -1 : atoms.length;
  return atoms.slice(from, to);
}
