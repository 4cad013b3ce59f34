import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { arrayLiteral } from './array-literal.ts';

describe('an array literal', () => {
  it.each([
    [[], '{}'],
    [['a', 'b c', ''], '{a,"b c",""}'],
    [['null', 'NULL', null, undefined], '{"null","NULL",NULL,NULL}'],
    [['a"b', 'c\\d', '{', ','], '{"a\\"b","c\\\\d","{",","}'],
    [[1, -2.5, 1e21, Number.NaN], '{1,-2.5,1e+21,NaN}'],
    [[true, false], '{true,false}'],
  ])('of %j is %s', (values, literal) => {
    expect(arrayLiteral(values)).toBe(literal);
  });

  it.each([[[new Date()]], [[Buffer.from('a')]], [[['nested']]], [[{ a: 1 }]]])(
    'of %j is left to the driver',
    (values) => {
      expect(arrayLiteral(values)).toBeNull();
    },
  );

  it("survives a round trip through PostgreSQL's array format, for any texts", () => {
    const TEXT_ARRAY = 1009;
    const parse = pg.types.getTypeParser(TEXT_ARRAY as never);
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('NULL', '{}', '"', '\\', ' ', 'a,b'),
    );
    fc.assert(
      fc.property(fc.array(fc.option(text)), (values) => {
        expect(parse(arrayLiteral(values) as string)).toEqual(values);
      }),
    );
  });
});
