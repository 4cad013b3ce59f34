/** The documentation in a browser: found, read in any light, on a phone, and with nothing but a keyboard. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAxe } from './axe.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

/** A page of each kind: the first, a list, prose with code, wide tables, pictures, tabs. */
const PAGES = [
  '/docs/',
  '/docs/start/',
  '/docs/start/quick-start',
  '/docs/send/emails',
  '/docs/reference/errors',
  '/docs/deploy/configuration',
  '/docs/internals/architecture',
  '/docs/reference/guarantees',
  '/docs/decisions/',
  '/docs/reference/',
  '/docs/reference/emails',
  '/docs/reference/webhook-events',
];
const PHONE = { width: 320, height: 640 };

describe.skipIf(CHROMIUM === null)('the documentation', () => {
  let fixture: BrowserFixture;
  let reader: Visitor;
  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    reader = await fixture.visitor();
  }, 120_000);
  afterAll(() => fixture.stop());

  it.each(PAGES)('has no serious accessibility problem, in light and in dark: %s', async (address) => {
    await reader.open(address);
    for (const colorScheme of ['light', 'dark'] as const) {
      await reader.page.emulateMedia({ colorScheme });
      const { violations, passes } = await runAxe(reader.page);
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)).toEqual([]);
      expect(passes).toBeGreaterThan(10);
    }
  });

  it.each(PAGES)('fits on a small phone without scrolling sideways: %s', async (address) => {
    const phone = await fixture.visitor(PHONE);
    await phone.open(address);
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await phone.context.close();
  });

  it('names the installation that it is served by, where commands are to be copied', async () => {
    await reader.open('/docs/reference/');
    const { origin } = new URL(reader.page.url());
    const shown = () => reader.page.locator('code', { hasText: 'POSTRIDER_URL=' }).first().textContent();
    await expect.poll(shown).toContain(`POSTRIDER_URL=${origin}\n`);
  });

  it('is searched with the keyboard alone', async () => {
    await reader.open('/docs/');
    await reader.page.keyboard.press('/');
    const box = reader.page.getByRole('combobox', { name: 'Search the documentation' });
    await box.pressSequentially('rate limit');
    const options = reader.page.getByRole('option');
    await expect.poll(() => options.count()).toBeGreaterThan(3);
    expect(await options.first().getAttribute('aria-selected')).toBe('true');
    await reader.page.keyboard.press('ArrowDown');
    expect(await box.getAttribute('aria-activedescendant')).toBe('search-result-1');
    expect((await runAxe(reader.page)).violations.map(({ id }) => id)).toEqual([]);
    await reader.page.keyboard.press('ArrowUp');
    await reader.page.keyboard.press('Enter');
    await reader.page.waitForURL('**/docs/reference/errors#rate-limit');
  });

  it('says so when nothing is found, and Escape closes the search', async () => {
    await reader.open('/docs/');
    await reader.page.keyboard.press('Control+k');
    await reader.page.getByRole('combobox').fill('qqqqxyz');
    await reader.page.getByText('Nothing found for “qqqqxyz”.').waitFor();
    await reader.page.keyboard.press('Escape');
    await reader.page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('keeps the theme that was chosen, on every page and in the dashboard', async () => {
    const other = await fixture.visitor();
    await other.open('/docs/');
    await other.button('Theme: system').click();
    await other.button('Theme: light').click();
    await other.open('/docs/send/emails');
    await other.button('Theme: dark').waitFor();
    await other.page.goto('/');
    expect(await other.page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await other.context.close();
  });

  it('opens its menu on a phone, and closes it with Escape', async () => {
    const phone = await fixture.visitor(PHONE);
    await phone.open('/docs/track/events');
    const menu = phone.page.getByRole('navigation', { name: 'Documentation' });
    const button = phone.button('Menu');
    await button.press('Enter');
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await phone.page.keyboard.press('Escape');
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    await button.click();
    await menu.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await phone.heading('Webhooks').first().waitFor();
    await phone.context.close();
  });

  it('shows an example in the language that was chosen, with the keyboard, and on the next visit', async () => {
    await reader.open('/docs/start/quick-start');
    const shown = () => reader.page.locator('.code-group .code:visible').innerText();
    expect(await shown()).toContain('curl http://');
    const tab = (name: string) => reader.page.getByRole('tab', { name, exact: true });
    await tab('curl').press('ArrowRight');
    expect(await shown()).toContain('await fetch(');
    await tab('JavaScript').press('ArrowLeft');
    await tab('curl').press('ArrowLeft');
    expect(await shown()).toContain('package main');
    await reader.page.reload();
    expect(await shown()).toContain('package main');
    expect(await tab('Go').getAttribute('aria-selected')).toBe('true');
  });

  it('is read without scripts: every language is shown, and the menu is there', async () => {
    const { page, context } = await fixture.visitor({ javaScriptEnabled: false });
    await page.goto('/docs/start/quick-start');
    expect(await page.locator('.code-group .code:visible').count()).toBe(6);
    expect(await page.getByRole('button').count()).toBe(0);
    await page
      .getByRole('navigation', { name: 'Documentation' })
      .getByRole('link', { name: 'Reference', exact: true })
      .click();
    await page.getByRole('heading', { name: 'API reference' }).waitFor();
    await context.close();
  });

  it('copies an example', async () => {
    await reader.open('/docs/reference/errors');
    await reader.page.locator('.code').first().hover();
    await reader.page.locator('.copy').first().click();
    await reader.button('Copied').waitFor();
    expect(await reader.page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^curl \$API\/emails\/send/,
    );
  });

  it('leads from the old address of a page to the page, and to a heading that is elsewhere now', async () => {
    await reader.page.goto('/docs/api/sending#fields');
    await reader.page.waitForURL('**/docs/send/emails#fields');
    await reader.page.goto('/docs/api/templates#send-it-to-many');
    await reader.page.waitForURL('**/docs/send/batch#send-one-template-to-many-recipients');
  });

  it('still leads from the old address of an endpoint to the endpoint', async () => {
    await reader.page.goto('/docs#post_emails_send');
    await reader.page.waitForURL(/\/docs\/reference\/emails#send-/);
  });

  it('has a page for addresses that do not exist, which leads back', async () => {
    await reader.open('/docs/api/nowhere/at-all');
    await reader.heading('Page not found').waitFor();
    await reader.page.getByRole('link', { name: 'the first page' }).click();
    await reader.heading('Postrider').waitFor();
  });

  it('asks nobody else for anything, and does nothing that its policy forbids', () => {
    expect([...reader.hosts]).toEqual([new URL(fixture.api.url).host]);
    expect(reader.complaints).toEqual([]);
  });
});
