/** Parses timestamps strictly as ISO 8601, in UTC when no offset is given. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

/** A date and time in milliseconds, or null when the text is not one. */
export function parseMoment(text: string): number | null {
  const match = DATE_TIME.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second = '0', fraction = '', zone] = match;
  const dayMs = utcDayMs(Number(year), Number(month), Number(day));
  if (dayMs === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const offsetMinutes = parseOffset(zone);
  if (offsetMinutes === null) return null;
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
  return (
    dayMs + Number(hour) * HOUR_MS + (Number(minute) - offsetMinutes) * MINUTE_MS + Number(second) * 1000 + ms
  );
}

/** The first and last millisecond of a bare date in UTC. */
export function parseDay(text: string): { readonly firstMs: number; readonly lastMs: number } | null {
  const match = DATE.exec(text);
  if (!match) return null;
  const dayMs = utcDayMs(Number(match[1]), Number(match[2]), Number(match[3]));
  return dayMs === null ? null : { firstMs: dayMs, lastMs: dayMs + DAY_MS - 1 };
}

let lastDay = Number.NaN;
let lastDayText = '';

/** `YYYY-MM-DD`. Cached, because it is computed for every email and mostly for the same day. */
export function utcDay(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  if (day !== lastDay) {
    lastDayText = new Date(ms).toISOString().slice(0, 10);
    lastDay = day;
  }
  return lastDayText;
}

export function nextUtcDayMs(ms: number): number {
  return (Math.floor(ms / DAY_MS) + 1) * DAY_MS;
}

/** Date.UTC would turn 31 February into March; nonexistent dates are refused. */
function utcDayMs(year: number, month: number, day: number): number | null {
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  const exists =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? ms : null;
}

function parseOffset(zone: string | undefined): number | null {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
