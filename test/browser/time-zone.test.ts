/** Times are shown, and read from fields, in the time zone of the person, also those in sentences of the server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('the dashboard in Tokyo', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner('ada@example.org', { timezoneId: 'Asia/Tokyo' });
  });
  afterAll(() => fixture.stop());

  /** As the dashboard writes a moment, without its seconds: the server leaves them out of its sentences. */
  const inTokyo = (moment: string) =>
    owner.page.evaluate((at) => {
      const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
      return format.format(new Date(at)).replace(/ [AP]M$/, '');
    }, moment);

  it('shows in its own time since when mail is held, on the overview and on the email', async () => {
    const { page } = owner;
    const { api, organization } = fixture;
    const tag = { name: 'campaign', value: 'spring' };
    const hold = await owner.call('POST', '/holds', {
      scope: 'tag',
      value: 'campaign:spring',
      ahead: true,
      reason: 'Wrong prices',
    });
    const sent = await api.api(
      'POST',
      '/emails/send',
      {
        from: { email: `a@${organization.domain}` },
        to: [{ email: 'ada@example.org' }],
        subject: 'Spring',
        text: 'x',
        tags: [tag],
      },
      organization.key,
    );
    const id = sent.body.data.message_id;
    await until(async () => (await owner.call('GET', `/emails/${id}`)).body.data.state === 'held');
    const since = await inTokyo(hold.body.data.placed_at);
    await owner.open('/');
    const item = page.locator('.note', { hasText: 'Wrong prices' });
    await item.waitFor();
    expect(await item.innerText()).toContain(since);
    expect(await item.innerText()).not.toContain('UTC');
    await owner.open(`/emails/${id}`);
    const note = page.getByText(/has been held by your organization/).first();
    await note.waitFor();
    expect(await note.innerText()).toContain(since);
    expect(await note.innerText()).not.toContain('UTC');
  });

  it('lets a key expire at the end of the day there', async () => {
    const { page } = owner;
    await owner.open('/settings/api-keys?open=new');
    await owner.field('Name').fill('Shop');
    await owner.field('Expires on').fill('2031-05-01');
    await owner.button('Create key').click();
    await page.getByText('The key is shown only now.').waitFor();
    const keys = (await owner.call('GET', '/api-keys')).body.data;
    const made = keys.find(({ name }: { name: string }) => name === 'Shop');
    expect(made.expires_at).toBe('2031-05-01T14:59:59.999Z');
  });
});
