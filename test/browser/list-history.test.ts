/** Somebody who filters a list, turns its pages, and presses Back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('lists in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    await fixture.stopWorker();
    owner = await fixture.owner();
    const from = { email: `a@${fixture.organization.domain}` };
    const emails = Array.from({ length: 60 }, (_, n) => ({
      ...{ from, subject: `Letter ${n}`, text: 'x' },
      to: [{ email: `recipient${n}@example.org` }],
    }));
    await owner.call('POST', '/emails/batch/mixed', { emails });
  });
  afterAll(() => fixture.stop());

  const search = () => new URL(owner.page.url()).search;

  it('keep every page and every filter in the history of the browser', async () => {
    const { page } = owner;
    await owner.open('/emails');
    await owner.button('Older').click();
    await page.getByText('60 emails, page 2 of 3').waitFor();
    await owner.button('Older').click();
    await page.getByText('60 emails, page 3 of 3').waitFor();
    await owner.field('Status').selectOption('failed');
    await owner.heading('Nothing matches').waitFor();
    await page.goBack();
    await page.getByText('60 emails, page 3 of 3').waitFor();
    expect(await owner.field('Status').inputValue()).toBe('');
    await page.goBack();
    await page.getByText('60 emails, page 2 of 3').waitFor();
    await page.goForward();
    await page.getByText('60 emails, page 3 of 3').waitFor();
  });

  it('keep one entry for a word, however slowly it is typed', async () => {
    const { page } = owner;
    await owner.open('/suppressions');
    await owner.open('/emails');
    for (const text of ['rec', 'recipient', 'recipient1']) {
      await owner.field('Search').fill(text);
      await page.waitForURL((url) => url.searchParams.get('search') === text);
    }
    await page.goBack();
    await page.waitForURL((url) => url.search === '');
    expect(await owner.field('Search').inputValue()).toBe('');
    await page.getByText('60 emails', { exact: false }).waitFor();
    await page.goBack();
    await owner.heading('Suppressions').waitFor();
  });

  it('keep a status that is chosen while a word is typed', async () => {
    const { page } = owner;
    await owner.open('/emails');
    await owner.field('Search').fill('example');
    await owner.field('Status').selectOption('queued');
    await page.waitForURL((url) => url.searchParams.get('search') === 'example');
    expect(search()).toContain('status=queued');
  });

  it('offer periods that move with the calendar, and days of your own', async () => {
    const { page } = owner;
    await owner.open('/emails');
    await owner.field('Period').selectOption({ label: 'Yesterday' });
    await owner.heading('Nothing matches').waitFor();
    expect(search()).toBe('?period=yesterday');
    await owner.field('Period').selectOption({ label: 'Last 7 days' });
    await page.getByText('60 emails', { exact: false }).waitFor();
    await owner.field('Period').selectOption({ label: 'Other days…' });
    await owner.field('Until').fill('2026-01-01');
    await owner.heading('Nothing matches').waitFor();
    expect(search()).toBe('?to_date=2026-01-01');
    await owner.field('Period').selectOption({ label: 'Any time' });
    await page.getByText('60 emails', { exact: false }).waitFor();
    expect(search()).toBe('');
    await owner.open('/logs?period=30d');
    expect(await owner.field('Period').locator('option:checked').innerText()).toBe('Last 30 days');
  });
});
