import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalLocale, MAX_LOCALE_CHARS, nearestLocale } from './locale.ts';

describe('a locale', () => {
  it.each([
    ['pt-br', 'pt-BR'],
    ['DE', 'de'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['de_DE', null],
    ['', null],
    ['english', null],
    [`en-${'x'.repeat(MAX_LOCALE_CHARS)}`, null],
  ])('%s is %s', (text, wanted) => {
    expect(canonicalLocale(text)).toBe(wanted);
  });

  it.each([
    ['pt-BR', ['pt', 'pt-BR'], 'pt-BR'],
    ['pt-BR', ['pt', 'de'], 'pt'],
    ['zh-Hant-TW', ['zh', 'zh-TW'], 'zh'],
    ['zh-Hant-TW', ['zh-Hant', 'zh'], 'zh-Hant'],
    ['de-u-co-phonebk', ['de'], 'de'],
    ['pt', ['pt-BR'], null],
    [null, ['de'], null],
  ])('%s among %j is %s', (wanted, known, found) => {
    expect(nearestLocale(wanted, known)).toBe(found);
  });

  it('is canonicalized or refused, and the nearest is one of the known locales', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (text, known) => {
        const found = nearestLocale(text, known);
        expect(found === null || known.includes(found)).toBe(true);
        const canonical = canonicalLocale(text);
        if (canonical !== null) expect(canonicalLocale(canonical)).toBe(canonical);
      }),
    );
  });
});
