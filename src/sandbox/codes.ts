/**
 * Finds the codes in a message that a user is meant to type: sign-in codes, confirmations, coupons. Codes
 * near a word for "code" come first. Pure.
 */
import { convertingHtml } from '../protocols/message/plain-text/text-from-html.ts';
import type { ParsedMessage } from '../protocols/message/reading/parsed-message.ts';
import type { SlicedWork } from '../runtime/sliced-work.ts';

const MAX_CODES = 20;
/** Text beyond this length is not searched. */
const MAX_CHARS = 100_000;

/**
 * Matches an address only at the start of a word: trying every character of `a.a.a.…` would take 64 times as
 * long.
 */
const URL = /\bhttps?:\/\/\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,200}/gi;
/**
 * 123456, 123 456, 123-456, 12-34-56, ABCD-1234, 7H3K9Q; never inside a longer word, an amount, a date or a
 * time.
 */
const CANDIDATE =
  /(?<![\w.,/$€£#+-])(?:\d{3}[ -]\d{3}|\d{2}-\d{2}-\d{2}|\d{4}[ -]\d{4}|\d{4,8}|(?=[A-Z\d-]{0,23}\d)(?=[A-Z\d-]{0,23}[A-Z])(?:[A-Z\d]{3,5}(?:-[A-Z\d]{3,5}){1,3}|[A-Z\d]{5,10}))(?![\w/%€£-]|[.,:]\d| ?(?:EUR|USD|GBP|CHF)\b)/g;
const WORD_FOR_ONE =
  /\b(?:code|codes|pin|otp|tan|passcode|password|token|verif\w*|confirm\w*|einmal\w*|bestätigung\w*|código|codice|coupon|voucher)\b/i;
/** Maximum distance between a code and such a word. */
const NEAR_CHARS = 60;
const YEAR = /^(?:19|20)\d\d$/;
const LONE_DATE = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])$/;

type CodedContent = Pick<ParsedMessage, 'subject' | 'text' | 'html'>;

export function* findingCodes({ subject, text, html }: CodedContent): SlicedWork<string[]> {
  return codesIn(subject, text ?? (yield* convertingHtml((html ?? '').slice(0, MAX_CHARS))));
}

export function codesIn(subject: string, text: string): string[] {
  const near = new Set<string>();
  const others = new Set<string>();
  for (const part of [subject, text.slice(0, MAX_CHARS)]) {
    const readable = part.replace(URL, (link) => ' '.repeat(link.length));
    for (const { 0: found, index } of readable.matchAll(CANDIDATE)) {
      const isNear = isNearAWord(readable, index, found.length);
      if (isNear) near.add(asTyped(found));
      else if (!YEAR.test(found) && !LONE_DATE.test(found)) others.add(asTyped(found));
    }
  }
  return [...near, ...[...others].filter((code) => !near.has(code))].slice(0, MAX_CODES);
}

function isNearAWord(text: string, index: number, length: number): boolean {
  const before = text.slice(Math.max(0, index - NEAR_CHARS), index);
  return (
    WORD_FOR_ONE.test(before) || WORD_FOR_ONE.test(text.slice(index + length, index + length + NEAR_CHARS))
  );
}

/** Spaces and hyphens between digits are only for display; codes with letters are typed as they are. */
function asTyped(found: string): string {
  return /^[\d -]+$/.test(found) ? found.replace(/[ -]/g, '') : found;
}
