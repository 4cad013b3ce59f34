/** No request, mail or stored object of a tenant or a stranger may hold an event loop for more than 50 ms. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Problems } from '../../src/runtime/problems.ts';
import { inboundSubjects } from './inbound-subjects.ts';
import { ingressSubjects } from './ingress-subjects.ts';
import { everySize, excessesOf, quickSize } from './measure.ts';
import { messageSubjects } from './message-subjects.ts';
import { recordSubjects } from './record-subjects.ts';
import { repeated } from './shapes.ts';
import type { Subject } from './subject.ts';

/** More than a tenth of a second for 8,000 bytes, and four times as long for twice as many. */
function quadratic(input: Buffer): number {
  let sum = 0;
  for (let i = 0; i < input.length; i += 1)
    for (let j = 0; j < input.length; j += 1) sum = (sum + (input[i] as number) * (input[j] as number)) | 0;
  return sum;
}

function planted(run: Subject['run']): Promise<string[]> {
  const subject = { name: 'Planted', limitBytes: 8_000, run };
  return excessesOf(subject, everySize, { 'nothing but CRLF': repeated('\r\n') });
}

describe('the harness', () => {
  it('reports a quadratic subject with its shape, size and time', async () => {
    expect(await planted(quadratic)).toEqual([
      expect.stringMatching(/^Planted: nothing but CRLF, 8000 bytes, held the event loop for \d+ ms\.$/),
    ]);
  });

  it('reports an asynchronous subject that never yields', async () => {
    const excesses = planted(async (input) => {
      await Promise.resolve();
      return quadratic(input);
    });
    expect(await excesses).toHaveLength(1);
  });

  it('does not report a subject that does the same work in slices', async () => {
    const excesses = planted(async (input) => {
      for (let slice = 0; slice < 25; slice += 1) {
        quadratic(input.subarray(0, 2_000));
        await nextTurn();
      }
    });
    expect(await excesses).toEqual([]);
  });

  it('takes a refusal for an answer', async () => {
    const refusing = () => {
      throw new Problems().add('to', 'is required').toError();
    };
    expect(await planted(refusing)).toEqual([]);
  });

  it('fails a subject with a mistake in it', async () => {
    await expect(planted(() => (undefined as unknown as () => void)())).rejects.toThrow(TypeError);
  });
});

/** All shapes at a size that shows quadratic steps, and some at the largest; every-shape-of-*.test.ts have them all at the largest. */
describe('hostile input holds the event loop for less than 50 ms', () => {
  it.each([...ingressSubjects, ...inboundSubjects, ...messageSubjects, ...recordSubjects])(
    '$name',
    async (subject) => {
      expect(await excessesOf(subject, quickSize)).toEqual([]);
    },
  );
});
