/** Every dialog that a button of a page opens: accessible in both themes, and no wider than a phone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAxe } from './axe.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';
import { furnish, type PageOfDashboard } from './pages.ts';

/** By the page in `pages.ts`, the buttons that open a dialog. */
const DIALOGS: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  undo: ['Recover these emails'],
  site: ['Pause'],
  domains: ['Add a domain'],
  domain: ['Delete'],
  approval: ['Approve', 'Reject'],
  templates: ['New template'],
  template: ['Delete'],
  settings: ['New organization'],
  'api-keys': ['Create a key', /^Policy of/, /^Rotate/, /^Revoke/, /emails? with/],
  'received-addresses': ['Add a domain', 'Add a route', /^Delete support/, /^Remove reply/],
  'received-mail': ['Delete'],
  holds: ['Hold mail', 'Release', 'Discard'],
  members: ['Invite a member', /^Remove /],
  webhooks: ['Add a webhook'],
  webhook: ['Edit', 'New secret', 'Delete', 'Replay several', 'Send a test'],
  inbox: ['Empty inbox'],
  streams: ['Create a stream', /^Edit product-news/, /^Delete product-news/],
  suppressions: ['Add an address', 'Import', 'Erase an address', /^Remove left/],
  routes: [
    'Add a transport',
    /^Edit the transport acme/,
    /^Remove the transport acme/,
    'Add a rule',
    'Edit rule 1',
    'Remove rule 1',
    'Roll back',
    'Finish',
  ],
};

const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 320, height: 640 };

describe.skipIf(CHROMIUM === null)('every dialog', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;
  let pages: readonly PageOfDashboard[];

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
    owner.page.on('dialog', (dialog) => void dialog.accept());
    pages = await furnish(fixture, owner);
    await fixture.member(owner, 'bob@example.org', 'member');
  }, 600_000);
  afterAll(() => fixture.stop());

  it.each(Object.keys(DIALOGS))(
    'of the page %s is accessible, light and dark, and fits on a phone',
    async (name) => {
      const page = pages.find((one) => one.name === name);
      expect(page).toBeDefined();
      const problems: string[] = [];
      for (const button of DIALOGS[name] ?? []) {
        await owner.page.setViewportSize(DESKTOP);
        await owner.open(page?.path ?? '');
        await page?.act?.(owner);
        await owner.page
          .getByText(page?.ready ?? '')
          .locator('visible=true')
          .first()
          .waitFor();
        await owner.button(button).first().click();
        await owner.page.getByRole('dialog').waitFor();
        problems.push(...(await examine(`${name}, ${button}`)));
      }
      expect(problems).toEqual([]);
      expect(owner.complaints).toEqual([]);
    },
    300_000,
  );

  it.each(['?', 'Control+K'])(
    'that %s opens is accessible, light and dark, and fits on a phone',
    async (key) => {
      await owner.page.setViewportSize(DESKTOP);
      await owner.open('/');
      await owner.page.keyboard.press(key);
      await owner.page.getByRole('dialog').waitFor();
      expect(await examine(key)).toEqual([]);
    },
  );

  async function examine(what: string): Promise<string[]> {
    const { page } = owner;
    const problems: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations, passes } = await runAxe(page);
      expect(passes).toBeGreaterThan(5);
      for (const { id, nodes } of violations)
        problems.push(...nodes.map(({ html }) => `${what}, ${colorScheme}: ${id}: ${html.slice(0, 160)}`));
    }
    await page.setViewportSize(PHONE);
    const dialog = page.getByRole('dialog');
    const { width = 0, x = 0 } = (await dialog.boundingBox()) ?? {};
    const inner = await dialog.evaluate((one) => one.scrollWidth - one.clientWidth);
    if (x < 0 || x + width > PHONE.width || inner > 0) problems.push(`${what}: wider than a phone`);
    return problems;
  }
});
