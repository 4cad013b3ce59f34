/** Somebody whose endpoint fails, and who wants to know why and to catch up. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('webhooks', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
    receiver = await startWebhookReceiver();
  });
  afterAll(async () => {
    await receiver.close();
    await fixture.stop();
  });
  afterEach(() => {
    receiver.reply = () => 204;
  });

  async function hook(path: string): Promise<string> {
    const url = `http://127.0.0.1:${receiver.port}${path}`;
    return (await owner.call('POST', '/webhooks', { url })).body.data.id;
  }

  it('show what a test came to, and on top what the last error was', async () => {
    const { page } = owner;
    const id = await hook('/broken');
    receiver.reply = () => ({ status: 500, headers: { 'x-served-by': 'shop-2' }, body: '{"why":"no disk"}' });
    await owner.open(`/webhooks/${id}`);
    await owner.button('Send a test').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The call failed: answered 500. Postrider retries the call.').waitFor();
    await dialog.getByText('Status 500').waitFor();
    await dialog.getByText('x-served-by').waitFor();
    await dialog.getByText('"why": "no disk"').waitFor();
    await dialog.getByText('"type": "webhook.test"').waitFor();
    await dialog.getByLabel('Event').selectOption('email.bounced');
    await dialog.getByRole('button', { name: 'Send another' }).click();
    await dialog.getByText('"type": "email.bounced"').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Calls are failing: answered 500').waitFor();
    await page.getByText('retrying, answered 500').waitFor();
    await owner.open('/webhooks');
    await page.getByRole('row', { name: /\/broken.*retrying, answered 500/ }).waitFor();
  });

  it('name the recipient and the subject of every failed call', async () => {
    const { page } = owner;
    const id = await hook('/failing');
    receiver.reply = ({ path }) => (path === '/failing' ? 500 : 204);
    const { api, organization } = fixture;
    const from = { email: `a@${organization.domain}` };
    const body = { from, to: [{ email: 'grace@example.org' }], subject: 'Invoice 77', text: 'x' };
    await api.api('POST', '/emails/send', body, organization.key);
    await owner.open(`/webhooks/${id}`);
    const row = page.locator('details.delivery', { hasText: 'email.delivered' });
    await row.getByText('retrying').waitFor();
    await row.getByText('grace@example.org · Invoice 77').waitFor();
  });

  it('show request and response of every attempt side by side, and how well calls do', async () => {
    const { page } = owner;
    const id = await hook('/flaky');
    const replies = [503, 204];
    // The other webhook is still being tried again.
    receiver.reply = ({ path }) => (path === '/flaky' ? replies.shift() : undefined) ?? 204;
    await owner.call('POST', `/webhooks/${id}/test`);
    await receiver.waitFor(2, ({ path }) => path === '/flaky');
    await owner.open(`/webhooks/${id}`);
    const row = page.locator('details.delivery').first();
    await row.getByText('delivered', { exact: true }).waitFor();
    await row.locator('summary').click();
    await row.getByText('Status 204').waitFor();
    const [request, response] = await Promise.all(
      ['Request', 'Response'].map((name) => row.getByRole('heading', { name }).boundingBox()),
    );
    expect(request?.y).toBe(response?.y);
    await owner.button('1: 503').click();
    await row.getByText('Failed: answered 503').waitFor();
    await page.getByText('50.0%').waitFor();
    await page.getByText('1 of 2 calls for the newest 1 events.').waitFor();
  });

  it('send again one event, and those of a span of time', async () => {
    const { page } = owner;
    const id = await hook('/again');
    const calls = () => receiver.received.filter(({ path }) => path === '/again').length;
    for (const _ of [1, 2]) await owner.call('POST', `/webhooks/${id}/test`);
    await receiver.waitFor(2, ({ path }) => path === '/again');
    await owner.open(`/webhooks/${id}`);
    const row = page.locator('details.delivery').first();
    await row.getByText('delivered', { exact: true }).waitFor();
    await row.locator('summary').click();
    await row.getByRole('button', { name: 'Replay' }).click();
    await expect.poll(calls).toBe(3);
    await row.getByText('delivered', { exact: true }).waitFor();

    await owner.button('Replay several').click();
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText('No event matches.').waitFor();
    await owner.button('Replay several').click();
    await owner.field('Events').selectOption({ label: 'Failed and delivered events' });
    await owner.field('Since').fill('2026-01-01T00:00');
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText('2 events are being sent again.').waitFor();
    await expect.poll(calls).toBe(5);
  });

  it('are narrowed to streams when they are added, and widened later, with the keyboard alone', async () => {
    const { page } = owner;
    const url = `http://127.0.0.1:${receiver.port}/streams`;
    const kept = async () =>
      (await owner.call('GET', '/webhooks')).body.data.find((one: { url: string }) => one.url === url);
    await owner.open('/webhooks');
    await owner.button('Add a webhook').first().focus();
    await page.keyboard.press('Enter');
    await owner.field('URL').fill(url);
    const all = page.getByRole('checkbox', { name: /^Mail in all streams/ });
    await all.focus();
    await page.keyboard.press('Space');
    await page.getByText('Choose at least one.', { exact: false }).waitFor();
    expect(await owner.button('Add webhook').isDisabled()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(await page.getByRole('checkbox', { name: 'bulk', exact: true }).isChecked()).toBe(true);
    await page.keyboard.press('Enter');
    await owner.button('I have copied it').click();
    expect((await kept()).streams).toEqual(['bulk']);
    await page.getByText('Streams', { exact: true }).waitFor();
    await owner.button('Edit').click();
    expect(await page.getByRole('checkbox', { name: 'transactional' }).isChecked()).toBe(false);
    await all.check();
    await owner.button('Save').click();
    await expect.poll(async () => (await kept()).streams).toBeNull();
  });

  it('are not told of mail in other streams than those chosen', async () => {
    const { page } = owner;
    const id = await hook('/chosen');
    await owner.open(`/webhooks/${id}`);
    await owner.button('Edit').click();
    await page.getByRole('checkbox', { name: /^Mail in all streams/ }).uncheck();
    await page.getByRole('checkbox', { name: 'bulk', exact: true }).check();
    await owner.button('Save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { api, organization } = fixture;
    const send = (to: string, more: object) => {
      const from = { email: `a@${organization.domain}` };
      const body = { from, to: [{ email: to }], subject: 'x', text: 'x', ...more };
      return api.api('POST', '/emails/send', body, organization.key);
    };
    const { message_id: other } = (await send('code@example.org', {})).body.data;
    const status = async () => (await owner.call('GET', `/emails/${other}`)).body.data.status;
    await expect.poll(status).toBe('delivered');
    await send('reader@example.org', { stream: 'bulk' });
    const ofHook = ({ path }: { readonly path: string }) => path === '/chosen';
    const calls = await receiver.waitFor(2, ofHook);
    expect(calls.filter(ofHook).map(({ body }) => JSON.stringify(body))).toEqual([
      expect.stringContaining('reader@example.org'),
      expect.stringContaining('reader@example.org'),
    ]);
  });

  it('offer nothing to change to who may only read', async () => {
    const id = await hook('/read-only');
    await owner.call('POST', `/webhooks/${id}/test`);
    const reader = await fixture.member(owner, 'reader@example.org', 'read_only');
    await reader.open(`/webhooks/${id}`);
    await reader.page.locator('details.delivery summary').click();
    await reader.page.getByText('Status 204').waitFor();
    for (const name of ['Send a test', 'Replay', 'Replay several'])
      expect(await reader.button(name).count()).toBe(0);
  });
});
