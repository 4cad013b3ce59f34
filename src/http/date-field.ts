/** Date filters of lists: a moment or a whole day. */
import { Type } from 'typebox';
import { parseDay, parseMoment } from '../runtime/moment.ts';
import { checked } from './schema.ts';

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
