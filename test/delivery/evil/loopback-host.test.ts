/** A domain whose mail hosts are this machine, or its network. */
import { expect, it } from 'vitest';
import { startScenario } from './scenario.ts';

it('fails at once, and is not connected to', async () => {
  const scenario = await startScenario({
    sites: { local: {} },
    zone: () => ({
      'metadata.test': { MX: [[10, 'mx.metadata.test']] },
      'mx.metadata.test': { A: ['169.254.169.254'] },
    }),
    env: { POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'false' },
  });
  for (const domain of ['local.test', 'metadata.test']) {
    expect((await scenario.deliver(domain))[0]).toMatchObject({
      type: 'failed',
      reason: 'private_destination',
    });
  }
  expect(scenario.sink('local').connections).toHaveLength(0);
  expect(await scenario.leftovers()).toEqual([]);
});
