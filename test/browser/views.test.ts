/** Saved views: one person saves and shares, colleagues use them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAxe } from './axe.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('saved views', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;
  let colleague: Visitor;
  let reader: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
    colleague = await fixture.member(owner, 'bob@example.org', 'member');
    reader = await fixture.member(owner, 'reader@example.org', 'read_only');
  });
  afterAll(() => fixture.stop());

  /** With the filters of the address. */
  async function save(visitor: Visitor, path: string, name: string, { shared = false } = {}): Promise<void> {
    await visitor.open(path);
    await visitor.button('Save view').click();
    await visitor.field('Name').fill(name);
    if (shared) await visitor.page.getByLabel(/^Share with the organization/).check();
    await visitor.button('Save').click();
    await visitor.button(`View: ${name}`).waitFor();
  }

  const item = (visitor: Visitor, name: string | RegExp) => visitor.page.getByRole('menuitem', { name });

  it('are shared with a colleague, who uses them by keyboard', async () => {
    await save(owner, '/emails?status=bounced&period=7d', 'Bounces of the week', { shared: true });
    const { page } = colleague;
    await colleague.open('/emails');
    await colleague.button('Views').focus();
    await page.keyboard.press('ArrowDown');
    await item(colleague, /^Bounces of the week shared by Ada$/).waitFor();
    await page.keyboard.press('b');
    await page.keyboard.press('Enter');
    await page.waitForURL(/status=bounced/);
    expect(page.url()).toContain('period=7d');
    await colleague.button('View: Bounces of the week').waitFor();
    // Not the colleague's to change.
    await colleague.button('View: Bounces of the week').click();
    await item(colleague, /^Bounces of the week/).waitFor();
    expect(await item(colleague, 'Change views…').count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  it('say beside the field that a colleague has shared the name before', async () => {
    await save(owner, '/suppressions?reason=manual', 'By hand', { shared: true });
    const { page } = colleague;
    await colleague.open('/suppressions?reason=complaint');
    await colleague.button('Save view').click();
    await colleague.field('Name').fill('By hand');
    await page.getByLabel(/^Share with the organization/).check();
    await colleague.button('Save').click();
    const problem = page.getByText('A shared view of this list already has this name. Choose another name.');
    await problem.waitFor();
    expect(await colleague.field('Name').getAttribute('aria-invalid')).toBe('true');
    await colleague.field('Name').fill('Complaints');
    await colleague.button('Save').click();
    await colleague.button('View: Complaints').waitFor();
  });

  it('are kept, but not shared, by people who may only read', async () => {
    const { page } = reader;
    await reader.open('/templates?search=welcome');
    await reader.button('Save view').click();
    await reader.field('Name').fill('Welcomes');
    expect(await page.getByLabel(/^Share with the organization/).count()).toBe(0);
    await reader.button('Save').click();
    await reader.button('View: Welcomes').click();
    await item(reader, 'Welcomes only you').waitFor();
    await colleague.open('/templates?search=welcome');
    await colleague.button('Save view').waitFor();
    expect(await colleague.button('Views').count()).toBe(0);
  });

  it('are renamed with the filters of the list, and deleted', async () => {
    const { page } = owner;
    await save(owner, '/logs?code=DOMAIN_NOT_VERIFIED', 'Senders');
    await owner.open('/logs?code=VALIDATION_ERROR');
    await owner.button('Views').click();
    await item(owner, 'Change views…').click();
    await owner.button('Change Senders').click();
    await owner.field('Name').fill('Mistakes');
    await page.getByLabel('Replace its filters with those of the list now').check();
    await owner.button('Save').click();
    await owner.button('View: Mistakes').click();
    await item(owner, 'Change views…').click();
    await owner.button('Delete Mistakes').click();
    await owner.button('Delete').click();
    await owner.button('Save view').waitFor();
    expect(await owner.button(/^View/).count()).toBe(0);
  });

  it('that an older version kept in the browser become own views, and leave the browser', async () => {
    const { page } = colleague;
    const me = await colleague.call('GET', '/auth/me');
    const key = `postrider.filters.${me.body.data.organization.id}/holds`;
    const kept = [
      { name: 'Of operators', search: { view: 'installation' } },
      { name: 'Outdated', search: { colour: 'red' } },
    ];
    await page.evaluate(
      ([name, value]) => localStorage.setItem(name as string, value as string),
      [key, JSON.stringify(kept)],
    );
    await colleague.open('/holds');
    await colleague.button('Views').click();
    await item(colleague, 'Of operators only you').waitFor();
    expect(await item(colleague, /Outdated/).count()).toBe(0);
    expect(await page.evaluate((name) => localStorage.getItem(name), key)).toBeNull();
  });

  it.each(['light', 'dark'] as const)('are accessible in %s and fit on a phone', async (colorScheme) => {
    const { page } = owner;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    await owner.open('/emails?status=bounced');
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    await owner.button('Views').click();
    await item(owner, 'Change views…').waitFor();
    expect((await runAxe(page)).violations).toEqual([]);
    expect(await fits()).toBe(true);
    await item(owner, 'Change views…').click();
    await page.getByRole('dialog').waitFor();
    expect((await runAxe(page)).violations).toEqual([]);
    await page.keyboard.press('Escape');
    await owner.button('Save view').click();
    await page.getByRole('dialog').waitFor();
    expect((await runAxe(page)).violations).toEqual([]);
    expect(await fits()).toBe(true);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 860 });
  });
});
