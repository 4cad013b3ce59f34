import { defineConfig } from '@playwright/test';

export default defineConfig({
  testMatch: '*.playwright.mjs',
  // A machine that builds other things at the same time is slow. Tests give `waitFor` less than this, so that it says why mail is missing.
  timeout: 90_000,
  expect: { timeout: 30_000 },
  // `npx playwright install chromium` gets one where this is not set.
  use: { launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] } },
});
