import { expect, it } from 'vitest';
import { ago } from './time.tsx';

it('says how long ago in the unit people would choose', () => {
  const now = Date.UTC(2026, 10, 15, 12);
  const before = (seconds: number) => ago(new Date(now - seconds * 1000), now);
  expect(before(2)).toBe('just now');
  expect(before(30)).toBe('30 seconds ago');
  expect(ago(new Date(now + 3_000), now)).toBe('in a moment');
  expect(before(90)).toBe('1 minute ago');
  expect(before(7300)).toBe('2 hours ago');
  expect(ago(new Date(now + 3_700_000), now)).toBe('in 1 hour');
  expect(before(30 * 86_400)).not.toMatch(/ago/);
});
