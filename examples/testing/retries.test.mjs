/** With vitest: a server that takes nothing for two days, in seconds. */
import { Postrider } from '@postrider/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';

const postrider = new Postrider({
  apiKey: process.env.POSTRIDER_API_KEY,
  baseUrl: process.env.POSTRIDER_URL,
});

let run;
beforeAll(async () => {
  run = await postrider.throwAway();
});
afterAll(() => run.delete());

test('mail that nobody takes is given up after two days of retries', async () => {
  const to = 'deferred+speed-20000@simulator.test'; // 48 hours are 9 seconds
  const { message_id } = await run.client.emails.send({
    from: { email: 'hello@sandbox.test' },
    to: [{ email: to }],
    subject: 'Hello',
    text: 'Hello',
    expires_in: 48 * 3600,
  });
  const status = async () => (await run.client.emails.get(message_id)).status;
  await expect.poll(status, { timeout: 80_000 }).toBe('failed');
  const { events } = await run.client.emails.get(message_id);
  expect(events.filter(({ type }) => type === 'deferred').length).toBeGreaterThan(5);
  expect(events.at(-1)).toMatchObject({ type: 'failed', reason: 'lifetime_exceeded' });
});
