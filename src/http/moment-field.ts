/** A date and time in a request, in ISO 8601. */
import { Type } from 'typebox';
import { parseMoment } from '../runtime/moment.ts';
import { checked } from './schema.ts';

const LONGEST = 40;

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
