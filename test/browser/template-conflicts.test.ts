/** Two people, one template: nothing that somebody typed is replaced without being asked about. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('the editor of a template', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;
  let colleague: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
    colleague = await fixture.member(owner, 'grace@example.org', 'member');
  });
  afterAll(() => fixture.stop());

  const editor = () => owner.page.getByRole('textbox', { name: 'HTML', exact: true });
  const focused = () => owner.page.evaluate(() => document.activeElement?.textContent);
  const get = async (id: string) => (await owner.call('GET', `/templates/${id}`)).body.data;

  async function openTemplate(): Promise<string> {
    const fields = { name: 'Receipt', subject: 'Thank you', html: 'first' };
    const { id } = (await owner.call('POST', '/templates', fields)).body.data;
    await owner.open(`/templates/${id}`);
    await editor().waitFor();
    return id;
  }

  async function clash(): Promise<string> {
    const id = await openTemplate();
    await editor().fill('mine');
    await colleague.call('PUT', `/templates/${id}/draft`, { html: 'theirs', subject: 'From Grace' });
    await owner.button('Save draft').click();
    await owner.page.getByText('grace@example.org changed the template').waitFor();
    return id;
  }

  it('keeps what is typed when a colleague saved a draft, and shows both states', async () => {
    const id = await clash();
    expect(await editor().inputValue()).toBe('mine');
    expect(await owner.button('Save draft').isDisabled()).toBe(true);
    expect((await get(id)).draft).toMatchObject({ html_body: 'theirs', saved_by: 'grace@example.org' });
    await owner.button('Compare').click();
    await owner.page.locator('.diff .removed', { hasText: 'theirs' }).waitFor();
    await owner.page.locator('.diff .added', { hasText: 'mine' }).waitFor();
    await owner.button('Close').click();
    await owner.button('Discard my changes').click();
  });

  it('puts my changes on top of theirs when I keep mine', async () => {
    const id = await clash();
    await owner.button('Keep my changes').click();
    await owner.button('Save draft').click();
    await owner.page.getByText('Draft saved.').waitFor();
    expect((await get(id)).draft).toMatchObject({ html_body: 'mine', subject: 'From Grace' });
  });

  it('shows theirs when I discard mine', async () => {
    await clash();
    await owner.button('Discard my changes').click();
    await owner.page.getByText('All changes saved.').waitFor();
    expect(await editor().inputValue()).toBe('theirs');
    expect(await owner.field('Subject').inputValue()).toBe('From Grace');
    expect(await focused()).toBe('All changes saved.');
  });

  it('keeps what is typed while it saves', async () => {
    const { page } = owner;
    const id = await openTemplate();
    let goOn = () => {};
    const typed = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/draft*', async (route) => {
      await typed;
      await route.continue();
    });
    await editor().fill('saved');
    await owner.button('Save draft').click();
    await editor().fill('saved and more');
    goOn();
    await page.getByText('Draft saved.').waitFor();
    await page.unroute('**/draft*');
    await page.getByText('Not saved yet.').waitFor();
    expect(await editor().inputValue()).toBe('saved and more');
    expect((await get(id)).draft.html_body).toBe('saved');
    await owner.button('Save draft').click();
    await page.getByText('All changes saved.').waitFor();
  });

  it('keeps what was saved while the page still has the state before', async () => {
    const { page } = colleague;
    const { id } = (await owner.call('POST', '/templates', { name: 'Receipt', subject: 'Hi', html: 'first' }))
      .body.data;
    await colleague.open(`/templates/${id}`);
    const text = page.getByRole('textbox', { name: 'HTML', exact: true });
    await text.fill('second');
    // The cache tells the page about the new state with a timer.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.press('Control+s');
    await page.getByText('All changes saved.').waitFor();
    expect(await text.inputValue()).toBe('second');
    await page.clock.resume();
    await page.getByText('Draft saved.').waitFor();
    expect(await text.inputValue()).toBe('second');
  });

  it('is no conflict with itself when the names were saved and the text was refused', async () => {
    const { page } = owner;
    const id = await openTemplate();
    await owner.field('Name').fill('Renamed');
    await editor().fill('{{#if open}}');
    await owner.button('Save draft').click();
    await page
      .getByRole('alert')
      .getByText(/never closed/)
      .first()
      .waitFor();
    await owner.heading('Renamed').waitFor();
    expect(await page.getByText('changed the template').count()).toBe(0);
    await editor().fill('closed');
    await owner.button('Save draft').click();
    await page.getByText('All changes saved.').waitFor();
    expect(await get(id)).toMatchObject({ name: 'Renamed', draft: { html_body: 'closed' } });
  });

  it('asks before it discards a draft', async () => {
    const { page } = owner;
    const id = await openTemplate();
    await editor().fill('second');
    await owner.button('Save draft').click();
    await owner.button('Discard draft').click();
    await page.getByRole('dialog').getByText('Version 1 is not changed.').waitFor();
    await owner.button('Go back').click();
    expect((await get(id)).draft).toMatchObject({ html_body: 'second' });
    await owner.button('Discard draft').click();
    await owner.button('Discard').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toBe('All changes saved.');
    expect(await editor().inputValue()).toBe('first');
    expect((await get(id)).draft).toBeNull();
  });

  it('keeps the focus on “Publish” after publishing', async () => {
    const { page } = owner;
    await openTemplate();
    await editor().fill('second');
    await owner.button('Publish').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Published as version 2.').waitFor();
    await page.getByText('All changes saved.').waitFor();
    expect(await focused()).toBe('Publish');
  });
});
