/** Validates subjects: one line with visible text. */
import { findUnwritable, oneLine } from './unsafe-text.ts';

const MAX_ANSWER_CHARS = 900;
const SHOWS_NOTHING = /^[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]*$/u;

/** Whether the text is empty, or consists of blanks and invisible characters. */
export function isBlank(text: string): boolean {
  return SHOWS_NOTHING.test(text);
}

/** The problem of a subject to be stored, or null. An empty subject is checked elsewhere. */
export function subjectProblem(text: string): string | null {
  const unsafe = findUnwritable(text);
  if (unsafe) return `must not contain control characters (${unsafe.codePoint})`;
  return text !== '' && isBlank(text) ? 'must not be blank' : null;
}

/** The subject of a reply: a single `Re:`, replacing earlier prefixes in other languages. */
export function answerSubject(subject: string): string {
  const bare = oneLine(subject).replace(
    /^(?:(?:re|aw|antw|sv|vs|odp|res|ynt|rif|回复|答复|回覆|答覆|返信|回信|답장|회신|vá|απ|σχετ|השב|رد|trả lời)\s*(?:\[\d+\])?\s*[:\uff1a]\s*)+/iu,
    '',
  );
  return `Re: ${bare}`.trim().slice(0, MAX_ANSWER_CHARS).toWellFormed();
}
