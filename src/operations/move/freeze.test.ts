import { expect, it } from 'vitest';
import { moveTimeout } from './freeze.ts';
import type { MovingTable } from './moving-tables.ts';

const compared = (name: string, tookMs: number) => {
  const table: MovingTable = { name, columns: [], key: [], isKeyed: true, weeklyBy: null };
  return { table, rows: 1, isSame: true, tookMs };
};

it('skips the slowest tables, however many quick ones there are', () => {
  const many = Array.from({ length: 10 }, (_, i) => compared(`t${i}`, 40));
  expect([...moveTimeout(250, [compared('large', 900), ...many])]).toEqual(['t6', 't7', 't8', 't9', 'large']);
  expect(moveTimeout(250, [compared('a', 100), compared('b', 150)]).size).toBe(0);
});
