import { describe, expect, it } from 'vitest';
import { momentOfWords } from './send-body.ts';

/** A Monday. */
const NOW = Date.parse('2026-11-16T10:20:30Z');

describe('a moment in plain English', () => {
  it.each([
    ['in 1 min', '2026-11-16T10:21:30Z'],
    ['in 5 minutes', '2026-11-16T10:25:30Z'],
    ['In 90 Seconds', '2026-11-16T10:22:00Z'],
    ['in an hour', '2026-11-16T11:20:30Z'],
    ['in 2h', '2026-11-16T12:20:30Z'],
    ['in 3 days', '2026-11-19T10:20:30Z'],
    ['in  a week', '2026-11-23T10:20:30Z'],
    ['tomorrow', '2026-11-17T10:20:30Z'],
    ['tomorrow at 9am', '2026-11-17T09:00:00Z'],
    ['tomorrow at 12am', '2026-11-17T00:00:00Z'],
    ['today at 12:45 pm', '2026-11-16T12:45:00Z'],
    ['friday at 14:30', '2026-11-20T14:30:00Z'],
    ['next Monday at 8 am UTC', '2026-11-23T08:00:00Z'],
    ['next tuesday', '2026-11-17T10:20:30Z'],
    ['sunday', '2026-11-22T10:20:30Z'],
  ])('is read: %s', (words, moment) => {
    expect(momentOfWords(words, NOW)).toBe(Date.parse(moment));
  });

  it.each([
    '',
    'soon',
    'in a while',
    'in 5 parsecs',
    'in 5 constructor',
    'in -1 min',
    'tomorrow at 25:00',
    'tomorrow at 13pm',
    'tomorrow at 9:75',
    'friday at 3pm ET',
    '2026-11-16T10:20:30Z',
  ])('is none: %s', (words) => {
    expect(momentOfWords(words, NOW)).toBeNull();
  });
});
