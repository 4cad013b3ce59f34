import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../runtime/durations.ts';
import { renewInMs, retryInMs } from './keeper.ts';

const NINETY_DAYS = { validFromMs: 0, validToMs: 90 * DAY_MS };

it('renews when a third of the lifetime is left, up to a thirtieth of it earlier', () => {
  expect(renewInMs(NINETY_DAYS, 0, 0)).toBe(60 * DAY_MS);
  expect(renewInMs(NINETY_DAYS, 0, 1)).toBe(57 * DAY_MS);
  expect(renewInMs(NINETY_DAYS, 10 * DAY_MS, 0)).toBe(50 * DAY_MS);
});

it('waits a third of the lifetime when the clock shows the certificate as expired', () => {
  expect(renewInMs(NINETY_DAYS, 4_000 * DAY_MS, 0)).toBe(30 * DAY_MS);
});

it('waits twice as long after each failure, up to a day', () => {
  expect(retryInMs(1, undefined, 0.5)).toBe(10 * MINUTE_MS);
  expect(retryInMs(2, undefined, 0.5)).toBe(20 * MINUTE_MS);
  expect(retryInMs(50, undefined, 0.5)).toBe(DAY_MS);
  expect(retryInMs(1, undefined, 0)).toBeLessThan(retryInMs(1, undefined, 0.99));
});

it('waits as long as the authority asks for, up to a week', () => {
  expect(retryInMs(1, 3 * DAY_MS, 0.5)).toBe(3 * DAY_MS);
  expect(retryInMs(1, 300 * DAY_MS, 0.5)).toBe(7 * DAY_MS);
});
