/** The editor of templates and its dialogs, for people who use a screen reader or another theme. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAxe } from './axe.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

const TEMPLATE = { name: 'Receipt', subject: 'Hello {{name}}', html: '<h1>Hello {{name}}</h1>' };

/** A block of every kind. */
const BLOCKS = `<!doctype html><h1>Hello</h1>{{#if a}}<p>Text <a href="https://a.test">link</a></p>{{else}}<hr>{{/if}}
<p><img src="a.png" alt="A"></p><p><a class="button" href="https://a.test">Pay</a></p>`;

describe.skipIf(CHROMIUM === null)('the template editor', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  const tab = (name: string) => owner.page.getByRole('tab', { name, exact: true });

  it.each(['light', 'dark'] as const)(
    'passes axe in the %s theme, with every dialog',
    async (colorScheme) => {
      const { page } = owner;
      const { id } = (await owner.call('POST', '/templates', TEMPLATE)).body.data;
      await owner.call('PUT', `/templates/${id}`, { html: '<h1>Second</h1>' });
      await owner.call('PUT', `/templates/${id}/draft`, { html: '<h1>Third</h1>' });
      await page.emulateMedia({ colorScheme });
      await owner.open(`/templates/${id}`);
      const found: string[] = [];
      const examine = async (name: string) => {
        const { violations } = await runAxe(page);
        found.push(
          ...violations.flatMap(({ id: rule, nodes }) =>
            nodes.map(({ html }) => `${name}: ${rule}: ${html}`),
          ),
        );
      };
      const dialogs = ['Send test', 'Compare with version 2', 'Discard draft', 'Delete'];
      await page.locator('iframe').waitFor();
      await examine('editor');
      for (const button of dialogs) {
        await owner.button(button).click();
        await page.getByRole('dialog').waitFor();
        await examine(button);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await owner.button('Insert variable').click();
      await page.getByRole('menu').waitFor();
      await examine('menu');
      await page.keyboard.press('Escape');
      await tab('Sample data').click();
      await owner.button('Use data of a sent email').click();
      await page.getByText('No recent email').waitFor();
      await examine('data of a sent email');
      await page.keyboard.press('Escape');
      await tab('Versions').click();
      await owner.button('Compare version 1 with the current one').click();
      await page.locator('.diff .added').first().waitFor();
      await examine('compare');
      await owner.button('Preview').click();
      await page.locator('iframe[title="Preview of Version 1"]').waitFor();
      await examine('compare previews');
      await owner.call('PUT', `/templates/${id}`, { html: BLOCKS });
      await owner.call('DELETE', `/templates/${id}/draft`);
      await owner.open(`/templates/${id}`);
      await owner.button('Visual').click();
      await owner.button('Actions for Heading 1').click();
      await page.getByRole('menu').waitFor();
      await examine('visual mode');
      await page.emulateMedia({ colorScheme: 'light' });
      expect(found).toEqual([]);
    },
  );
});
