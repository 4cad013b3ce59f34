/** Formats dates: `formatDate placed_at "D MMMM YYYY, HH:mm"`. Month and day names are English. */
import { MINUTE_MS } from '../runtime/durations.ts';
import { parseDay, parseMoment } from '../runtime/timestamp.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const TOKENS = /\[[^\]]*\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|hh|h|mm|m|ss|s|A|a|ZZ|Z/g;
const OFFSET = /^(?:Z|([+-])(\d{2}):?(\d{2}))$/;
/** Smaller numbers are seconds since 1970, larger ones milliseconds. */
const FIRST_MILLISECONDS = 1e11;
const LATEST_MS = 8.64e15;

/** Null for an invalid date or offset. */
export function formatDate(value: unknown, format: string, offset: string): string | null {
  const ms = momentOf(value);
  const minutes = offsetMinutes(offset);
  if (ms === null || minutes === null) return null;
  const date = new Date(ms + minutes * MINUTE_MS);
  if (Number.isNaN(date.getTime())) return null;
  return format.replace(TOKENS, (token) => replacement(token, date, minutes));
}

/** Parses a date given as ISO 8601 text, or as seconds or milliseconds since 1970. */
export function momentOf(value: unknown): number | null {
  if (typeof value === 'string') return parseMoment(value) ?? parseDay(value)?.firstMs ?? null;
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  const ms = Math.abs(value) < FIRST_MILLISECONDS ? value * 1000 : value;
  return Math.abs(ms) <= LATEST_MS ? ms : null;
}

export function offsetMinutes(offset: string): number | null {
  const found = OFFSET.exec(offset);
  if (!found) return null;
  const [, sign, hours = '0', minutes = '0'] = found;
  const total = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -total : total;
}

function replacement(token: string, date: Date, offset: number): string {
  const hour = date.getUTCHours();
  switch (token) {
    case 'YYYY':
      return String(date.getUTCFullYear()).padStart(4, '0');
    case 'YY':
      return two(date.getUTCFullYear() % 100);
    case 'MMMM':
      return MONTHS[date.getUTCMonth()] as string;
    case 'MMM':
      return (MONTHS[date.getUTCMonth()] as string).slice(0, 3);
    case 'dddd':
      return DAYS[date.getUTCDay()] as string;
    case 'ddd':
      return (DAYS[date.getUTCDay()] as string).slice(0, 3);
    case 'A':
      return hour < 12 ? 'AM' : 'PM';
    case 'a':
      return hour < 12 ? 'am' : 'pm';
    case 'Z':
      return zone(offset, ':');
    case 'ZZ':
      return zone(offset, '');
    default:
      return token.startsWith('[') ? token.slice(1, -1) : padded(token, numberFor(token, date, hour));
  }
}

function numberFor(token: string, date: Date, hour: number): number {
  switch (token[0]) {
    case 'M':
      return date.getUTCMonth() + 1;
    case 'D':
      return date.getUTCDate();
    case 'H':
      return hour;
    case 'h':
      return hour % 12 === 0 ? 12 : hour % 12;
    case 'm':
      return date.getUTCMinutes();
    default:
      return date.getUTCSeconds();
  }
}

function padded(token: string, value: number): string {
  return token.length === 2 ? two(value) : String(value);
}

function zone(offset: number, separator: string): string {
  const size = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${separator}${two(size % 60)}`;
}

function two(value: number): string {
  return String(Math.abs(value)).padStart(2, '0');
}
