/** With Playwright: somebody signs up in a browser, and types the code of the mail. */
import { expect, test } from '@playwright/test';
import { Postrider } from '@postrider/sdk';

const postrider = new Postrider({
  apiKey: process.env.POSTRIDER_API_KEY,
  baseUrl: process.env.POSTRIDER_URL,
});

let run;
let app;
test.beforeAll(async () => {
  run = await postrider.throwAway({ name: 'Sign-up in a browser' });
  process.env.APP_POSTRIDER_API_KEY = run.apiKey;
  const { startApp } = await import('./app.mjs');
  app = await startApp();
});
test.afterAll(async () => {
  await app.stop();
  await run.delete();
});

test('the code of the mail signs up', async ({ page }) => {
  const email = 'ada@example.org';
  await page.goto(app.url);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Sign up' }).click();
  const { codes } = await run.client.sandbox.waitFor({ to: email }, { timeoutMs: 60_000 });
  await page.getByLabel('Code').fill(codes[0]);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('status')).toHaveText(`Welcome, ${email}`);
});
