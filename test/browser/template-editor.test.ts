/** Writing a template: code and preview side by side, variables from a menu, everything by keyboard, and on a phone. */
import type { Dialog } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

const TEMPLATE = {
  name: 'Receipt',
  subject: 'Hello {{name}}',
  html: '<h1>Hello {{name}}</h1>\n{{#each items}}<p>{{this.title}}</p>{{/each}}\n',
  text: 'Hello {{name}}',
  variable_schema: [
    { name: 'name', type: 'string', required: true },
    { name: 'items[].price', type: 'number' },
    { name: 'plan', type: 'string' },
    { name: 'paid', type: 'boolean' },
  ],
};

describe.skipIf(CHROMIUM === null)('the template editor', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  const editor = () => owner.page.getByRole('textbox', { name: 'HTML', exact: true });
  const frame = () => owner.page.locator('iframe');
  const tab = (name: string) => owner.page.getByRole('tab', { name, exact: true });
  const focused = () =>
    owner.page.evaluate(() => {
      const { activeElement: at } = document;
      return at === document.body ? 'nothing' : (at?.getAttribute('aria-label') ?? at?.textContent ?? '');
    });
  const sideways = () => owner.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

  async function openTemplate(width = 1280, changes: Partial<typeof TEMPLATE> = {}): Promise<string> {
    await owner.page.setViewportSize({ width, height: 860 });
    const { id } = (await owner.call('POST', '/templates', { ...TEMPLATE, ...changes })).body.data;
    await owner.open(`/templates/${id}`);
    await editor().waitFor();
    return id;
  }

  it.each([1600, 1280, 1000, 760])('shows the preview beside the code at %i px', async (width) => {
    await openTemplate(width, { html: '<h1>Hello {{name}}</h1><div style="height:1200px"></div>' });
    await owner.page.frameLocator('iframe').getByRole('heading', { name: 'Hello Ada' }).waitFor();
    await editor().evaluate((element) => element.scrollIntoView());
    const [code, preview] = [await editor().boundingBox(), await frame().boundingBox()];
    if (!code || !preview) throw new Error('Code and preview are not both shown.');
    expect(preview.x).toBeGreaterThanOrEqual(code.x + code.width);
    expect(preview.y).toBeLessThan(code.y + code.height);
    expect(preview.y + preview.height).toBeGreaterThan(code.y);
    expect(await sideways()).toBeLessThanOrEqual(0);
  });

  it('has the preview in a tab on a phone, and keeps typed text and its place there', async () => {
    await openTemplate(360);
    expect(await frame().isVisible()).toBe(false);
    expect(await sideways()).toBeLessThanOrEqual(0);
    await editor().fill('<h1>Dear {{name}}</h1>');
    await tab('Preview').click();
    await owner.page.frameLocator('iframe').getByRole('heading', { name: 'Dear Ada' }).waitFor();
    expect(await editor().isVisible()).toBe(false);
    expect(await sideways()).toBeLessThanOrEqual(0);
    await tab('Edit').click();
    expect(await editor().inputValue()).toBe('<h1>Dear {{name}}</h1>');
    await owner.button('Save draft').click();
    await owner.page.getByText('Draft saved.').waitFor();
  });

  it('keeps typed text while the versions are shown', async () => {
    await openTemplate();
    await editor().fill('typed');
    const asked: string[] = [];
    const answer = (dialog: Dialog) => {
      asked.push(dialog.message());
      return dialog.accept();
    };
    owner.page.on('dialog', answer);
    await tab('Versions').click();
    await owner.page.getByRole('cell', { name: /^1 current/ }).waitFor();
    await tab('Edit').click();
    owner.page.off('dialog', answer);
    expect(asked).toEqual([]);
    expect(await editor().inputValue()).toBe('typed');
    await owner.button('Save draft').click();
    await owner.page.getByText('Draft saved.').waitFor();
  });

  it('is used by keyboard alone, from the first letter to “Publish”, and never loses the focus', async () => {
    const { page } = owner;
    const id = await openTemplate();
    await page.evaluate(() => {
      const state = window as unknown as { losses: number };
      state.losses = 0;
      document.addEventListener('focusout', () =>
        setTimeout(() => {
          if (document.activeElement === document.body) state.losses += 1;
        }),
      );
    });
    await editor().focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('<p>New</p>');
    await page.keyboard.press('Control+s');
    await page.getByText('Draft saved.').waitFor();
    await page.keyboard.type('<p>More</p>');
    expect(await editor().inputValue()).toBe(`<p>New</p><p>More</p>${TEMPLATE.html}`);
    await page.keyboard.press('Escape');
    for (let steps = 0; (await focused()) !== 'Publish'; steps += 1) {
      expect(steps).toBeLessThan(30);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByText('Published as version 2.').waitFor();
    await page.getByText('All changes saved.').waitFor();
    expect(await focused()).not.toBe('nothing');
    expect(await page.evaluate(() => (window as unknown as { losses: number }).losses)).toBe(0);
    const { body } = await owner.call('GET', `/templates/${id}`);
    expect(body.data).toMatchObject({ version: 2, html_body: `<p>New</p><p>More</p>${TEMPLATE.html}` });
  });

  it('inserts a variable where somebody was writing, by keyboard', async () => {
    const { page } = owner;
    await openTemplate();
    const menu = owner.button('Insert variable');
    const choose = async (name: string) => {
      await menu.focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('menuitem', { name }).waitFor();
      for (let steps = 0; !(await focused()).startsWith(name); steps += 1) {
        expect(steps).toBeLessThan(10);
        await page.keyboard.press(name.slice(0, 1));
      }
      await page.keyboard.press('Enter');
    };
    await editor().fill('');
    await page.keyboard.type('<p>');
    await choose('plan');
    await page.keyboard.type('</p>');
    expect(await editor().inputValue()).toBe('<p>{{plan}}</p>');
    while ((await editor().inputValue()).includes('{{plan}}')) await page.keyboard.press('Control+z');
    expect(await editor().inputValue()).toBe('<p>');

    await editor().fill('{{#each items}}');
    await choose('items[].price');
    await page.keyboard.type('{{/each}}');
    expect(await editor().inputValue()).toBe('{{#each items}}{{this.price}}{{/each}}');

    await editor().fill('');
    await choose('paid');
    await page.keyboard.type('yes');
    expect(await editor().inputValue()).toBe('{{#if paid}}yes{{/if}}');

    await owner.field('Subject').fill('For ');
    await choose('name');
    expect(await owner.field('Subject').inputValue()).toBe('For {{name}}');
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    expect(await focused()).toBe('Insert variable');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });

  it('sends a test of unsaved changes, and stays open', async () => {
    const { page } = owner;
    const id = await openTemplate();
    await owner.field('Subject').fill('Changed for {{name}}');
    await owner.button('Send test').click();
    await owner.button('Save draft and send').click();
    await page.getByText('The test was sent to ada@example.org.').waitFor();
    await owner.button('Done').click();
    expect(await owner.field('Subject').inputValue()).toBe('Changed for {{name}}');
    const { body } = await owner.call('GET', `/templates/${id}`);
    expect(body.data).toMatchObject({ version: 1, draft: { subject: 'Changed for {{name}}' } });
    await owner.button('Send test').click();
    await owner.button('Send test email').click();
    await page.getByRole('link', { name: 'View email' }).click();
    await owner.heading('Changed for Ada').waitFor();
  });

  it('shows two versions side by side, as code and as they look', async () => {
    const { page } = owner;
    const id = await openTemplate();
    for (const html of ['<h1>Second</h1>', '<h1>Third</h1>'])
      await owner.call('PUT', `/templates/${id}`, { html: `${TEMPLATE.html}${html}\n` });
    await owner.open(`/templates/${id}?tab=versions`);
    await owner.button('Compare version 1 with the current one').click();
    await owner.field('From').selectOption('Version 2');
    const row = page.locator('.diff tr', { has: page.locator('.removed', { hasText: '<h1>Second</h1>' }) });
    const [removed, added] = [row.locator('.removed'), row.locator('.added', { hasText: 'Third' })];
    const [left, right] = [await removed.boundingBox(), await added.boundingBox()];
    expect(left && right && left.x + left.width <= right.x + 1 && left.y === right.y).toBe(true);
    await owner.button('Preview').click();
    await page
      .frameLocator('iframe[title="Preview of Version 2"]')
      .getByRole('heading', { name: 'Second' })
      .waitFor();
    await page
      .frameLocator('iframe[title="Preview of Version 3"]')
      .getByRole('heading', { name: 'Third' })
      .waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await owner.button('Code').click();
    const stacked = [await removed.boundingBox(), await added.boundingBox()];
    expect((stacked[0]?.y ?? 0) < (stacked[1]?.y ?? 0)).toBe(true);
    const dialog = page.getByRole('dialog');
    expect(await dialog.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
    await owner.button('Close').click();
  });
});
