import { expect, it } from 'vitest';
import { formatTraceparent, parseTraceparent } from './tracing.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

it('reads and writes a traceparent', () => {
  const text = `00-${TRACE}-${SPAN}-01`;
  const read = parseTraceparent(text);
  expect(read).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true });
  expect(read && formatTraceparent(read)).toBe(text);
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-02`)?.sampled).toBe(false);
});

it('accepts a later version and uses the known part', () => {
  expect(parseTraceparent(`cc-${TRACE}-${SPAN}-03-what-comes`)?.traceId).toBe(TRACE);
});

it.each([
  '',
  'nonsense',
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
])('takes %j for none', (text) => {
  expect(parseTraceparent(text)).toBeNull();
});
