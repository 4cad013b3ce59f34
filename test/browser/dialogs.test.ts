/** Dialogs with a form: typing goes into the first field, and Enter submits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

const DIALOGS = [
  ['/domains', 'Add a domain', 'Domain'],
  ['/templates', 'New template', 'Name'],
  ['/settings/api-keys', 'Create a key', 'Name'],
  ['/settings/members', 'Invite a member', 'Email address'],
  ['/settings/streams', 'Create a stream', 'Name'],
  ['/settings/routes', 'Add a transport', 'Name'],
  ['/settings', 'New organization', 'Name'],
  ['/webhooks', 'Add a webhook', 'URL'],
  ['/suppressions', 'Add an address', 'Address'],
  ['/suppressions', 'Erase an address', 'Address'],
  ['/holds', 'Hold mail', 'Which mail'],
  ['/inbound/addresses', 'Add a domain', 'Domain'],
] as const;

describe.skipIf(CHROMIUM === null)('a dialog with a form', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  it.each(DIALOGS)('at %s, “%s”, has the focus in %s', async (path, button, field) => {
    const { page } = owner;
    await owner.open(path);
    await owner.button(button).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const focused = dialog.getByLabel(field, { exact: true });
    expect(await focused.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('submits with Enter what was typed at once', async () => {
    const { page } = owner;
    await owner.open('/suppressions');
    await owner.button('Add an address').first().click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('left@example.org');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'left@example.org', exact: true }).waitFor();
  });
});
