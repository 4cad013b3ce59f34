/** With vitest: a hundred people sign up at once, and each types their own code. */
import { Postrider } from '@postrider/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';

const postrider = new Postrider({
  apiKey: process.env.POSTRIDER_API_KEY,
  baseUrl: process.env.POSTRIDER_URL,
});

let run;
let app;
beforeAll(async () => {
  run = await postrider.throwAway({ name: 'Sign-up tests' });
  process.env.APP_POSTRIDER_API_KEY = run.apiKey;
  const { startApp } = await import('./app.mjs');
  app = await startApp();
});
afterAll(async () => {
  await app.stop();
  await run.delete();
});

const post = async (path, fields) =>
  (await fetch(`${app.url}${path}`, { method: 'POST', body: JSON.stringify(fields) })).text();

const people = Array.from({ length: 100 }, (_, n) => `user-${n}@example.org`);

test.concurrent.each(people)('%s signs up', async (email) => {
  await post('/sign-up', { email });
  const mail = await run.client.sandbox.waitFor(
    { to: email, subject: 'sign-in code' },
    { timeoutMs: 60_000 },
  );
  expect(await post('/confirm', { email, code: mail.codes[0] })).toBe(`Welcome, ${email}`);
});
