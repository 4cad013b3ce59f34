import { Type } from 'typebox';
import { canonicalLocale, MAX_LOCALE_CHARS } from '../runtime/locale.ts';
import { parseDay, parseMoment } from '../runtime/timestamp.ts';
import { checked } from './schema.ts';

/** Date filters of lists: a moment or a whole day. */
export function dateField(description: string) {
  return checked(Type.String({ maxLength: 40, description }), (text, problems) => {
    if (parseDay(text) === null && parseMoment(text) === null)
      problems.add(
        '',
        'must be an ISO 8601 date or date and time, such as 2027-01-31 or 2027-01-31T08:00:00Z',
      );
  });
}

/** Converts text that `dateField` has validated; of a day, its beginning or end. */
export function momentOfDate(text: string, end: 'firstMs' | 'lastMs'): number {
  return parseDay(text)?.[end] ?? (parseMoment(text) as number);
}

const LONGEST = 40;

/** A date and time in a request, in ISO 8601. */
export function momentField(options: { readonly description: string; readonly examples?: string[] }) {
  return checked(Type.String({ maxLength: LONGEST, ...options }), (text, problems) => {
    if (parseMoment(text) === null)
      problems.add('', 'must be an ISO 8601 date and time, such as 2026-11-16T09:00:00Z');
  });
}

/** Converts text that the schema has validated. */
export function momentMs(text: string): number {
  return parseMoment(text) as number;
}

/** A language tag in a request. */
export function localeField(description: string) {
  return checked(
    Type.String({ minLength: 2, maxLength: MAX_LOCALE_CHARS, description, examples: ['pt-BR'] }),
    (text, problems) => {
      if (canonicalLocale(text) === null) problems.add('', 'must be a BCP 47 language tag such as pt-BR');
    },
  );
}
