/** Somebody who remembers a part of something, and looks for the mail. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('one search box in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
    await send(
      { email: 'jane.doe@example.org', name: 'Jane Doe' },
      { tags: [{ name: 'campaign', value: 'spring' }] },
    );
    await send({ email: 'bob@example.org' }, { metadata: { order: 'A-4711' } });
  });
  afterAll(() => fixture.stop());

  it('finds an email by part of the address, by a name, a tag or a value of metadata', async () => {
    const { page } = owner;
    await owner.open('/emails');
    for (const [text, found] of [
      ['jane.doe', 'jane.doe@example.org'],
      ['jane', 'jane.doe@example.org'],
      ['A-4711', 'bob@example.org'],
      ['spring', 'jane.doe@example.org'],
    ] as const) {
      await owner.field('Search').fill(text);
      await page.waitForURL((url) => url.searchParams.get('search') === text);
      await page.getByText('1 email', { exact: true }).waitFor();
      await page.getByRole('link', { name: found }).waitFor();
    }
    await owner.field('Search').fill('nobody-like-this');
    await owner.heading('Nothing matches').waitFor();
  });

  it('goes together with a status, and with the way back', async () => {
    const { page } = owner;
    await owner.open('/emails?search=jane');
    await owner.field('Status').selectOption('scheduled');
    await owner.heading('Nothing matches').waitFor();
    await owner.field('Status').selectOption('');
    await page.getByRole('link', { name: 'jane.doe@example.org' }).click();
    await page.getByRole('link', { name: '← Emails' }).click();
    await page.waitForURL(/search=jane/);
    expect(await owner.field('Search').inputValue()).toBe('jane');
  });

  it('says above the results that the address is suppressed, and leads to the mail that caused it', async () => {
    const { page } = owner;
    const { body } = await owner.call('GET', '/emails?search=bob');
    const { id } = body.data[0];
    await owner.call('POST', '/suppressions', { email: 'bob@example.org', reason: 'hard_bounce' });
    await fixture.api.db.exec(
      adHoc(`UPDATE suppressions SET source = 'automatic', email_id = $2, cause = 'unknown_recipient'
             WHERE organization_id = $1 AND email = 'bob@example.org'`),
      [fixture.organization.id, id],
    );
    await owner.open('/emails?search=bob');
    const note = page.getByRole('status').filter({ hasText: 'bob@example.org' });
    await note
      .getByText(
        /is suppressed: hard bounce, since .*20\d\d.*refused mail permanently. The mailbox does not exist./,
      )
      .waitFor();
    await note.getByRole('link', { name: 'Show the email that caused the suppression' }).click();
    await page.waitForURL(new RegExp(`/emails/${id}`));
    await owner.open('/emails?search=jane.doe');
    await page.getByText('1 email', { exact: true }).waitFor();
    expect(await page.getByText('is suppressed').count()).toBe(0);
  });

  it('says the same when only the name of the person is known', async () => {
    const { page } = owner;
    await send({ email: 't.m@kunde.example', name: 'Thomas Müller' }, {});
    await owner.call('POST', '/suppressions', { email: 't.m@kunde.example', reason: 'unsubscribe' });
    await owner.open('/emails?search=mueller');
    await page.getByText(/^Thomas Müller <t\.m@kunde\.example>/).waitFor();
    await page.getByText(/is suppressed: unsubscribe, since/).waitFor();
    await page.getByRole('link', { name: 'Show the suppression' }).click();
    await page.waitForURL(/\/suppressions\?email=t\.m/);
  });

  it('is there for suppressions: by how an address begins or ends', async () => {
    const { page } = owner;
    await owner.call('POST', '/suppressions', { email: 'left@elsewhere.test', reason: 'unsubscribe' });
    await owner.open('/suppressions');
    await owner.field('Address').fill('elsewhere.test');
    await page.waitForURL(/search=elsewhere/);
    await page.getByText('1 address', { exact: true }).waitFor();
    await page.getByText('left@elsewhere.test').first().waitFor();
    await owner.field('Address').fill('zzz');
    await page.getByText('No address begins or ends with zzz.').waitFor();
    await owner.field('Address').fill('nobody@elsewhere.test');
    await page.getByText('nobody@elsewhere.test may be mailed.').waitFor();
  });

  it('is in the palette', async () => {
    const { page } = owner;
    await owner.open('/');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('jane');
    await page.getByText('Search emails for “jane”').click();
    await page.waitForURL(/\/emails\?search=jane/);
    await page.getByRole('link', { name: 'jane.doe@example.org' }).waitFor();
  });

  async function send(to: object, more: object): Promise<void> {
    const { api, organization } = fixture;
    const from = { email: `a@${organization.domain}` };
    const body = { from, to: [to], subject: 'Hello', text: 'x', ...more };
    expect((await api.api('POST', '/emails/send', body, organization.key)).status).toBe(201);
  }
});
