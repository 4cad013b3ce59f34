/** Somebody who does the same to many emails, suppressions or holds, and sends an email again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { runAxe } from './axe.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('many at once in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  async function send(to: readonly string[], more: object = {}): Promise<string> {
    const from = { email: `a@${fixture.organization.domain}` };
    const body = { from, to: to.map((email) => ({ email })), subject: 'Hello', text: 'x', ...more };
    const { api, organization } = fixture;
    return (await api.api('POST', '/emails/send', body, organization.key)).body.data.message_id;
  }

  const email = async (id: string) => (await owner.call('GET', `/emails/${id}`)).body.data;
  const scheduled = (subject: string) =>
    send([`${subject}@example.org`], { subject, scheduled_at: '2031-01-01T00:00:00Z' });

  it('cancels the selected emails, and names those that could not be cancelled', async () => {
    const { page } = owner;
    const ids = [await scheduled('first'), await scheduled('second'), await scheduled('third')];
    await owner.open('/emails?state=scheduled');
    await page.getByText('3 emails', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByText('3 selected').waitFor();
    expect((await runAxe(page)).violations).toEqual([]);
    await owner.button('Cancel').click();
    // A colleague is faster.
    await owner.call('POST', `/emails/${ids[1]}/cancel`);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
    const note = page.getByRole('status').filter({ hasText: '2 of 3 emails cancelled.' });
    await note.getByText('1 failed: Only a scheduled email can be cancelled.', { exact: false }).click();
    await note.getByText('second@example.org: second').waitFor();
    await owner.heading('Nothing matches').waitFor();
    for (const id of ids) expect((await email(id)).state).toBe('withdrawn');
  });

  it('selects rows with the keyboard alone', async () => {
    const { page } = owner;
    for (const name of ['fourth', 'fifth']) await scheduled(name);
    await owner.open('/emails?state=scheduled');
    await page.getByText('2 emails', { exact: true }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await owner.button('Cancel').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 email cancelled.').waitFor();
    await page.getByText('1 email', { exact: true }).waitFor();
  });

  it('sends the selected emails again', async () => {
    const { page } = owner;
    const id = await send(['again@example.org'], { subject: 'Once more' });
    await until(async () => (await email(id)).status === 'delivered');
    await owner.open('/emails?to=again@example.org');
    await page.getByRole('checkbox', { name: /^Select again@example\.org/ }).check();
    await owner.button('Send again').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await page.getByText('1 email sent again.').waitFor();
    await page.getByText('2 emails', { exact: true }).waitFor();
    expect((await email(id)).resends).toHaveLength(1);
  });

  it('sends an email again to some of its recipients, and links both emails', async () => {
    const { page } = owner;
    const id = await send(['ada@example.org', 'bob@example.org', 'eve@example.org']);
    await until(async () => (await email(id)).status === 'delivered');
    await owner.call('POST', '/suppressions', { email: 'eve@example.org', reason: 'complaint' });
    await owner.open(`/emails/${id}`);
    await owner.button('Send again').click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('checkbox', { name: /eve@example\.org suppressed/ }).isDisabled()).toBe(
      true,
    );
    await dialog.getByRole('checkbox', { name: /bob@example\.org/ }).uncheck();
    expect((await runAxe(page)).violations).toEqual([]);
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.getByText('Sends again', { exact: true }).waitFor();
    expect((await email(new URL(page.url()).pathname.split('/').at(-1) ?? '')).to).toHaveLength(1);
    await page.getByRole('link', { name: id }).click();
    await page.getByText('Sent again', { exact: true }).waitFor();
  });

  it('removes the selected suppressions, and asks twice about complaints', async () => {
    const { page } = owner;
    for (const [name, reason] of [
      ['left', 'unsubscribe'],
      ['angry', 'complaint'],
    ])
      await owner.call('POST', '/suppressions', { email: `${name}@many.test`, reason });
    await owner.open('/suppressions?search=many.test');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await owner.button('Remove').click();
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true });
    expect(await remove.isDisabled()).toBe(true);
    await page.getByLabel('They asked for this mail again').check();
    await remove.click();
    await page.getByText('2 addresses removed.').waitFor();
    await owner.heading('Not on the list').waitFor();
  });

  it('releases the selected holds, and discards others for a reason', async () => {
    const { page } = owner;
    for (const value of ['one', 'two', 'three'])
      await owner.call('POST', '/holds', { scope: 'tag', value, ahead: true, reason: `Because of ${value}` });
    await owner.open('/holds');
    for (const value of ['one', 'two'])
      await page.getByRole('checkbox', { name: `Select Tag ${value}` }).check();
    await owner.button('Release').first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send the mail' }).click();
    await page.getByText('2 holds released.').waitFor();
    await page.getByRole('checkbox', { name: 'Select Tag three' }).check();
    await owner.button('Discard').first().click();
    await page.getByLabel('Reason', { exact: true }).fill('Wrong prices');
    await owner.button('Discard the mail').click();
    await page.getByText('1 hold discarded.').waitFor();
    await page.getByRole('checkbox').first().waitFor({ state: 'detached' });
  });

  it('offers nothing to select to those who may only read', async () => {
    const reader = await fixture.member(owner, 'reader@example.org', 'read_only');
    await owner.call('POST', '/suppressions', { email: 'kept@example.org', reason: 'manual' });
    for (const [path, text] of [
      ['/emails', 'again@example.org'],
      ['/suppressions', 'kept@example.org'],
      ['/holds', 'Because of one'],
    ] as const) {
      await reader.open(path);
      await reader.page.getByText(text).first().waitFor();
      expect([path, await reader.page.getByRole('checkbox').count()]).toEqual([path, 0]);
    }
    const id = await send(['ada@example.org']);
    await until(async () => (await email(id)).status === 'delivered');
    await reader.open(`/emails/${id}`);
    await reader.page.getByText('said 250').waitFor();
    expect(await reader.button('Send again').count()).toBe(0);
  });

  it('fits on a phone', async () => {
    const phone = await fixture.visitor({ width: 360, height: 740 });
    await phone.call('POST', '/auth/sign-in', {
      email: 'ada@example.org',
      password: 'correct horse battery',
    });
    await phone.open('/emails');
    const { page } = phone;
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByText(/ selected$/).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(360);
    expect((await runAxe(page)).violations).toEqual([]);
  });
});
