/** Servers that offer PIPELINING and cannot do it. None of them is believed to have the message. */
import { expect, it } from 'vitest';
import { raw } from '../../support/smtp-sink.ts';
import { hang, startScenario } from './scenario.ts';

it('is deferred where the server reads only the first of the commands', async () => {
  const scenario = await startScenario({ sites: { forgetful: { script: { rcpt: hang } } } });
  const [event] = await scenario.deliver('forgetful.test');
  expect(event).toMatchObject({ type: 'deferred', reason: 'connection_timed_out' });
  expect(await scenario.leftovers()).toEqual([]);
});

it('does not count a surplus reply as the reply to the message', async () => {
  const scenario = await startScenario({
    sites: { eager: { script: { data: raw('354 go ahead\r\n250 2.0.0 taken, whatever it is\r\n') } } },
  });
  const [event] = await scenario.deliver('eager.test');
  expect(event).toMatchObject({ type: 'deferred', reason: 'protocol_error' });
  expect(await scenario.leftovers()).toEqual([]);
});

it('is not taken as delivered where the replies come one too early', async () => {
  const scenario = await startScenario({
    sites: { early: { script: { mail: raw('250 ok\r\n250 ok\r\n'), rcpt: '550 5.1.1 no such user' } } },
  });
  const [event] = await scenario.deliver('early.test');
  expect(event).toMatchObject({ smtp_code: 550 });
  expect(event?.type).not.toBe('delivered');
  expect(scenario.sink('early').messageCount).toBe(0);
  expect(await scenario.leftovers()).toEqual([]);
});
