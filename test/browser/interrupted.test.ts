/** What somebody does survives the end of their session, and a server that is away for a moment. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BrowserFixture, CHROMIUM, PASSWORD, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('work in the dashboard', () => {
  let fixture: BrowserFixture;
  let visitor: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    await fixture.owner();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    visitor = await fixture.visitor();
    await visitor.call('POST', '/auth/sign-in', { email: 'ada@example.org', password: PASSWORD });
    // The person is faster than the live stream, which would tell of an ended session first.
    await visitor.page.route('**/events/changes', (route) => route.abort());
  });

  async function endSession(): Promise<void> {
    const elsewhere = await fixture.visitor();
    await elsewhere.call('POST', '/auth/sign-in', { email: 'ada@example.org', password: PASSWORD });
    await elsewhere.call('POST', '/auth/sign-out-everywhere');
  }

  it('goes on where a session ended, once the person has signed in again', async () => {
    const { page } = visitor;
    await visitor.open('/suppressions');
    await visitor.button('Add an address').first().click();
    await page.getByRole('dialog').getByLabel('Address', { exact: true }).fill('kept@example.org');
    await endSession();
    await page.keyboard.press('Enter');
    await visitor.heading('Your session has ended').waitFor();
    expect(await page.getByText('API key').count()).toBe(0);
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill('a wrong one');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'kept@example.org', exact: true }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('leads to the sign-in page and back where the person closes that dialog', async () => {
    const { page } = visitor;
    await visitor.open('/suppressions');
    await endSession();
    await page.getByRole('link', { name: 'Templates' }).click();
    await visitor.heading('Your session has ended').waitFor();
    await visitor.button('Close').click();
    await visitor.heading('Sign in').waitFor();
    await visitor.field('Email address').fill('ada@example.org');
    await visitor.field('Password').fill(PASSWORD);
    await visitor.button('Sign in').click();
    await visitor.heading('Templates').waitFor();
  });

  it('goes on in the app when a page is opened while the server is away', async () => {
    const { page, context } = visitor;
    await visitor.open('/');
    await page.evaluate(() => Object.assign(globalThis, { isTheSamePage: true }));
    await context.route('**/*', (route) => route.abort('connectionrefused'));
    await page.getByRole('link', { name: 'Inbound', exact: true }).click();
    await page.getByText('This page opens as soon as the server answers.').waitFor();
    await context.unroute('**/*');
    await visitor.heading('Inbound').waitFor();
    expect(await page.evaluate(() => 'isTheSamePage' in globalThis)).toBe(true);
  });
});
