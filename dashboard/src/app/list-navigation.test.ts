import { describe, expect, it } from 'vitest';
import { continuesTyping } from './list-navigation.ts';

describe('typing', () => {
  it.each([
    ['more letters', { search: 'ja' }, { search: 'jane' }],
    ['fewer letters', { search: 'jane', status: 'failed' }, { search: 'ja', status: 'failed' }],
  ])('goes on with %s', (_name, before, after) => {
    expect(continuesTyping(before, after)).toBe(true);
  });

  it.each([
    ['the first letters', {}, { search: 'ja' }],
    ['an emptied field', { search: 'ja' }, {}],
    ['another text', { search: 'ja' }, { search: 'bob' }],
    ['another choice', { status: 'failed' }, { status: 'bounced' }],
    ['another page', { search: 'ja', page: 2 }, { search: 'ja', page: 3 }],
    ['two fields at once', { search: 'ja' }, { search: 'jane', to: 'a@b.example' }],
    ['no change', { search: 'ja' }, { search: 'ja' }],
  ])('does not go on with %s', (_name, before, after) => {
    expect(continuesTyping(before, after)).toBe(false);
  });
});
