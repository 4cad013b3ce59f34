import { expect, it } from 'vitest';
import { type MetricsAccess, mayReadMetrics } from './metrics-access.ts';

const TOKEN = 'a-token-for-the-metrics';
const withToken: MetricsAccess = { token: TOKEN, openTo: 'everybody' };

it.each([
  [`Bearer ${TOKEN}`, true],
  [`bearer  ${TOKEN} `, true],
  [undefined, false],
  ['', false],
  [TOKEN, false],
  [`Basic ${TOKEN}`, false],
  [`Bearer ${TOKEN}x`, false],
  [`Bearer ${TOKEN.slice(0, -1)}`, false],
  ['Bearer ', false],
])('with a token, %j may read: %s', (authorization, expected) => {
  const headers = { host: 'localhost', ...(authorization === undefined ? {} : { authorization }) };
  expect(mayReadMetrics(headers, withToken)).toBe(expected);
});

it.each([
  ['nobody', 'localhost', false],
  ['this machine', 'localhost:3000', true],
  ['this machine', '127.0.0.1', true],
  ['this machine', 'rebound.evil.example:3000', false],
  ['this machine', undefined, false],
  ['everybody', 'worker:9100', true],
] as const)('open to %s, asked as %s: %s', (openTo, host, expected) => {
  const headers = host === undefined ? {} : { host };
  expect(mayReadMetrics(headers, { token: undefined, openTo })).toBe(expected);
});
