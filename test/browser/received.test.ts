/** Somebody who sets up an address, reads what came in, and answers it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertReadMail } from '../support/receiving.ts';
import { until } from '../support/until.ts';
import { CHROMIUM, type Visitor, World } from './world.ts';

describe.skipIf(CHROMIUM === null)('received mail in a browser', () => {
  let world: World;
  let owner: Visitor;

  beforeAll(async () => {
    world = await World.start();
    owner = await world.owner();
  });
  afterAll(() => world.stop());

  it('comes to a domain and a route that are added with the keyboard alone', async () => {
    const { page } = owner;
    await owner.open('/inbound/addresses');
    await owner.button('Add a domain').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Domain', { exact: true }).fill('nobody.example');
    await page.keyboard.press('Enter');
    await page.getByLabel('Domain', { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByLabel('Domain', { exact: true }).fill(world.organization.domain);
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: new RegExp(`^${world.organization.domain}.*pass`) }).waitFor();
    await owner.button('Add a route').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Address', { exact: true }).fill(`help@${world.organization.domain}`);
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /^help@.*receives/ }).waitFor();
    expect((await owner.call('GET', '/inbound/routes')).body.data).toHaveLength(1);
  });

  it('is read, and answered', async () => {
    const { page } = owner;
    const { id, domain } = world.organization;
    await insertReadMail(world.api.db, { id, address: `help@${domain}` });
    await owner.open('/inbound');
    await page.getByRole('link', { name: 'Hello' }).click();
    await page.getByText('note.txt').waitFor();
    await page.getByLabel('Text', { exact: true }).last().fill('We look into it.');
    await owner.button('Send the answer').click();
    const sent = async () => (await owner.call('GET', '/emails?include=addresses')).body.data;
    await until(async () => (await sent()).length === 1);
    expect((await sent())[0]).toMatchObject({ subject: 'Re: Hello', from: { email: `help@${domain}` } });
    await page.getByRole('heading', { name: 'Conversation' }).waitFor();
  });
});
