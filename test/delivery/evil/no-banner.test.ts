/** A server that accepts the connection and never greets. */
import { expect, it } from 'vitest';
import { silent } from '../../support/smtp-sink.ts';
import { startScenario } from './scenario.ts';

it('is abandoned after the deadline without a command, while other servers get their mail', async () => {
  const scenario = await startScenario({ sites: { mute: { script: { banner: silent() } }, fine: {} } });
  const [[mute], [fine]] = await Promise.all([scenario.deliver('mute.test'), scenario.deliver('fine.test')]);
  expect(mute).toMatchObject({ type: 'deferred', reason: 'connection_timed_out', mx_host: 'mx.mute.test' });
  expect(fine).toMatchObject({ type: 'delivered' });
  expect(fine?.created_at.getTime()).toBeLessThan(mute?.created_at.getTime() ?? 0);
  expect(await scenario.leftovers()).toEqual([]);
  expect(scenario.sink('mute').connections[0]?.commands.filter((command) => command !== 'QUIT')).toEqual([]);
});
