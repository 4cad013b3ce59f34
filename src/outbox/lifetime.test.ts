import { expect, it } from 'vitest';
import { createLifetime } from './lifetime.ts';

it("the lifetime is one day or the email's own, on the clock of the retries", () => {
  expect(createLifetime(1)(null)).toBe(86_400_000);
  expect(createLifetime(1)(600)).toBe(600_000);
  expect(createLifetime(60)(null)).toBe(1_440_000);
});
