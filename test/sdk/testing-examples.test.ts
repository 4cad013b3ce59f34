/** The examples of how to test mail, run as a reader runs them: with the built package, vitest and Playwright. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findChromium } from '../../scripts/lib/system-programs.mjs';
import { buildPackage } from '../../sdk/scripts/package-folder.ts';
import { WebhookFixture } from '../webhooks/fixture.ts';

const run = promisify(execFile);
const CHROMIUM = findChromium();

let fixture: WebhookFixture;
let project: string;
beforeAll(async () => {
  fixture = await WebhookFixture.start();
  project = mkdtempSync(path.join(tmpdir(), 'postrider-examples-'));
  cpSync('examples/testing', project, { recursive: true });
  const modules = path.join(project, 'node_modules');
  for (const name of ['@postrider', '@playwright']) mkdirSync(path.join(modules, name), { recursive: true });
  buildPackage(path.join(modules, '@postrider', 'sdk'));
  for (const name of ['vitest', '@playwright/test'])
    symlinkSync(path.resolve('node_modules', name), path.join(modules, name));
});
afterAll(async () => {
  rmSync(project, { recursive: true, force: true });
  await fixture?.stop();
});

async function output(program: string, args: readonly string[]): Promise<string> {
  const env = {
    ...{ PATH: process.env.PATH, HOME: project, NO_COLOR: '1', CHROMIUM: CHROMIUM ?? undefined },
    ...{ POSTRIDER_URL: fixture.server.url, POSTRIDER_API_KEY: fixture.org.key },
  };
  const cli = path.resolve('node_modules', program);
  const ended = run(process.execPath, [cli, ...args], { cwd: project, env, timeout: 150_000 });
  const { stdout } = await ended.catch((error) => {
    throw new Error(`${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}

it('a hundred people sign up at once, and two days of retries take seconds', async () => {
  expect(await output('vitest/vitest.mjs', ['run'])).toMatch(/Tests\s+101 passed/);
}, 180_000);

/** Of somebody who knows none of this and has vitest as it comes: it ends tests after 5 seconds. */
const LATE = `import { Postrider } from '@postrider/sdk';
import { test } from 'vitest';
test('mail that never comes', async () => {
  const postrider = new Postrider({ apiKey: process.env.POSTRIDER_API_KEY, baseUrl: process.env.POSTRIDER_URL });
  await postrider.sandbox.waitFor({ to: 'nobody@example.org' });
});`;

it('says why mail is missing before vitest ends the test', async () => {
  mkdirSync(path.join(project, 'late'));
  writeFileSync(path.join(project, 'late', 'late.test.mjs'), LATE);
  const failed = output('vitest/vitest.mjs', ['run', '--root', 'late']);
  await expect(failed).rejects.toThrow(
    'MailNotReceivedError: No mail to nobody@example.org arrived within 4 s.',
  );
}, 180_000);

it.skipIf(CHROMIUM === null)(
  'somebody signs up in a browser',
  async () => {
    expect(await output('@playwright/test/cli.js', ['test'])).toContain('1 passed');
  },
  180_000,
);
