import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('a template in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  it('is edited with a live preview and mistakes named, saved, compared, restored and sent', async () => {
    const { page } = owner;
    const preview = page.frameLocator('iframe');
    await owner.open('/templates');
    await owner.button('New template').first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Receipt');
    await owner.button('Create template').click();
    await preview.getByRole('heading', { name: 'Thank you, Ada' }).waitFor();

    const editor = page.getByRole('textbox', { name: 'HTML', exact: true });
    await editor.fill('<h1>Dear {{name}}</h1>{{#if paid}}');
    await page.getByText(/line 1, column \d+: \{\{#if\}\} is never closed/).waitFor();
    expect(await page.locator('.tok-problem').textContent()).toBe('{{#if paid}}');
    await editor.fill('<h1>Dear {{name}}</h1>');
    await preview.getByRole('heading', { name: 'Dear Ada' }).waitFor();
    await owner.field('name is required').check();
    await owner.field('Default of name').fill('friend');
    await owner.field('Alias').fill('receipt');
    await owner.field('Subject').fill('For {{name}}');
    await page.getByText('For Ada').waitFor();
    await owner.button('Phone').click();
    await page.locator('iframe.phone').waitFor();
    await owner.button('Save draft').click();
    await page.getByText('Draft saved.').waitFor();
    await page.getByText('Mail is sent with version 1.').waitFor();
    await owner.button('Publish').click();
    await page.getByText('Published as version 2.').waitFor();
    await page.getByText('Mail is sent with version 1.').waitFor({ state: 'detached' });
    const saved = await owner.call('GET', `/templates/${page.url().split('/').at(-1)}`);
    expect(saved.body.data).toMatchObject({
      alias: 'receipt',
      subject: 'For {{name}}',
      variable_schema: [{ name: 'name', type: 'string', required: true, default_value: 'friend' }],
    });

    await page.getByRole('tab', { name: 'Versions' }).click();
    await owner.button('Compare version 1 with the current one').click();
    await page.locator('.diff .added', { hasText: 'Dear {{name}}' }).waitFor();
    await owner.button('Close').click();
    await owner.button('Restore version 1').click();
    await page.getByText('Version 1 was restored as version 3.').waitFor();
    await preview.getByRole('heading', { name: 'Thank you, Ada' }).waitFor();

    await owner.button('Send test').click();
    await owner.button('Send test email').click();
    await page.getByRole('link', { name: 'View email' }).click();
    await owner.heading('Thank you, Ada').waitFor();
    await page.getByText(/said 250/).waitFor();
  });

  it('is checked for what mail clients do not support and links that lead nowhere, as it is written', async () => {
    const { page } = owner;
    const template = {
      name: 'Checked',
      subject: 'Hello',
      html: '<p style="display:grid">Hi <a href="http://127.0.0.1:9/">go</a></p>',
    };
    const { body } = await owner.call('POST', '/templates', template);
    await owner.open(`/templates/${body.data.id}`);
    await owner.button('Run checks').click();
    await page.getByRole('link', { name: /display:.*grid/ }).waitFor();
    await page.getByText('not checked yet').waitFor();
    await owner.button('Check links').click();
    await page.getByText('not checked yet').waitFor({ state: 'detached' });
    await page
      .getByRole('textbox', { name: 'HTML', exact: true })
      .fill('<p>Hi <img src="https://a.example/x.png"></p>');
    await page.getByText('The template was changed after the checks.').waitFor();
    await owner.button('Run checks').click();
    await page.getByText(/One image has no alt text/).waitFor();
    await page.getByText('The template was changed after the checks.').waitFor({ state: 'detached' });
  });

  it('is put into a layout, has its CSS inlined, and is translated', async () => {
    const { page } = owner;
    const preview = page.frameLocator('iframe');
    const layout = { name: 'Frame', kind: 'layout', html: '<main><h2>Acme</h2>{{{content}}}</main>' };
    const made = await owner.call('POST', '/templates', layout);
    const html = '<style>p{color:#06c}</style><p>Hello</p>';
    const { body } = await owner.call('POST', '/templates', { name: 'Framed', subject: 'Hello', html });
    const inlined = page.getByRole('checkbox', { name: 'Inline CSS' });
    const saved = async () => (await owner.call('GET', `/templates/${body.data.id}`)).body.data;
    await owner.open(`/templates/${body.data.id}`);
    await preview.getByText('Hello').waitFor();
    expect(await preview.locator('p').getAttribute('style')).toBeNull();

    await owner.field('Layout').selectOption({ label: 'Frame' });
    await preview.getByRole('heading', { name: 'Acme' }).waitFor();
    await inlined.check();
    await preview.locator('p[style="color:#06c"]').waitFor();

    await owner.field('Add a language').fill('nonsense!');
    await owner.button('Add').click();
    await page.getByText('Enter the code of a language that the template does not have yet').waitFor();
    await owner.field('Add a language').fill('pt-br');
    await owner.button('Add').click();
    expect(await owner.field('Language').inputValue()).toBe('pt-BR');
    await owner.field('Subject').fill('Olá');
    await page.getByRole('textbox', { name: 'HTML', exact: true }).fill('<p>Bom dia</p>');
    await preview.getByText('Bom dia').waitFor();
    await owner.field('Language').selectOption('');
    await preview.getByText('Hello').waitFor();
    expect(await owner.field('Subject').inputValue()).toBe('Hello');

    await owner.button('Publish').click();
    await page.getByText('Published as version 2.').waitFor();
    expect(await saved()).toMatchObject({
      layout: made.body.data.id,
      inline_css: true,
      translations: [{ locale: 'pt-BR', subject: 'Olá', html: '<p>Bom dia</p>' }],
    });
    await owner.field('Language').selectOption('pt-BR');
    await owner.button('Remove pt-BR').click();
    await owner.field('Layout').selectOption('');
    await inlined.uncheck();
    await owner.button('Publish').click();
    await page.getByText('Published as version 3.').waitFor();
    expect(await saved()).toMatchObject({ layout: null, inline_css: false, translations: [] });
  });
});
