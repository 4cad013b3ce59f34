/** A relay for some domains. Mail for other domains goes directly to their mail hosts. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/runtime/ids.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { Live } from './live.ts';

const ORG = newId('org');

let relay: SmtpSink;
let live: Live;
beforeAll(async () => {
  relay = await startSmtpSink();
  live = await Live.start({
    sites: { direct: {}, partner: {} },
    zone: () => ({ 'mail.partner.test': { MX: [[1, 'mx.partner.test']] } }),
    env: {
      POSTRIDER_RELAY_URL: `smtp://${relay.address}:${relay.port}`,
      POSTRIDER_RELAY_DOMAINS: 'partner.test, *.partner.test',
    },
  });
});
afterAll(async () => {
  await live.stop();
  await relay.close();
});

it('takes the mail of those domains and no other', async () => {
  for (const site of ['direct', 'partner', 'mail.partner']) await live.seed(site, ORG, 1);
  await live.startWorker();
  await live.whenSent();
  const relayed = relay.messages.map(({ to }) => to[0]).toSorted();
  expect(relayed).toEqual(['r1@mail.partner.test', 'r1@partner.test']);
  expect(live.sink('direct').messages.map(({ to }) => to)).toEqual([['r1@direct.test']]);
  expect(live.sink('partner').messageCount).toBe(0);
});
