import { defineConfig } from '@playwright/test';

export default defineConfig({
  testMatch: '*.playwright.mjs',
  // `npx playwright install chromium` gets one where this is not set.
  use: { launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] } },
});
