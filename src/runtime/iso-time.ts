/** ISO 8601 as people write it in requests: a date, or a date and time. Without an offset it is UTC. */

export interface IsoTime {
  /** For a bare date: its first millisecond. */
  readonly ms: number;
  readonly isDate: boolean;
}

export const DAY_MS = 86_400_000;

const FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/** Undefined for anything else, and for days and hours that do not exist. */
export function parseIsoTime(text: string): IsoTime | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '', offset] = match;
  const dayMs = existingDay(Number(year), Number(month), Number(day));
  if (dayMs === undefined) return undefined;
  if (hour === undefined) return { ms: dayMs, isDate: true };
  const offsetMs = parseOffset(offset);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59 || offsetMs === undefined) {
    return undefined;
  }
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const millis = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return { ms: dayMs + seconds * 1000 + millis - offsetMs, isDate: false };
}

/** `Date.UTC` rolls 30 February over into March; that is a mistake of the writer, not a date. */
function existingDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

function parseOffset(offset: string | undefined): number | undefined {
  if (offset === undefined || offset === 'Z' || offset === 'z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(-2));
  if (hours > 23 || minutes > 59) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
