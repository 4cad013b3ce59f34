import { describe, expect, it } from 'vitest';
import { unstorableText } from './unstorable-text.ts';

describe('unstorableText', () => {
  it.each([
    ['a list in an object', { a: [0, { b: '\0' }] }, 'a[1].b'],
    ['a list', ['a', '\ud800'], '[1]'],
    ['an object with such a name', { a: { '\0': 1 } }, 'a'],
    ['a text', '\0', 'body'],
    ['a name that begins with a dot', { '.a': '\0' }, '.a'],
  ])('names the place in %s', (_what, value, place) => {
    expect(unstorableText(value)).toBe(place);
  });

  it('continues the given field name', () => {
    expect(unstorableText({ b: ['\0'] }, 'a')).toBe('a.b[0]');
    expect(unstorableText('\0', 'a')).toBe('a');
  });

  it('finds nothing in text that can be stored', () => {
    expect(unstorableText({ a: ['b', 1, null, { c: '\u{1f600}' }] })).toBeUndefined();
  });
});
