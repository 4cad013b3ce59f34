/**
 * Times in plain English, which Resend accepts besides ISO 8601: `in 5 minutes`, `tomorrow at 9am`, `friday
 * at 14:30`.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../runtime/durations.ts';

const UNITS = new Map([
  ['s', 1_000],
  ['sec', 1_000],
  ['second', 1_000],
  ['m', MINUTE_MS],
  ['min', MINUTE_MS],
  ['minute', MINUTE_MS],
  ['h', HOUR_MS],
  ['hr', HOUR_MS],
  ['hour', HOUR_MS],
  ['d', DAY_MS],
  ['day', DAY_MS],
  ['week', 7 * DAY_MS],
]);
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const MAX_CHARS = 100;
const FROM_NOW = /^in (an?|\d{1,5}) ?([a-z]+?)s?$/;
const ON_A_DAY = /^(?:on )?(?:next )?([a-z]+)(?:,? at (\d{1,2})(?::(\d{2}))? ?(am|pm)?)?(?: (?:utc|gmt))?$/;

/** Null for other formats. Times are UTC; a day without a time means the current time of day. */
export function momentOfWords(words: string, nowMs: number): number | null {
  if (words.length > MAX_CHARS) return null;
  const text = words.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const [, amount, unit = ''] = FROM_NOW.exec(text) ?? [];
  if (amount !== undefined) {
    const unitMs = UNITS.get(unit);
    return unitMs === undefined ? null : nowMs + (amount.startsWith('a') ? 1 : Number(amount)) * unitMs;
  }
  const [, day, hour, minute = '0', half] = ON_A_DAY.exec(text) ?? [];
  const days = day === undefined ? null : daysUntil(day, nowMs);
  if (days === null) return null;
  if (hour === undefined) return nowMs + days * DAY_MS;
  const timeMs = timeOfDay(Number(hour), Number(minute), half);
  return timeMs === null ? null : (Math.floor(nowMs / DAY_MS) + days) * DAY_MS + timeMs;
}

/** A weekday means its next occurrence, never today. */
function daysUntil(day: string, nowMs: number): number | null {
  if (day === 'today') return 0;
  if (day === 'tomorrow') return 1;
  const wanted = WEEKDAYS.indexOf(day);
  return wanted < 0 ? null : ((wanted - new Date(nowMs).getUTCDay() + 6) % 7) + 1;
}

function timeOfDay(hour: number, minute: number, half: string | undefined): number | null {
  const isHalf = half !== undefined;
  if (minute > 59 || (isHalf ? hour < 1 || hour > 12 : hour > 23)) return null;
  const hours = isHalf ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour;
  return hours * HOUR_MS + minute * MINUTE_MS;
}
