import { expect, it } from 'vitest';
import { cluesTimeoutMs, DEFAULT_TIMEOUT_MS } from './wait-for-mail.ts';

/** Of vitest and Jest, where a test says nothing else. */
const RUNNER_TIMEOUT_MS = 5_000;

it('says why mail is missing before a test runner ends the test, even if the server answers no more', () => {
  expect(DEFAULT_TIMEOUT_MS + cluesTimeoutMs(DEFAULT_TIMEOUT_MS)).toBeLessThan(RUNNER_TIMEOUT_MS);
});

it('has longer for what it says where a test waits longer', () => {
  expect(cluesTimeoutMs(30_000)).toBe(3_000);
});
