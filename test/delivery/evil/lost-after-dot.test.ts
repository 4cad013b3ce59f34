/** A server that closes the connection after the whole message without a reply, so it is unknown whether it has the message. */
import { expect, it } from 'vitest';
import { drop } from '../../support/smtp-sink.ts';
import { startScenario } from './scenario.ts';

/** Shortens the minutes until the second attempt to milliseconds. */
const SPEED = 2_000;

it('is not tried at another host in the same attempt, is tried again later, and the event says so', async () => {
  const scenario = await startScenario({
    sites: {
      first: { script: { dot: ({ visit }) => (visit === 1 ? drop() : { act: 'agree' }) } },
      second: {},
    },
    zone: () => ({
      'both.test': {
        MX: [
          [10, 'mx.first.test'],
          [20, 'mx.second.test'],
        ],
      },
    }),
    worker: { speed: SPEED },
  });
  const [lost, taken] = await scenario.deliver('both.test', 2);
  expect(lost).toMatchObject({
    type: 'deferred',
    reason: 'reply_lost_after_message',
    mx_host: 'mx.first.test',
    smtp_code: null,
    attempt: 1,
  });
  expect(taken).toMatchObject({ type: 'delivered', mx_host: 'mx.first.test', attempt: 2 });
  expect(taken?.created_at.getTime()).toBeGreaterThanOrEqual(lost?.next_attempt_at?.getTime() ?? Infinity);
  expect(scenario.sink('second').connections).toHaveLength(0);
  expect(await scenario.leftovers()).toEqual([]);
});
