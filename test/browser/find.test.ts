/** Somebody who is asked why a customer got no mail, and knows only the name of the customer. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { Rival } from '../support/rival.ts';
import { until } from '../support/until.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';
import { refuseMail } from './pages.ts';

describe.skipIf(CHROMIUM === null)('a search by name in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
    const thomas = 't.m.77@kunde.example';
    await send({ email: thomas, name: 'Thomas Müller' }, 'Your invoice');
    await send({ email: 'bounced@simulator.test', name: 'Sabine Müller' }, 'Your contract');
    await owner.call('POST', '/suppressions', { email: thomas, reason: 'complaint' });
    await refuseMail(fixture, thomas, `billing@${fixture.organization.domain}`);
  });
  afterAll(() => fixture.stop());

  const option = (group: string, name: RegExp) =>
    owner.page.getByRole('group', { name: group, exact: true }).getByRole('option', { name });

  async function search(text: string): Promise<void> {
    await owner.open('/');
    await owner.page
      .getByRole('button', { name: /^Search/ })
      .first()
      .click();
    await owner.page.keyboard.type(text);
  }

  it('explains with one search and two clicks why a customer got no mail', async () => {
    const { page } = owner;
    await search('mueller');
    const hit = option('Suppressed addresses', /Thomas Müller/);
    await hit.getByText('complaint', { exact: true }).waitFor();
    await hit.getByText(/its owner reported mail as spam. Since .*20\d\d/).waitFor();
    await hit.click();
    await page.waitForURL(/\/suppressions\?email=t\.m\.77/);
    await page.getByRole('row', { name: /t\.m\.77@kunde\.example.*complaint/ }).waitFor();
  });

  it('shows what the server of another customer said, and leads to that email', async () => {
    const { page } = owner;
    await search('sabine mueller');
    const hit = option('Emails', /Your contract/);
    await hit.getByText('The mailbox does not exist.', { exact: false }).waitFor();
    await hit.click();
    await owner.heading('Your contract').waitFor();
    await page.getByText('The mailbox does not exist.').first().waitFor();
  });

  it('finds the refused request, and opens it with the keyboard alone', async () => {
    const { page } = owner;
    await owner.open('/emails');
    await page.keyboard.press('Control+K');
    await page.keyboard.type('t.m.77');
    const hit = option('Refused requests', /Recipient suppressed/);
    await hit.waitFor();
    while ((await hit.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await owner.heading('POST /emails/send').waitFor();
  });

  it('says where else to look when nothing is found', async () => {
    const { page } = owner;
    await search('nobody-like-this');
    await page.getByText('Nothing found for “nobody-like-this”').waitFor();
    const elsewhere = (name: RegExp) => option('Where else to look', name);
    await elsewhere(/refused requests/).waitFor();
    await elsewhere(/how long mail is kept/).waitFor();
    await elsewhere(/text of captured messages/).click();
    await page.waitForURL(/\/inbox\?q=nobody-like-this/);
  });

  it('names a kind that could not be searched in time, and finds it once it can be', async () => {
    const { page } = owner;
    const hook = { url: 'http://127.0.0.1:9/hook', description: 'Warehouse' };
    await owner.call('POST', '/webhooks', hook);
    const rival = await Rival.holding(fixture.api.database.url, 'LOCK TABLE webhook_endpoints');
    try {
      await search('warehouse');
      await page.getByText('Webhooks were not searched in time.').waitFor();
    } finally {
      await rival.letGo();
    }
    await option('Webhooks', /127\.0\.0\.1:9\/hook/).waitFor();
  });

  async function send(to: { email: string; name: string }, subject: string): Promise<void> {
    const { api, organization } = fixture;
    const body = { from: { email: `billing@${organization.domain}` }, to: [to], subject, text: 'x' };
    const { message_id: id } = (await api.api('POST', '/emails/send', body, organization.key)).body.data;
    const read = async () => (await api.api('GET', `/emails/${id}`, undefined, organization.key)).body.data;
    await until(async () => (await read()).status !== 'queued');
  }
});
