/** The visual mode of the template editor: fields for texts, images and buttons, and every other byte as it was. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

/** With everything that an editor of its own HTML would rewrite. */
const HTML = `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<HTML><head><style>p > b { color: {{color}} }</style></head>
<body bgcolor=#f6f4f1 onload="window.hacked = true">\r
<!--[if mso]><table><tr><td width="600"><![endif]-->
<h1   class='big'>Thank&nbsp;you, {{name}} &copy; caf&eacute;</h1>
<table><tr><td><p>First &amp; last<br/>two {{#if paid}}lines{{else}}more{{/if}}</p>
  <p>Next <b>{{coupon}}</b></p>
  {{#each items}}<p>{{this.title}}</p>{{/each}}
  <p><img src="{{logo}}" alt='Logo' width=20></p>
  <p><a href="https://shop.test/?a=1&amp;id={{id}}" style="padding:8px;background:#06c">Pay {{price}}</a></p>
</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
{{#if wide}}<div class="wide">{{else}}<div>{{/if}}Loose</div>
<script>window.hacked = true</script><img src=x onerror="window.hacked = true">
{{! a note }}
</body></HTML>`;

describe.skipIf(CHROMIUM === null)('the visual mode of a template', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  const field = (name: string) => owner.page.getByRole('textbox', { name, exact: true });
  const block = (name: string) => owner.page.getByRole('group', { name, exact: true });
  const focused = () => owner.page.evaluate(() => (document.activeElement as HTMLInputElement).value);
  const save = async () => {
    await owner.page.keyboard.press('Control+s');
    await owner.page.getByText('All changes saved.').waitFor();
  };
  const saved = async (id: string): Promise<string> =>
    (await owner.call('GET', `/templates/${id}`)).body.data.draft?.html_body;

  async function openVisual(html = HTML): Promise<string> {
    const template = { name: 'Receipt', subject: 'Hello', html, sample_data: { items: [{ title: 'Tea' }] } };
    const { id } = (await owner.call('POST', '/templates', template)).body.data;
    await owner.open(`/templates/${id}`);
    await owner.button('Visual').click();
    await owner.button('Undo').waitFor();
    return id;
  }

  async function choose(menu: string, item: string): Promise<void> {
    const { page } = owner;
    await owner.button(menu).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: item }).focus();
    await page.keyboard.press('Enter');
  }

  it('is loaded when it is first opened', async () => {
    const { page } = owner;
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    const { id } = (await owner.call('POST', '/templates', { name: 'A', subject: 'A', html: '<p>A</p>' }))
      .body.data;
    await owner.open(`/templates/${id}`);
    await owner.button('Visual').waitFor();
    expect(scripts.filter((url) => url.includes('visual-editor'))).toEqual([]);
    await owner.button('Visual').click();
    await field('Text').waitFor();
    expect(scripts.some((url) => url.includes('visual-editor'))).toBe(true);
  });

  it('keeps every byte when nothing is changed', async () => {
    const id = await openVisual();
    await owner.field('Subject').fill('Other');
    await save();
    expect(await saved(id)).toBe(HTML);
    await owner.button('Code').click();
    expect(await owner.page.getByRole('textbox', { name: 'HTML', exact: true }).inputValue()).toBe(
      HTML.replaceAll('\r\n', '\n'),
    );
  });

  it('changes only the text that is edited, and keeps the focus while it saves', async () => {
    const { page } = owner;
    const id = await openVisual();
    const heading = field('Heading');
    expect(await heading.inputValue()).toBe('Thank\u00a0you, {{name}} © café');
    await heading.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' & <all>');
    await page.frameLocator('iframe').getByRole('heading', { name: '& <all>' }).waitFor();
    await save();
    await page.keyboard.type('!');
    await save();
    expect(await focused()).toBe('Thank\u00a0you, {{name}} © café & <all>!');
    expect(await saved(id)).toBe(HTML.replace('caf&eacute;<', 'caf&eacute; &amp; &lt;all&gt;!<'));
  });

  it('edits line breaks, conditions in a text, images and buttons', async () => {
    const id = await openVisual();
    const text = block('Text 2').getByRole('textbox');
    expect(await text.inputValue()).toBe('First & last\ntwo {{#if paid}}lines{{else}}more{{/if}}');
    await text.fill('First & last\ntwo\nthree {{#if paid}}lines{{else}}more{{/if}}');
    await field('Alternative text').first().fill('"Our" logo');
    await field('Button text').fill('Pay now');
    await field('Button link').fill('https://shop.test/?a=2&id={{id}}');
    await save();
    expect(await saved(id)).toBe(
      HTML.replace('<br/>two {{#if', '<br/>two<br/>three {{#if')
        .replace("alt='Logo'", `alt='"Our" logo'`)
        .replace('Pay {{price}}', 'Pay now')
        .replace('?a=1&amp;', '?a=2&amp;'),
    );
  });

  it('shows what it does not edit as locked, and runs none of it', async () => {
    const { page } = owner;
    await openVisual();
    const locked = await page.locator('.block.locked summary').allTextContents();
    expect(locked).toEqual([
      'Locked: document type',
      'Locked: document head',
      'Locked: code for Outlook',
      'Locked: code for Outlook, code',
      'Locked: code',
      'Locked: code',
      'Locked: script',
      'Locked: comment',
    ]);
    await page.getByText('Locked: script').click();
    await page.getByText('<script>window.hacked = true</script>').waitFor();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  });

  it('adds, copies, moves and deletes blocks by keyboard, and takes it back', async () => {
    const { page } = owner;
    const html = '<div>\n  <p>One</p>\n  <p>Two</p>\n</div>\n';
    const id = await openVisual(html);
    await choose('Actions for Text 1', 'Move down');
    await page.getByText('Block moved down.').waitFor();
    await save();
    expect(await saved(id)).toBe('<div>\n  <p>Two</p>\n  <p>One</p>\n</div>\n');
    await choose('Actions for Text 2', 'Duplicate');
    expect(await focused()).toBe('One');
    await page.keyboard.type('Copy of ');
    await save();
    expect(await saved(id)).toBe('<div>\n  <p>Two</p>\n  <p>One</p>\n  <p>Copy of One</p>\n</div>\n');
    await choose('Actions for Text 3', 'Delete');
    await page.getByText('Block deleted.').waitFor();
    await choose('Actions for Text 2', 'Add button below');
    expect(await focused()).toBe('New button');
    await owner.button('Undo').click();
    while ((await owner.button('Undo').getAttribute('aria-disabled')) !== 'true')
      await owner.button('Undo').click();
    await save();
    expect((await owner.call('GET', `/templates/${id}`)).body.data.draft.html_body).toBe(html);
  });

  it('begins an empty template', async () => {
    const id = await openVisual('');
    await choose('Add block', 'Text');
    await owner.page.keyboard.type('Hello');
    await save();
    expect(await saved(id)).toMatch(/^<p style="[^"]+">Hello<\/p>$/);
  });

  it('inserts the variables of a loop into its texts', async () => {
    const { page } = owner;
    const id = await openVisual();
    await block('For each of items 4').getByRole('textbox').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' ');
    await choose('Insert variable', 'items[].title');
    await save();
    expect(await saved(id)).toBe(
      HTML.replace('<p>{{this.title}}</p>', '<p>{{this.title}} {{this.title}}</p>'),
    );
  });

  it('has the focus in the text that is clicked in the preview', async () => {
    const { page } = owner;
    await openVisual();
    const preview = page.frameLocator('iframe');
    await preview.getByText('Tea', { exact: true }).click();
    await expect.poll(focused).toBe('{{this.title}}');
    await preview.getByText('First & last').click();
    await expect.poll(focused).toMatch(/^First & last/);
    await preview.getByAltText('Logo').click();
    await expect.poll(focused).toBe('{{logo}}');
  });

  it('names the mistakes of typed expressions', async () => {
    await openVisual();
    await field('Heading').fill('{{#if open}}');
    await owner.page
      .getByText(/\{\{#if\}\} is never closed/)
      .first()
      .waitFor();
  });

  it('shows a member with read access the fields, and changes nothing', async () => {
    const id = await openVisual();
    const reader = await fixture.member(owner, 'reader@example.org', 'read_only');
    await reader.open(`/templates/${id}`);
    await reader.button('Visual').click();
    const heading = reader.page.getByRole('textbox', { name: 'Heading' });
    await heading.waitFor();
    expect(await heading.getAttribute('readonly')).not.toBeNull();
    expect(await reader.button(/^(Actions for|Undo|Insert variable)/).count()).toBe(0);
  });

  it('fits a phone', async () => {
    const { page } = owner;
    await page.setViewportSize({ width: 360, height: 740 });
    await openVisual();
    await owner.button('Actions for Heading 1').click();
    await page.getByRole('menu').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 860 });
  });
});
