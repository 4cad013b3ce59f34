import { expect, it } from 'vitest';
import { joined } from './value-pieces.ts';

it('joins pieces by their positions, in whatever order they arrive', () => {
  const piece = (place: number, text: string) => ({ place, piece: Buffer.from(text) });
  expect(joined([piece(5, 'c'), piece(1, 'a'), piece(3, 'b')]).toString()).toBe('abc');
  expect(joined([{ place: null, piece: null }])).toHaveLength(0);
});
