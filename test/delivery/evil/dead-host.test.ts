/** Three hosts, of which the most preferred is dead. */
import { expect, it } from 'vitest';
import { startScenario } from './scenario.ts';

it('delivers through the next one in the same attempt', async () => {
  const scenario = await startScenario({
    sites: { second: {}, third: {} },
    zone: () => ({
      'three.test': {
        MX: [
          [10, 'dead.three.test'],
          [20, 'mx.second.test'],
          [30, 'mx.third.test'],
        ],
      },
      'dead.three.test': { A: ['127.0.1.200'] },
    }),
  });
  const [event] = await scenario.deliver('three.test');
  expect(event).toMatchObject({ type: 'delivered', mx_host: 'mx.second.test', attempt: 1 });
  expect(scenario.sink('third').connections).toHaveLength(0);
  expect(await scenario.leftovers()).toEqual([]);
});

it('stops at the second of them, so that a domain of dead hosts costs no more than two', async () => {
  const scenario = await startScenario({
    sites: { third: {} },
    zone: () => ({
      'three.test': {
        MX: [
          [10, 'dead.three.test'],
          [20, 'gone.three.test'],
          [30, 'mx.third.test'],
        ],
      },
      'dead.three.test': { A: ['127.0.1.200'] },
      'gone.three.test': { A: ['127.0.1.201'] },
    }),
  });
  const [event] = await scenario.deliver('three.test');
  expect(event).toMatchObject({ type: 'deferred', reason: 'connection_refused', mx_host: 'gone.three.test' });
  expect(scenario.sink('third').connections).toHaveLength(0);
  expect(await scenario.leftovers()).toEqual([]);
});
