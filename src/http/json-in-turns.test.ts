import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonSyntaxError, PoisonError, parseInTurns } from './json-in-turns.ts';

function parseSmall(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonSyntaxError(0);
  }
}

/** Uses a tiny limit, so that everything is taken apart. */
const read = (text: string, smallChars = 12) => parseInTurns(text, parseSmall, smallChars);

describe('a text parsed in turns', () => {
  it('equals the result of JSON.parse, with any white space and at any size of a piece', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ depthSize: 'medium', stringUnit: 'binary' }),
        fc.constantFrom('', ' ', '\n\t', '\r\n        '),
        fc.integer({ min: 32, max: 80 }),
        async (value, space, smallChars) => {
          const text = space + JSON.stringify(value, null, space) + space;
          fc.pre(!text.includes('__proto__'));
          expect((await read(text, smallChars)).value).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('accepts and refuses the same texts as JSON.parse', async () => {
    const tokens = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"aaaaaaaaaaaaaaaa"',
      '1',
      'null',
      ' ',
      '"',
      '\\',
      'x',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(tokens, { maxLength: 12 }), async (parts) => {
        const text = parts.join('');
        const expected = await Promise.resolve()
          .then(() => JSON.parse(text))
          .then(
            (value) => ({ value }),
            () => 'refused',
          );
        const found = await read(text).then(
          ({ value }) => ({ value }),
          (error) => (error instanceof JsonSyntaxError ? 'refused' : error),
        );
        expect(found).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('cuts long strings nowhere inside an escape', async () => {
    const pieces = fc.constantFrom('a', 'é', '😀', '\\n', '\\\\', '\\"', '\\u00e9', '\\ud83d\\ude00');
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { minLength: 20, maxLength: 60 }), async (parts) => {
        const text = `"${parts.join('')}"`;
        expect(await read(text)).toEqual({ value: JSON.parse(text), unstorable: undefined });
      }),
    );
  });

  it('keeps the last value of a duplicate name', async () => {
    expect((await read('{"a":"xxxxxxxxxxxx","a":2}')).value).toEqual({ a: 2 });
  });

  it.each([
    '{"__proto__":{"a":1,"b":2,"c":3}}',
    '{"a":"xxxxxxxxxxxx","\\u005f_proto__":1}',
    '{"constructor":{"a":"xxxxxxxxxx","prototype":{}}}',
  ])('refuses a name that poisons prototypes: %s', async (text) => {
    await expect(read(text)).rejects.toBeInstanceOf(PoisonError);
  });

  it('names the field with text that cannot be stored', async () => {
    expect((await read('{"a":[{"name":"xxxxxxxxxxxxxxxxx"},{"name":"\\u0000"}]}')).unstorable).toBe(
      'a[1].name',
    );
    expect((await read('{"long":"xxxxxxxxxxxxxxxxxxx\\ud83d"}')).unstorable).toBe('long');
    expect((await read('"xxxxxxxxxxxxxxxxxxx\\ud83d"')).unstorable).toBe('body');
  });

  it('costs about the same regardless of the letters in a long string', async () => {
    // The engine searches for bytes: half of every U+0122 is a quote.
    const plain = await cpuMs(JSON.stringify('\u0101'.repeat(4_000_000)));
    const quoteLike = await cpuMs(JSON.stringify('\u0122'.repeat(4_000_000)));
    expect(quoteLike / plain).toBeLessThan(12);
  });

  it('reports the position of a syntax error', async () => {
    await expect(read('{"a":"xxxxxxxxxxxx",}')).rejects.toMatchObject({ position: 20 });
    await expect(read('["xxxxxxxxxxxxxxxxx')).rejects.toMatchObject({ position: 19 });
  });
});

/** The minimum of three runs, in processor time. */
async function cpuMs(text: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const before = process.cpuUsage();
    await parseInTurns(text, parseSmall);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}
