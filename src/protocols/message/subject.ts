/** What may be a subject: one line that shows something. */
import { findUnwritable, oneLine } from './unsafe-text.ts';

const MAX_ANSWER_CHARS = 900;
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

/** Of an answer: with one `Re:`, in whatever languages the subject has had some before. */
export function answerSubject(subject: string): string {
  const bare = oneLine(subject).replace(
    /^(?:(?:re|aw|antw|sv|vs|odp|res|ynt|rif|回复|答复)\s*(?:\[\d+\])?\s*[::]\s*)+/iu,
    '',
  );
  return `Re: ${bare}`.trim().slice(0, MAX_ANSWER_CHARS).toWellFormed();
}
