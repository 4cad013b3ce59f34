/**
 * Characters that are not allowed in headers, envelopes and addresses: controls, which end or hide lines;
 * invisible ones (zero-width, bidi and other default-ignorable code points); and invalid ones (half a
 * surrogate pair).
 */
import type { Branded } from '../../runtime/branded.ts';

/** One line of text for a header, without line breaks. */
export type HeaderText = Branded<'HeaderText'>;

export type UnsafeText = {
  readonly kind: 'control_character' | 'invisible_character' | 'invalid_unicode';
  /** The code point as `U+000A`, so that messages can name invisible characters. */
  readonly codePoint: string;
};

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
/** Zl and Zp are line breaks in some renderers, so they count as controls. */
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

/** A line break in a header would begin another field. */
export function oneLine(text: string): HeaderText {
  return text.replace(CONTROLS, ' ').trim() as HeaderText;
}

/**
 * Everything that `findUnwritable` finds, and invisible characters: for names that people compare visually.
 */
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
