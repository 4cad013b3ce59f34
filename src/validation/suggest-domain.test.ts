import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { suggestDomain } from './checks/typo.ts';
import { loadLists, placeOf } from './lists.ts';

const lists = loadLists();
const suggest = (domain: string) => suggestDomain(placeOf(domain), lists);

describe('the domain that was meant', () => {
  it('is found for every misspelling that the rules were derived from', () => {
    const file = new URL('../../bench/labelled/typos-tuned.txt', import.meta.url);
    const pairs = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
    const wrong = pairs.filter(([typed = '', meant]) => suggest(typed)?.domain !== meant);
    expect(wrong).toEqual([]);
  });

  it('is never itself a misspelling', () => {
    for (const meant of [...lists.typos.known.values(), ...lists.typos.targets.map((one) => one.domain)]) {
      expect([meant, suggest(meant)]).toEqual([meant, null]);
    }
  });

  it('is certain for known misspellings only', () => {
    expect(suggest('gmial.com')).toEqual({ kind: 'known_typo', domain: 'gmail.com' });
    expect(suggest('hotmaik.com')).toEqual({ kind: 'likely_typo', domain: 'hotmail.com' });
  });

  it('keeps an unknown name when only the ending is wrong', () => {
    expect(suggest('siemens.con')).toEqual({ kind: 'unknown_tld', domain: 'siemens.com' });
    expect(suggest('acme.zzzz')).toEqual({ kind: 'unknown_tld', domain: null });
  });

  it('is the more popular one of two that are equally close', () => {
    expect(suggest('gmaul.com')?.domain).toBe('gmail.com');
    expect(suggest('yahoo.om')?.domain).toBe('yahoo.com');
  });

  it.each([
    'gm.com',
    'wahoo.com',
    'small.com',
    'cloud.com',
    'life.com',
    'libera.it',
    'gambler.ru',
    'mail.gmail.com',
  ])('is null for the real domain %s', (domain) => {
    expect(suggest(domain)).toBeNull();
  });
});
