import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAddressList, readableLine } from './address-list.ts';

const read = (text: string) =>
  readAddressList(text).map(({ address, name }) => [name, address.ok ? address.email : address.code]);

describe('a list of addresses', () => {
  it.each([
    ['a@x.test', [[null, 'a@x.test']]],
    ['A B <a@x.test>', [['A B', 'a@x.test']]],
    [
      '<a@x.test>, b@x.test',
      [
        [null, 'a@x.test'],
        [null, 'b@x.test'],
      ],
    ],
    [
      '"Doe, Jane" <jane@x.test>,\t"B" <b@x.test>',
      [
        ['Doe, Jane', 'jane@x.test'],
        ['B', 'b@x.test'],
      ],
    ],
    ['"say \\"hi\\"" <a@x.test>', [['say "hi"', 'a@x.test']]],
    ['a@x.test (Old Style)', [['Old Style', 'a@x.test']]],
    ['=?UTF-8?Q?J=C3=B6rg?= <j@x.test>', [['Jörg', 'j@x.test']]],
    [
      'Team: a@x.test, B <b@x.test>;, c@x.test',
      [
        [null, 'a@x.test'],
        ['B', 'b@x.test'],
        [null, 'c@x.test'],
      ],
    ],
    ['undisclosed-recipients:;', []],
    ['<@relay.test,@other.test:a@x.test>', [[null, 'a@x.test']]],
    ['"odd local"@x.test', [[null, '"odd local"@x.test']]],
    ['jörg@münchen.test', [[null, 'jörg@xn--mnchen-3ya.test']]],
    ['', []],
    [', ,', []],
    ['a@x.test (', [[null, 'a@x.test']]],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('names what it cannot read as the problem it is', () => {
    expect(read('nobody, a@x.test')).toEqual([
      [null, 'missing_at'],
      [null, 'a@x.test'],
    ]);
    expect(readAddressList('a@good.test <b@x.test> <c@evil.test>')[0]?.address.ok).toBe(false);
    expect(read('a@good.test <b@evil.test>')).toEqual([['a@good.test', 'b@evil.test']]);
  });

  it('has every address as written, whatever it is', () => {
    const texts = readAddressList('Ada, B <b@Müller.test>, "" , <c d>').map(({ text }) => text);
    expect(texts).toEqual(['Ada', 'b@Müller.test', '""', 'c d']);
  });

  it('ends, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'"\\()<>[]@,;: ab=?'), maxLength: 200 }), (text) => {
        expect(readAddressList(text).length).toBeLessThanOrEqual(text.length + 1);
      }),
    );
  });

  it('has names that can be stored', () => {
    expect(readableLine('=?UTF-8?Q?a=00b=0Ac?=', 100)).toBe('a b c');
  });
});
