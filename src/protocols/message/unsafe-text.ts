/**
 * Characters that have no business in a header, an envelope or an address: what ends or hides lines (controls),
 * what a reader cannot see (zero-width, bidi and other default-ignorable code points) and what is not text at
 * all (half a surrogate pair).
 */
import type { Branded } from '../../runtime/branded.ts';

/** One line of text, fit for a header: nothing in it ends the line. */
export type HeaderText = Branded<'HeaderText'>;

export type UnsafeText = {
  readonly kind: 'control_character' | 'invisible_character' | 'invalid_unicode';
  /** The code point as people write it, `U+000A`, so that a message can name what cannot be shown. */
  readonly codePoint: string;
};

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
/** Zl and Zp are line ends in some renderers, so they count as controls. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const LONE_SURROGATE = /\p{Cs}/u;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;

export function isPrintableAscii(text: string): boolean {
  return PRINTABLE_ASCII.test(text);
}

/** Controls and broken surrogates only: joiners and direction marks are part of ordinary writing. */
export function findUnwritable(text: string): UnsafeText | null {
  if (PRINTABLE_ASCII.test(text)) return null;
  return find(text, CONTROL, 'control_character') ?? find(text, LONE_SURROGATE, 'invalid_unicode');
}

export function isHeaderText(text: string): text is HeaderText {
  return findUnwritable(text) === null;
}

/** A line end in a header would begin another one. */
export function oneLine(text: string): HeaderText {
  return text.replace(CONTROLS, ' ').trim() as HeaderText;
}

/** Everything `findUnwritable` finds, and what cannot be seen: for names that people compare by eye. */
export function findDeceptive(text: string): UnsafeText | null {
  if (PRINTABLE_ASCII.test(text)) return null;
  return findUnwritable(text) ?? find(text, INVISIBLE, 'invisible_character');
}

function find(text: string, pattern: RegExp, kind: UnsafeText['kind']): UnsafeText | null {
  const found = pattern.exec(text);
  if (found === null) return null;
  const hex = (found[0].codePointAt(0) as number).toString(16).toUpperCase();
  return { kind, codePoint: `U+${hex.padStart(4, '0')}` };
}
