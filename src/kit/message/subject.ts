/** What may be a subject: one line that shows something. */
import { findUnwritable } from './unsafe-text.ts';

const SHOWS_NOTHING = /^[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]*$/u;

/** Nothing in it can be seen: it is empty, or blanks and invisible characters only. */
export function isBlank(text: string): boolean {
  return SHOWS_NOTHING.test(text);
}

/** What is wrong with a subject that is to be stored, or null. That it is empty is for others to say. */
export function subjectProblem(text: string): string | null {
  const unsafe = findUnwritable(text);
  if (unsafe) return `must not contain control characters (${unsafe.codePoint})`;
  return text !== '' && isBlank(text) ? 'must not be blank' : null;
}
