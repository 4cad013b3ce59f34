/** The inbox of the sandbox, as somebody uses it who builds mail. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('the inbox', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;
  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
    const dark = '<style>@media (prefers-color-scheme: dark){p{color:rgb(1,2,3)}}</style>';
    await send('Your voucher', `<div style="display:flex"><p>The code is SPRING-26</p></div>${dark}`);
    await send('Your receipt', `<p>Paid.</p><a href="${fixture.api.url}/health">Status</a>`);
    const arrived = async () => (await owner.call('GET', '/sandbox/messages')).body.data;
    await until(arrived, (found) => found.length === 2);
  });
  afterAll(() => fixture.stop());

  async function send(subject: string, html: string): Promise<void> {
    const { api, organization } = fixture;
    const body = {
      from: { email: `shop@${organization.domain}` },
      to: [{ email: 'ada@example.org' }],
      subject,
      html,
    };
    await api.api('POST', '/emails/send', body, organization.key);
  }

  it('finds words in bodies, and marks what was looked at as read', async () => {
    const { page } = owner;
    await owner.open('/inbox');
    await page.getByRole('row', { name: /Your receipt unread/ }).waitFor();
    await owner.field('Search').fill('spring-26');
    await page.getByText('Your receipt').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Your voucher' }).click();
    await page.frameLocator('iframe').getByText('The code is SPRING-26').waitFor();
    await owner.open('/inbox?show=unread');
    await page.getByRole('row', { name: /Your receipt/ }).waitFor();
    await page.getByText('Your voucher').waitFor({ state: 'detached' });
    await owner.button('Mark all as read').click();
    await page.getByText('Nothing unread').waitFor();
  });

  it('says what mail clients do not support, where links lead and what filters dislike', async () => {
    const { page } = owner;
    await owner.open('/inbox?q=voucher');
    await page.getByRole('link', { name: 'Your voucher' }).click();
    await page.getByRole('tab', { name: 'Checks' }).click();
    await page.getByRole('row', { name: /display:flex line 1 .*Outlook on Windows/ }).waitFor();
    await owner.field('Mail client').selectOption({ index: 4 });
    await page.getByText('There is no List-Unsubscribe header.').waitFor();
    await page.getByText(/^The message has [\d,]+ bytes: HTML/).waitFor();
    await owner.open('/inbox?q=receipt');
    await page.getByRole('link', { name: 'Your receipt' }).click();
    await page.getByRole('tab', { name: 'Checks' }).click();
    await page.getByText('not checked yet').waitFor();
    await owner.button('Check links').click();
    await page.getByText('which is not a public address').waitFor();
    expect(await page.getByText('not checked yet').count()).toBe(0);
  });

  it('shows a message as a phone does, and in the dark', async () => {
    const { page } = owner;
    await owner.open('/inbox');
    await page.getByRole('link', { name: 'Your voucher' }).click();
    const words = page.frameLocator('iframe').getByText('The code is SPRING-26');
    await words.waitFor();
    await owner.button('Phone').click();
    const width = () =>
      page.locator('iframe').evaluate((frame) => (frame as HTMLIFrameElement).contentWindow?.innerWidth);
    await expect.poll(width).toBeLessThanOrEqual(375);
    await owner.button('Dark').click();
    await expect
      .poll(() => words.evaluate((element) => getComputedStyle(element).color))
      .toBe('rgb(1, 2, 3)');
  });

  it('deletes one message, and keeps its email', async () => {
    const { page } = owner;
    await owner.open('/inbox');
    await owner.button('Delete Your voucher').click();
    await page.getByText('Deleted.').waitFor();
    await page.getByRole('link', { name: 'Your voucher' }).waitFor({ state: 'detached' });
    expect((await owner.call('GET', '/emails')).body.data).toHaveLength(2);
  });

  it('offers nothing to change to who may only read', async () => {
    const reader = await fixture.member(owner, 'reader@example.org', 'read_only');
    await reader.open('/inbox');
    await reader.page.getByRole('link', { name: 'Your receipt' }).waitFor();
    for (const name of ['Delete Your receipt', 'Mark all as read', 'Empty inbox'])
      expect(await reader.button(name).count()).toBe(0);
  });
});
