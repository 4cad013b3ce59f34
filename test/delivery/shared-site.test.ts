/** Domains hosted together, and workers that share a database, keep to one limit. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/runtime/ids.ts';
import { Live } from './live.ts';

const ORG = newId('org');
const DOMAINS = ['one', 'two', 'three', 'four'];
const MAILS = 60;

let live: Live;
let most = 0;
beforeAll(async () => {
  live = await Live.start({
    sites: {
      host: {
        mail: () => {
          const open = live.sink('host').connections.filter((one) => one.ended === 'open' && !one.saidQuit);
          most = Math.max(most, open.length);
          return { act: 'agree' };
        },
      },
    },
    zone: (sinks) => ({
      ...Object.fromEntries(DOMAINS.map((name) => [`${name}.test`, { MX: [[1, 'smtp-in.orange.fr']] }])),
      'smtp-in.orange.fr': { A: [sinks.host?.address ?? ''] },
    }),
  });
});
afterAll(() => live.stop());

it('domains of a provider with a limit of two connections get two', async () => {
  await live.startWorker();
  for (const domain of DOMAINS) await live.seed(domain, ORG, MAILS);
  await live.whenSent();
  expect(live.sink('host').messageCount).toBe(DOMAINS.length * MAILS);
  expect(most).toBe(2);
});

it('domains of such a provider get two connections from two workers together', async () => {
  await live.startWorker();
  // An idle connection stays open longer than the first worker needs to detect the second.
  await live.sink('host').waitForClosed(live.sink('host').connections.length);
  most = 0;
  for (const domain of DOMAINS) await live.seed(domain, ORG, MAILS);
  await live.whenSent();
  expect(live.sink('host').messageCount).toBe(2 * DOMAINS.length * MAILS);
  expect(most).toBeLessThanOrEqual(2);
});
