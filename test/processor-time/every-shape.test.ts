/** Every shape at the largest size that reaches the code in production, which takes minutes; processor-time.test.ts is quick. */
import { describe, expect, it } from 'vitest';
import { inboundSubjects } from './inbound-subjects.ts';
import { ingressSubjects } from './ingress-subjects.ts';
import { everySize, excessesOf } from './measure.ts';
import { messageSubjects } from './message-subjects.ts';
import { recordSubjects } from './record-subjects.ts';

const TIMEOUT_MS = 600_000;

describe('hostile input of the largest size holds the event loop for less than 50 ms', () => {
  it.each([...ingressSubjects, ...inboundSubjects, ...messageSubjects, ...recordSubjects])(
    '$name',
    async (subject) => {
      expect(await excessesOf(subject, everySize)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
