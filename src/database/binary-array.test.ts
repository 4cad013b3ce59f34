import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteaArray } from './binary-array.ts';

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

describe('an array of files', () => {
  it('holds the bytes of each file, and records whether one is missing', () => {
    const file = fc.uint8Array().map((bytes) => Buffer.from(bytes));
    const files = fc.array(fc.option(file, { nil: null }), { minLength: 1 });
    fc.assert(
      fc.property(
        files.filter((all) => all.some((one) => one !== null)),
        (given) => {
          const { type, hasNull, values } = read(byteaArray(given) as Buffer);
          expect([type, values]).toEqual([17, given]);
          expect(hasNull).toBe(given.includes(null));
        },
      ),
    );
  });

  it('is null if all files are', () => {
    expect([byteaArray([null, null]), byteaArray([])]).toEqual([null, null]);
  });
});
