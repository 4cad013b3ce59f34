import { describe, expect, it } from 'vitest';
import { parseRetryHint } from './judge.ts';

describe('parseRetryHint', () => {
  it.each([
    ['4.7.1 Try again in 300 seconds', 300],
    ['please try again in 5 minutes', 300],
    ['Greylisted for 60 seconds (see http://example.net)', 60],
    ['retry after 30s', 30],
    ['Please retry in 1 hour', 3600],
    ['Greylisting in effect, please come back in 00:04:59', 299],
    ['you may in 10 min. retry', null],
    ['wait 2 mins', 120],
    ['in 90 seconds you may try again', 90],
    ['try again in 999999 hours', 14_400],
  ])('reads %j as %j', (text, seconds) => {
    expect(parseRetryHint(text)).toBe(seconds);
  });

  it.each(['try again later', 'quota 300 MB', 'try again in 0 seconds', 'error 450 after 3 recipients', ''])(
    'finds no hint in %j',
    (text) => {
      expect(parseRetryHint(text)).toBeNull();
    },
  );
});
