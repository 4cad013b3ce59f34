/** Two tabs of one browser, and an organization that only one of them was switched to. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('a tab that shows another organization than the session', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;
  let second: string;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
    second = (await owner.call('POST', '/organizations', { name: 'Second' })).body.data.id;
    // The person is faster than the live stream, which would tell of the switch first.
    await owner.page.route('**/events/changes', (route) => route.abort());
  });
  afterAll(() => fixture.stop());

  const switchTo = (id: string) => owner.call('POST', '/auth/organization', { organization_id: id });
  const suppressed = async (id: string) => {
    const rows = adHoc<{ email: string }>('SELECT email FROM suppressions WHERE organization_id = $1');
    return (await fixture.api.db.many(rows, [id])).map(({ email }) => email);
  };

  /** Fills a form in a tab of the first organization, and switches in another tab before it is submitted. */
  async function submitTooLate(page: Page, address: string): Promise<void> {
    await switchTo(fixture.organization.id);
    await page.goto('/suppressions');
    await page.getByRole('button', { name: 'Add an address' }).first().click();
    await page.getByRole('dialog').getByLabel('Address', { exact: true }).fill(address);
    await switchTo(second);
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: false }).click();
    await page.getByRole('heading', { name: 'You switched to another organization' }).waitFor();
  }

  it('does nothing in either, and goes back with what was typed', async () => {
    const { page } = owner;
    await submitTooLate(page, 'late@example.org');
    expect(await suppressed(second)).toEqual([]);
    expect(await suppressed(fixture.organization.id)).not.toContain('late@example.org');
    await owner.button('Go back to Acme').click();
    await owner.heading('You switched to another organization').waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog').getByLabel('Address', { exact: true }).inputValue()).toBe(
      'late@example.org',
    );
    await page.getByRole('dialog').getByLabel('Address', { exact: true }).press('Enter');
    await page.getByRole('cell', { name: 'late@example.org', exact: true }).waitFor();
    expect(await suppressed(fixture.organization.id)).toContain('late@example.org');
    expect(await suppressed(second)).toEqual([]);
  });

  it('shows the other one when asked to', async () => {
    const { page } = owner;
    await submitTooLate(page, 'later@example.org');
    await owner.button('Show Second').click();
    await owner.heading('Overview').waitFor();
    await page.getByRole('button', { name: 'Second' }).waitFor();
    expect(await suppressed(second)).toEqual([]);
  });
});
