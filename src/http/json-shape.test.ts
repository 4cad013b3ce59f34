import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEEPEST,
  endOfValue,
  LONGEST_NAME,
  LONGEST_NUMBER,
  MAX_NAMES,
  MAX_VALUES,
  ShapeScan,
} from './json-shape.ts';

function problemOf(text: string, step = Number.POSITIVE_INFINITY): string | undefined {
  const scan = new ShapeScan(text);
  while (!scan.advance(step));
  return scan.problem;
}

const text = fc.stringMatching(/^["\\[\]{},:a]*$/);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 6 },
    text,
    fc.integer(),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(text, tie('any'), { maxKeys: 3 }),
  ),
})).any;

describe('the shape of a text', () => {
  it('is accepted up to the deepest nesting, and not one level further', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(problemOf(nested(DEEPEST))).toBeUndefined();
    expect(problemOf(nested(DEEPEST + 1))).toMatch(/nested too deeply/);
  });

  it('is accepted up to the most names of an object, and not one further', () => {
    const object = (names: number) => `{${Array.from({ length: names }, (_, i) => `"${i}":0`).join()}}`;
    expect(problemOf(object(MAX_NAMES))).toBeUndefined();
    expect(problemOf(object(MAX_NAMES + 1))).toMatch(/more than 2000 fields/);
    expect(problemOf(`[${object(MAX_NAMES)},${object(MAX_NAMES)}]`)).toBeUndefined();
  });

  it('is accepted up to the most values, and not one further', () => {
    const list = (values: number) => `[0${',0'.repeat(values - 1)}]`;
    expect(problemOf(list(MAX_VALUES))).toBeUndefined();
    expect(problemOf(list(MAX_VALUES + 1))).toMatch(/more than 400000 values/);
    expect(problemOf('[]'.repeat(MAX_VALUES + 1))).toMatch(/values/);
  });

  it.each([1, 7, Number.POSITIVE_INFINITY])('allows names of 1,000 characters, steps of %s', (step) => {
    const object = (chars: number) => `{"a":"${'v'.repeat(5_000)}", "${'k'.repeat(chars)}":[1]}`;
    expect(problemOf(object(LONGEST_NAME), step)).toBeUndefined();
    expect(problemOf(object(LONGEST_NAME + 1), step)).toMatch(/field name of more than 1000 characters/);
    expect(problemOf(`{"${'\\"'.repeat(LONGEST_NAME)}":1}`, step)).toMatch(/field name/);
  });

  it('allows strings of any length in lists and as values', () => {
    const long = JSON.stringify('\\"'.repeat(LONGEST_NAME));
    expect(problemOf(`{"a":[${long},${long}],"b":${long},"c":[{"d":${long}},${long}]}`)).toBeUndefined();
    expect(problemOf(long)).toBeUndefined();
  });

  it.each([1, 7, Number.POSITIVE_INFINITY])('allows numbers of 1,000 characters, steps of %s', (step) => {
    const object = (chars: number) =>
      `{"a":${' '.repeat(5_000)}${'1'.repeat(chars)}${'\n'.repeat(5_000)}, "b":2}`;
    expect(problemOf(object(LONGEST_NUMBER), step)).toBeUndefined();
    expect(problemOf(object(LONGEST_NUMBER + 1), step)).toMatch(/number of more than 1000 characters/);
  });

  it('does not depend on the content of strings, nor on how often the scan stops', () => {
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 20 }), (one, step) => {
        expect(problemOf(JSON.stringify([one]), step)).toBeUndefined();
      }),
    );
    const inString = JSON.stringify(['"[{,'.repeat(MAX_VALUES)]);
    expect(problemOf(inString)).toBeUndefined();
    expect(problemOf(`${'['.repeat(DEEPEST)}"[\\"[",[`, 3)).toMatch(/nested/);
  });

  it('is scanned in small steps inside of strings too', () => {
    const scan = new ShapeScan(JSON.stringify('\u0122'.repeat(1_000_000)));
    let looks = 1;
    while (!scan.advance(1)) looks += 1;
    expect(looks).toBeGreaterThan(50);
  });

  it('does not depend on where a long string is cut', () => {
    const tooDeep = '['.repeat(DEEPEST);
    for (let before = 16 * 1024 - 12; before < 16 * 1024 + 4; before += 1)
      for (const escaped of ['\\"', '\\\\', '\\\\\\"', '\\u0122']) {
        const string = `"${'x'.repeat(before)}${escaped}${tooDeep}"`;
        expect(problemOf(`[${string}]`)).toBeUndefined();
        expect(problemOf(`[${string},${tooDeep}]`)).toMatch(/nested/);
      }
  });

  it('of an unterminated string is left to the parser', () => {
    expect(problemOf(`["${'['.repeat(100)}`)).toBeUndefined();
  });
});

describe('the end of a value', () => {
  it('is where its text ends, regardless of what follows', () => {
    fc.assert(
      fc.property(value, fc.constantFrom('', ',1', ']', '}', ' '), (one, rest) => {
        const written = JSON.stringify(one);
        expect(endOfValue(written + rest, 0, 1_000_000)).toBe(written.length);
      }),
    );
  });

  it('is not found beyond its reach', () => {
    expect(endOfValue('[1,2,3]', 0, 6)).toBe(-1);
    expect(endOfValue('[1,2,3]', 0, 7)).toBe(7);
    expect(endOfValue('"abc"', 0, 4)).toBe(-1);
    expect(endOfValue('12345,', 0, 3)).toBe(-1);
  });
});
