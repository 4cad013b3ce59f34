/** Somebody who sets up an address, reads what came in, and answers it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertReadMail } from '../support/receiving.ts';
import { until } from '../support/until.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('received mail in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  it('comes to a domain and a route that are added with the keyboard alone', async () => {
    const { page } = owner;
    await owner.open('/inbound/addresses');
    await owner.button('Add a domain').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Domain', { exact: true }).fill('nobody.example');
    await page.keyboard.press('Enter');
    await page.getByLabel('Domain', { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByLabel('Domain', { exact: true }).fill(fixture.organization.domain);
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: new RegExp(`^${fixture.organization.domain}.*pass`) }).waitFor();
    await owner.button('Add a route').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Address', { exact: true }).fill(`help@${fixture.organization.domain}`);
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /^help@.*receives/ }).waitFor();
    expect((await owner.call('GET', '/inbound/routes')).body.data).toHaveLength(1);
  });

  it('is read, and answered', async () => {
    const { page } = owner;
    const { id, domain } = fixture.organization;
    await insertReadMail(fixture.api.db, { id, address: `help@${domain}` });
    await owner.open('/inbound');
    await page.getByRole('link', { name: 'Hello' }).click();
    await page.getByText('note.txt').waitFor();
    await page.getByLabel('Text', { exact: true }).last().fill('We look into it.');
    await owner.button('Send reply').click();
    const sent = async () => (await owner.call('GET', '/emails?include=addresses')).body.data;
    await until(async () => (await sent()).length === 1);
    expect((await sent())[0]).toMatchObject({ subject: 'Re: Hello', from: { email: `help@${domain}` } });
    await page.getByRole('heading', { name: 'Conversation' }).waitFor();
  });
});
