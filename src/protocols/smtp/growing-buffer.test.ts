import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GrowingBuffer } from './server/message-reader.ts';

it('holds the beginning of what was added, in whatever pieces', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 20_000, size: 'max' }), { maxLength: 8 }),
      fc.nat(60_000),
      (pieces, most) => {
        const buffer = new GrowingBuffer(most);
        for (const piece of pieces) buffer.add(piece);
        const wanted = Buffer.concat(pieces).subarray(0, most);
        expect(buffer.length).toBe(wanted.length);
        expect(buffer.bytes().equals(wanted)).toBe(true);
        expect(buffer.bytes().buffer.byteLength).toBeLessThanOrEqual(Math.max(8 * 1024, 2 * wanted.length));
      },
    ),
    { numRuns: 50 },
  );
});

it('begins anew when it is cleared', () => {
  const buffer = new GrowingBuffer(10);
  buffer.add(Buffer.from('first'));
  buffer.clear();
  buffer.add(Buffer.from('second'));
  expect(buffer.bytes().toString()).toBe('second');
});
