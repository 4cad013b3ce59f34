import { expect, it } from 'vitest';
import { closest } from './closest.ts';

const WORDS = ['status', 'start', 'suppression', 'send'];

it('finds a word with letters swapped, missing, wrong or too many', () => {
  for (const typed of ['statsu', 'staus', 'stakus', 'statuss']) expect(closest(typed, WORDS)).toBe('status');
  expect(closest('supression', WORDS)).toBe('suppression');
});

it('finds nothing when no word is near', () => {
  expect(closest('nonsense', WORDS)).toBeUndefined();
  expect(closest('x', WORDS)).toBeUndefined();
  expect(closest('status', [])).toBeUndefined();
});
