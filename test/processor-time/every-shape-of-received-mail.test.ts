/** Mail of strangers: every shape at the largest size that reaches the code in production. processor-time.test.ts is quick. */
import { expect, it } from 'vitest';
import { inboundSubjects } from './inbound-subjects.ts';
import { everySize, excessesOf } from './measure.ts';

const TIMEOUT_MS = 1_500_000;

it.each(inboundSubjects)(
  '$name holds the event loop for less than 50 ms at the largest size',
  async (subject) => {
    expect(await excessesOf(subject, everySize)).toEqual([]);
  },
  TIMEOUT_MS,
);
