/** Servers that defer mail often say for how long, but there is no standard wording. */

const LONGEST_HINT_SECONDS = 4 * 3600;

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600 };
const AMOUNT = String.raw`(\d{1,6})\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\b`;
const AFTER_ASKING = new RegExp(
  String.raw`(?:try (?:it )?again|retry|come back|re-?send|wait|list(?:ed|ing)?)\b[^.;]{0,40}?\b${AMOUNT}`,
  'i',
);
const BEFORE_ASKING = new RegExp(String.raw`\b(?:in|after|for)\s+${AMOUNT}[^.;]{0,30}(?:try|retry)`, 'i');
const AS_CLOCK =
  /(?:try again|retry|come back|wait|list(?:ed|ing)?)\b[^.;]{0,40}?\b(\d{1,2}):(\d{2}):(\d{2})\b/i;

/** The wait that the server's reply names, in seconds; null where it names none. */
export function parseRetryHint(text: string): number | null {
  const seconds = amountIn(text) ?? clockIn(text);
  if (seconds === null || seconds <= 0) return null;
  return Math.min(seconds, LONGEST_HINT_SECONDS);
}

function amountIn(text: string): number | null {
  const match = AFTER_ASKING.exec(text) ?? BEFORE_ASKING.exec(text);
  if (match === null) return null;
  const unit = (match[2] ?? '').charAt(0).toLowerCase();
  return Number(match[1]) * (UNIT_SECONDS[unit] ?? 0);
}

function clockIn(text: string): number | null {
  const match = AS_CLOCK.exec(text);
  if (match === null) return null;
  return Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]);
}
