/** Addresses that somebody typed or changed by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

const PAGES_OF_ONE = [
  '/emails/garbage',
  '/emails/%20',
  '/logs/garbage',
  '/approvals/garbage',
  '/inbox/garbage',
  '/inbound/garbage',
  '/templates/garbage',
  '/domains/garbage',
  '/webhooks/garbage',
];

describe.skipIf(CHROMIUM === null)('an address that was edited by hand', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  it.each(PAGES_OF_ONE)('says plainly that nothing is at %s', async (path) => {
    await owner.open(path);
    await owner.heading('Nothing was found at this address').waitFor();
    expect(await owner.button('Try again').count()).toBe(0);
    expect(owner.complaints).toEqual([]);
  });

  it.each([
    ['/emails?page=abc', ''],
    ['/emails?page=-1&search={"a":1}', ''],
    ['/templates?page=abc', ''],
    ['/holds?page=1.5&view=nothing', ''],
    ['/deliverability?range=never&by=nothing', ''],
    ['/settings/audit-log?action={"a":1}', ''],
  ])('ignores what %s does not mean', async (path) => {
    await owner.open(path);
    await owner.page.locator('.skeleton').first().waitFor({ state: 'detached' });
    expect(await owner.page.getByRole('alert').count()).toBe(0);
    expect(await owner.heading('A filter in the address is invalid').count()).toBe(0);
    expect(await owner.heading('This page could not be shown').count()).toBe(0);
    expect(owner.complaints).toEqual([]);
  });

  it.each([
    '/emails?status=garbage',
    '/emails?from_date=garbage',
    '/logs?status=99999',
    '/suppressions?reason=garbage',
  ])('names the filter of %s that is invalid, and leads to the whole list', async (path) => {
    await owner.open(path);
    await owner.heading('A filter in the address is invalid').waitFor();
    await owner.page.getByRole('link', { name: 'Show the list without filters' }).click();
    await owner.heading('A filter in the address is invalid').waitFor({ state: 'detached' });
    expect(new URL(owner.page.url()).search).toBe('');
  });

  it('has a heading where there is no page', async () => {
    for (const path of ['/nowhere', '/settings/nowhere']) {
      await owner.page.goto(path);
      await owner.page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
      expect(await owner.page.title()).toBe('Page not found · Postrider');
    }
  });
});
