/** A server whose reply never ends, because it keeps sending lines of the same reply. */
import { expect, it } from 'vitest';
import { raw, type SinkMoment } from '../../support/smtp-sink.ts';
import { startScenario } from './scenario.ts';

const BETWEEN_MS = 2;

it('is disconnected although it keeps sending', async () => {
  let timer: NodeJS.Timeout | undefined;
  const scenario = await startScenario({
    sites: {
      endless: {
        script: {
          ehlo: ({ connection }: SinkMoment) => {
            const more = () =>
              scenario.sink('endless').say(connection.number, raw('250-and another thing\r\n'));
            timer ??= setInterval(
              () => (connection.ended === 'open' ? more() : clearInterval(timer)),
              BETWEEN_MS,
            );
            return raw('250-one thing\r\n');
          },
        },
      },
    },
  });
  const [event] = await scenario.deliver('endless.test');
  expect(event?.type).toBe('deferred');
  expect(['protocol_error', 'connection_timed_out']).toContain(event?.reason);
  expect(await scenario.leftovers()).toEqual([]);
});
