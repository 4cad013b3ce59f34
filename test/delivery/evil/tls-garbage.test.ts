/** Servers that offer STARTTLS and then speak something else. */
import { expect, it } from 'vitest';
import { drop, fakeTls, raw } from '../../support/smtp-sink.ts';
import { startScenario } from './scenario.ts';

const OFFERS_TLS = ['PIPELINING', 'STARTTLS'];
const GARBAGE = fakeTls('500 what is this\r\n');

it('get their mail in clear in the same attempt, and the event says that it was not secured', async () => {
  const scenario = await startScenario({
    sites: {
      garbage: { capabilities: OFFERS_TLS, script: { starttls: GARBAGE } },
      closing: { capabilities: OFFERS_TLS, script: { starttls: drop('220 go') } },
      stuck: { capabilities: OFFERS_TLS, script: { starttls: raw('220 go\r\n') } },
    },
  });
  for (const name of Object.keys(scenario.sinks)) {
    const [event] = await scenario.deliver(`${name}.test`);
    expect([name, event]).toEqual([
      name,
      expect.objectContaining({ type: 'delivered', tls: null, attempt: 1, mx_host: `mx.${name}.test` }),
    ]);
  }
  for (let nth = 2; nth <= 4; nth += 1) {
    const [again] = await scenario.deliver('garbage.test');
    expect(again).toMatchObject({ type: 'delivered', tls: null });
  }
  const asked = scenario.sink('garbage').connections.flatMap((connection) => connection.commands);
  expect(asked.filter((command) => command === 'STARTTLS')).toHaveLength(3);
  expect(await scenario.leftovers()).toEqual([]);
});

it('get nothing in clear where their provider is known to have TLS', async () => {
  const scenario = await startScenario({
    sites: {
      pretender: { capabilities: OFFERS_TLS, script: { starttls: GARBAGE } },
      stripped: { capabilities: ['PIPELINING'] },
    },
    zone: ({ pretender, stripped }) => ({
      'one.test': { MX: [[10, 'smtp.google.com']] },
      'smtp.google.com': { A: [pretender?.address ?? ''] },
      'other.test': { MX: [[10, 'mx1.comcast.net']] },
      'mx1.comcast.net': { A: [stripped?.address ?? ''] },
    }),
  });
  for (const domain of ['one.test', 'other.test']) {
    expect((await scenario.deliver(domain))[0]).toMatchObject({ type: 'deferred', reason: 'tls_failed' });
  }
  expect(scenario.sink('pretender').messageCount + scenario.sink('stripped').messageCount).toBe(0);
  expect(await scenario.leftovers()).toEqual([]);
});
