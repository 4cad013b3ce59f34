/** The sidebar and the tabs of its sections. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

const WAIT = { timeout: 20_000, interval: 50 };

describe.skipIf(CHROMIUM === null)('the navigation', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  const menu = (visitor = owner) => visitor.page.getByRole('navigation', { name: 'Main' });
  const tabs = (name: string, visitor = owner) => visitor.page.getByRole('navigation', { name, exact: true });

  it('has nine items at most, grouped by job', async () => {
    await owner.open('/templates');
    expect(await menu().getByRole('link').allInnerTexts()).toEqual([
      'Overview',
      'Templates',
      'Domains',
      'Emails',
      'Sandbox inbox',
      'Deliverability',
      'Suppressions',
      'Inbound',
      'Settings',
    ]);
    const groups = await menu().locator('.nav-title').allTextContents();
    expect(groups).toEqual(['Send', 'Inspect', 'Deliverability']);
  });

  it.each([
    ['Emails', ['Emails', 'Refused requests', 'Approvals', 'Holds']],
    ['Deliverability', ['Statistics', 'Receiving servers', 'Recover bounces']],
    ['Suppressions', ['Suppressions', 'Validation']],
    ['Inbound', ['Received mail', 'Addresses']],
  ] as const)('shows the pages below %s as tabs', async (section, pages) => {
    await owner.open('/');
    await menu().getByRole('link', { name: section, exact: true }).click();
    await owner.heading(section).waitFor();
    expect(await tabs(section).getByRole('link').allInnerTexts()).toEqual(pages);
    for (const page of pages.slice(1)) {
      await tabs(section).getByRole('link', { name: page, exact: true }).click();
      await expect.poll(() => owner.page.title(), WAIT).toMatch(new RegExp(page, 'i'));
      // The sidebar still shows where that is.
      const current = menu().locator('[aria-current]');
      expect(await current.allInnerTexts()).toEqual([section]);
    }
  });

  it('has no tabs on the page of one thing', async () => {
    const made = await owner.call('POST', '/webhooks', { url: 'http://127.0.0.1:9/', description: 'Shop' });
    await owner.open('/webhooks');
    await tabs('Settings').getByRole('link', { name: 'Webhooks', exact: true }).waitFor();
    await owner.open(`/webhooks/${made.body.data.id}`);
    expect(await tabs('Settings').count()).toBe(0);
    expect(await menu().locator('[aria-current]').allInnerTexts()).toEqual(['Settings']);
  });

  it('shows a member only the tabs that the member may open', async () => {
    const member = await fixture.member(owner, 'bob@example.org', 'member');
    await member.open('/settings');
    expect(await tabs('Settings', member).getByRole('link').allInnerTexts()).toEqual([
      'General',
      'API keys',
      'Webhooks',
      'Streams',
      'Account',
    ]);
  });

  it('puts approvals and holds on top while they need somebody, on the overview and in the sidebar', async () => {
    const { page } = owner;
    const agent = { name: 'Agent', scope: 'agent', policy: { approval: 'required', daily_budget: 10 } };
    const { key } = (await owner.call('POST', '/api-keys', agent)).body.data;
    const mail = {
      from: { email: `agent@${fixture.organization.domain}` },
      to: [{ email: 'a@example.org' }],
    };
    await fixture.api.api('POST', '/emails/send', { ...mail, subject: 'Hello', text: 'x' }, key);
    const held = await owner.call('POST', '/holds', {
      scope: 'tag',
      value: 'campaign:spring',
      ahead: true,
      reason: 'Wrong prices',
    });
    const attention = async () => (await owner.call('GET', '/stats/attention')).body.data.items;
    await until(attention, (items) => items.some(({ kind }: { kind: string }) => kind === 'mail_held'));
    await owner.open('/');
    const first = menu().getByRole('link');
    await expect
      .poll(async () => (await first.allInnerTexts()).slice(0, 2), WAIT)
      .toEqual(['Approvals\n1', 'Holds\n1']);
    const cards = page.locator('#content section.card h2');
    expect(await cards.first().innerText()).toBe('Needs attention');
    await page.getByText('1 email waits for approval.').waitFor();
    await owner.call('POST', `/holds/${held.body.data.id}/release`);
    await until(attention, (items) => !items.some(({ kind }: { kind: string }) => kind === 'mail_held'));
    await page.reload();
    await expect
      .poll(async () => (await first.allInnerTexts()).slice(0, 2), WAIT)
      .toEqual(['Approvals\n1', 'Overview']);
  });

  it('keeps the account in view, however low the window is', async () => {
    const { page } = owner;
    await page.setViewportSize({ width: 1280, height: 420 });
    await owner.open('/');
    const account = owner.button(/ada@example\.org/);
    const box = await account.boundingBox();
    expect(box && box.y + box.height).toBeLessThanOrEqual(420);
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('closes the menu of a phone with Escape, and gives the focus back', async () => {
    const phone = await fixture.member(owner, 'phone@example.org', 'member');
    const { page } = phone;
    await page.setViewportSize({ width: 360, height: 640 });
    await phone.open('/emails');
    await phone.button('Open the menu').click();
    await menu(phone).getByRole('link', { name: 'Domains' }).waitFor();
    await page.keyboard.press('Escape');
    await menu(phone).getByRole('link', { name: 'Domains' }).waitFor({ state: 'hidden' });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    expect(await focused()).toBe('Open the menu');
  });
});
