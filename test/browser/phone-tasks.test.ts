/** Five tasks of a working day on a phone of 360 px, without ever scrolling sideways. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('on a phone of 360 px somebody', () => {
  let fixture: BrowserFixture;
  let phone: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    phone = await fixture.owner('ada@example.org', { width: 360, height: 640 });
  });
  afterAll(() => fixture.stop());

  /** Of the page, and of everything in it that scrolls by itself, but for code, which keeps its lines. */
  async function expectNoSidewaysScrolling(): Promise<void> {
    const wide = await phone.page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('body *')]
        .filter((one) => {
          const scrolls =
            one === document.documentElement || /auto|scroll/.test(getComputedStyle(one).overflowX);
          return (
            scrolls && one.scrollWidth > one.clientWidth + 1 && !one.closest('pre, textarea, .code, .editor')
          );
        })
        .map((one) => `${one.tagName} ${one.className} ${one.scrollWidth} > ${one.clientWidth}`),
    );
    expect(wide).toEqual([]);
  }

  /** By the menu, as somebody who knows no shortcut. */
  async function goTo(section: string, tab?: string): Promise<void> {
    const { page } = phone;
    await phone.open('/');
    await phone.button('Open the menu').click();
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: section, exact: true })
      .click();
    await page.getByRole('heading', { name: section, level: 1 }).waitFor();
    await expectNoSidewaysScrolling();
    if (tab === undefined) return;
    await page
      .getByRole('navigation', { name: section })
      .getByRole('link', { name: tab, exact: true })
      .click();
    await page.getByRole('heading', { name: tab, level: 1 }).waitFor();
    await expectNoSidewaysScrolling();
  }

  async function send(more: object = {}): Promise<string> {
    const { api, organization } = fixture;
    const body = {
      from: { email: `shop@${organization.domain}` },
      to: [{ email: 'a.customer.with.a.rather.long.address@subdomain.of.some.company.example.org' }],
      subject: 'Your receipt for an order with a subject that is longer than a phone is wide',
      html: '<p>Thank you.</p>',
      text: 'Thank you.',
      ...more,
    };
    return (await api.api('POST', '/emails/send', body, organization.key)).body.data.message_id;
  }

  it('finds an email', async () => {
    const { page } = phone;
    const id = await send();
    await until(async () => (await phone.call('GET', `/emails/${id}`)).body.data.status !== 'queued');
    await goTo('Emails');
    await phone.field('Search').fill('rather.long');
    await page.getByRole('link', { name: /^a\.customer/ }).click();
    await phone.heading(/^Your receipt/).waitFor();
    await page.getByText(/said 250/).waitFor();
    await expectNoSidewaysScrolling();
  });

  it('releases a hold', async () => {
    const { page } = phone;
    const hold = { scope: 'tag', value: 'campaign:spring', ahead: true, reason: 'Wrong prices in the mail' };
    await phone.call('POST', '/holds', hold);
    const id = await send({ tags: [{ name: 'campaign', value: 'spring' }] });
    const state = async () => (await phone.call('GET', `/emails/${id}`)).body.data.state;
    await until(async () => (await state()) === 'held');
    await goTo('Emails', 'Holds');
    await phone.button('Release').click();
    await page.getByText(/One email is sent/).waitFor();
    await expectNoSidewaysScrolling();
    await phone.button('Send the mail').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until(async () => (await state()) !== 'held');
  });

  it('verifies a domain', async () => {
    const { page } = phone;
    await goTo('Domains');
    await phone.button('Add a domain').first().click();
    await phone.field('Domain').fill('mail.of.a.shop.with.a.long.name.example.org');
    await expectNoSidewaysScrolling();
    await phone.button('Add domain').click();
    await phone.heading(/^mail\.of\.a\.shop/).waitFor();
    await phone.button('Verify now').click();
    await page.getByText('mail.of.a.shop.with.a.long.name.example.org is verified.').waitFor();
    for (const tab of ['Reports', 'DKIM key', 'Tracking', 'DNS records']) {
      await page.getByRole('tab', { name: tab }).click();
      await expectNoSidewaysScrolling();
    }
  });

  it('creates a key', async () => {
    const { page } = phone;
    await goTo('Settings', 'API keys');
    await phone.button('Create a key').first().click();
    await phone.field('Name').fill('Shop');
    await expectNoSidewaysScrolling();
    await phone.button('Create key').click();
    await page.getByText('The key is shown only now.').waitFor();
    await expectNoSidewaysScrolling();
    await phone.button('I have copied it').click();
    await page.getByText('Shop', { exact: true }).first().waitFor();
    await expectNoSidewaysScrolling();
  });

  it('edits the subject of a template', async () => {
    const { page } = phone;
    const made = await phone.call('POST', '/templates', {
      name: 'Receipt of an order',
      subject: 'Thank you',
      html: '<table width="600"><tr><td>Thank you, {{name}}</td></tr></table>',
    });
    await goTo('Templates');
    await page.getByRole('link', { name: 'Receipt of an order' }).click();
    await phone.field('Subject').fill('Thank you for your order');
    await expectNoSidewaysScrolling();
    await phone.button('Publish').click();
    const saved = async () => (await phone.call('GET', `/templates/${made.body.data.id}`)).body.data.subject;
    await until(async () => (await saved()) === 'Thank you for your order');
    await expectNoSidewaysScrolling();
  });
});
