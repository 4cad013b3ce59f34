/** What requests and records bring: every shape at the largest size that reaches the code in production. processor-time.test.ts is quick. */
import { expect, it } from 'vitest';
import { ingressSubjects } from './ingress-subjects.ts';
import { everySize, excessesOf } from './measure.ts';
import { recordSubjects } from './record-subjects.ts';

const TIMEOUT_MS = 1_500_000;

it.each([...ingressSubjects, ...recordSubjects])(
  '$name holds the event loop for less than 50 ms at the largest size',
  async (subject) => {
    expect(await excessesOf(subject, everySize)).toEqual([]);
  },
  TIMEOUT_MS,
);
