import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteaArray, textArray } from './binary-array.ts';

/** Parses an array as PostgreSQL does: every length must be correct, up to the last byte. */
function read(array: Buffer): { type: number; hasNull: boolean; values: (Buffer | null)[] } {
  const header = [0, 4, 8, 12, 16].map((at) => array.readInt32BE(at));
  expect([header[0], header[4]]).toEqual([1, 1]);
  const values: (Buffer | null)[] = [];
  let next = 20;
  for (let left = header[3] as number; left > 0; left -= 1) {
    const size = array.readInt32BE(next);
    next += 4;
    values.push(size < 0 ? null : array.subarray(next, next + size));
    next += Math.max(0, size);
  }
  expect(next).toBe(array.length);
  return { type: header[2] as number, hasNull: header[1] === 1, values };
}

describe('an array of texts', () => {
  it('holds each text, and records whether one is null', () => {
    const texts = fc.array(fc.option(fc.string({ unit: 'grapheme' }), { nil: null }), { minLength: 1 });
    fc.assert(
      fc.property(
        texts.filter((all) => all.some((one) => one !== null)),
        (given) => {
          const { type, hasNull, values } = read(textArray(given) as Buffer);
          expect(type).toBe(25);
          expect(values.map((value) => value?.toString('utf8') ?? null)).toEqual(given);
          expect(hasNull).toBe(given.includes(null));
        },
      ),
    );
  });

  it('is null if all texts are', () => {
    expect([textArray([null, null]), textArray([])]).toEqual([null, null]);
  });
});

describe('an array of files', () => {
  it('holds the bytes of each file, including an empty one', () => {
    const given = [Buffer.from([0, 255, 92]), Buffer.alloc(0)];
    const { type, values } = read(byteaArray(given) as Buffer);
    expect([type, values]).toEqual([17, given]);
  });
});
