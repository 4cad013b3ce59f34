/** Somebody who keeps a newsletter from hurting other mail. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('streams in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  const streams = async () => (await owner.call('GET', '/streams')).body.data;

  it('are made, limited and deleted, with the keyboard alone', async () => {
    const { page } = owner;
    await owner.open('/settings/streams');
    await owner.button('Create a stream').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name', { exact: true }).fill('Product news');
    await page.keyboard.press('Enter');
    await page.getByLabel('Name', { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('news');
    await page.getByLabel('Maximum emails per minute').fill('60');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /^news.*normal.*60 a minute/ }).waitFor();
    await owner.button('Edit news').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Maximum emails per minute').fill('');
    await page.getByLabel('Maximum emails per hour').fill('900');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /^news.*900 an hour/ }).waitFor();
    expect((await streams())[2]).toMatchObject({ messages_per_minute: null, messages_per_hour: 900 });
    await owner.button('Delete news').focus();
    await page.keyboard.press('Enter');
    await owner.button('Delete stream').click();
    await until(async () => (await streams()).length === 2);
    await page.getByRole('row', { name: /^news/ }).waitFor({ state: 'detached' });
  });

  it('tell their mail apart on the overview and in the list of emails', async () => {
    const { page } = owner;
    const { api, organization } = fixture;
    const send = (to: string, more: object) => {
      const from = { email: `a@${organization.domain}` };
      const body = { from, to: [{ email: to }], subject: 'x', text: 'x', ...more };
      return api.api('POST', '/emails/send', body, organization.key);
    };
    await send('reader@example.org', { stream: 'bulk' });
    await send('ada@example.org', {});
    await send('grace@example.org', {});
    await owner.open('/?stream=bulk');
    await page.getByRole('link', { name: '1 emails' }).first().waitFor();
    await page.getByLabel('Stream', { exact: true }).selectOption('transactional');
    await page.waitForURL(/stream=transactional/);
    await page.getByRole('link', { name: '2 emails' }).first().waitFor();
    await owner.open('/emails');
    await owner.button('More filters').click();
    await page.getByLabel('Stream', { exact: true }).selectOption('bulk');
    await page.getByText('1 email', { exact: true }).waitFor();
    await page.getByText('reader@example.org').first().waitFor();
    await page.getByLabel('Stream', { exact: true }).selectOption('transactional');
    await page.getByText('ada@example.org').first().waitFor();
    await page.getByRole('row', { name: /reader@example/ }).waitFor({ state: 'detached' });
  });

  it('are not changed by who may only read', async () => {
    const reader = await fixture.member(owner, 'reader@example.org', 'read_only');
    await reader.open('/settings/streams');
    await reader.page.getByRole('row', { name: /^bulk.*low/ }).waitFor();
    expect(await reader.button('Edit bulk').count()).toBe(0);
    expect(await reader.button('Create a stream').count()).toBe(0);
  });
});
