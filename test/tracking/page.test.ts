/** The unsubscribe page in a real browser: without script, in the dark, on a small phone. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../scripts/lib/system-programs.mjs';
import { TrackingFixture } from './fixture.ts';

const CHROMIUM = findChromium();
const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
const PHONE = { width: 360, height: 740 };

describe.skipIf(CHROMIUM === null)('the unsubscribe page', () => {
  let fixture: TrackingFixture;
  let browser: Browser;
  let link: string;
  let axe: string;
  beforeAll(async () => {
    fixture = await TrackingFixture.start();
    const emailId = await fixture.delivered('delivered');
    link = fixture.unsubscribe(`${'a-rather-long-name'.repeat(3)}@example.org`, emailId);
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: FLAGS });
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  });
  afterAll(async () => {
    await browser?.close();
    await fixture?.stop();
  });

  it('takes somebody off the list and back without any script', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(link);
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    expect(await suppressed()).toBe(1);
    await page.getByRole('button', { name: 'Subscribe again' }).click();
    await page.getByRole('heading', { name: 'You are subscribed again' }).waitFor();
    expect(await suppressed()).toBe(0);
    await page.close();
  });

  it.each(['light', 'dark'] as const)(
    'is accessible in %s and fits on a small phone',
    async (colorScheme) => {
      const page = await browser.newPage({ colorScheme, viewport: PHONE });
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      await page.goto(link);
      expect(await problemsOn(page)).toEqual([]);
      await page.getByRole('button').click();
      await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
      expect(await problemsOn(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  async function suppressed(): Promise<number> {
    return (await fixture.server.api('GET', '/suppressions', undefined, fixture.org.key)).body.data.length;
  }

  /** Styles are applied (the policy allows them), nothing is too wide, and axe finds nothing. */
  async function problemsOn(page: Page): Promise<string[]> {
    const { width, maxWidth } = await page.evaluate<{ width: number; maxWidth: string }>(
      `({ width: document.documentElement.scrollWidth,
          maxWidth: getComputedStyle(document.querySelector('main')).maxWidth })`,
    );
    await page.evaluate(axe);
    const violations = await page.evaluate(
      "axe.run().then(({ violations }) => violations.map(({ id, help }) => id + ': ' + help))",
    );
    return [
      ...(width > PHONE.width ? [`${width} pixels wide`] : []),
      ...(maxWidth === 'none' ? ['no styles'] : []),
      ...(violations as string[]),
    ];
  }
});
