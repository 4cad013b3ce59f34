/** Somebody between us and the server adds plaintext behind the answer to STARTTLS. */
import { expect, it } from 'vitest';
import { raw } from '../../support/smtp-sink.ts';
import { startScenario } from './scenario.ts';

it('defers the mail, and sends the message neither over TLS nor in clear', async () => {
  const scenario = await startScenario({
    sites: {
      tapped: {
        capabilities: ['PIPELINING', 'STARTTLS'],
        script: { starttls: raw('220 go\r\n250 mx.sink.test\r\n') },
      },
    },
  });
  expect((await scenario.deliver('tapped.test'))[0]).toMatchObject({
    type: 'deferred',
    reason: 'tls_failed',
  });
  expect(scenario.sink('tapped').connections).toHaveLength(1);
  expect(scenario.sink('tapped').messageCount).toBe(0);
  expect(await scenario.leftovers()).toEqual([]);
});
