import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spellingsOf } from './spellings.ts';

describe('the spellings of a name', () => {
  it.each([
    ['Thomas Müller', ['Thomas Müller', 'Thomas Muller', 'Thomas Mueller']],
    ['Mu\u0308ller', ['Mu\u0308ller', 'Muller', 'Mueller']],
    ['ÄÖÜ', ['ÄÖÜ', 'AOU', 'AeOeUe']],
    ['Straße', ['Straße', 'Strasse']],
    ['Søren Ångström', ['Søren Ångström', 'Soren Angstrom', 'Soeren Aangstroem']],
    ['Łukasz Đoković', ['Łukasz Đoković', 'Lukasz Dokovic']],
    ['José Núñez', ['José Núñez', 'Jose Nunez']],
    ['김민수', ['김민수']],
    ['Thomas Mueller', ['Thomas Mueller']],
  ])('%s', (name, spellings) => {
    expect(spellingsOf(name)).toEqual(spellings);
  });

  it('begin with the name itself and are distinct', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const spellings = spellingsOf(name);
        expect(spellings[0]).toBe(name);
        expect(new Set(spellings).size).toBe(spellings.length);
      }),
    );
  });
});
