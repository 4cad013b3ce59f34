/** Somebody who is asked "where is my mail?", and looks for it. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { checkProof } from '../../src/proofs/chain.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';
import { refuseMail } from './pages.ts';

const NOT_FOUND = { error: { code: 'NOT_FOUND', message: 'Gone for a moment.', details: [] } };

describe.skipIf(CHROMIUM === null)('a support person in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  it('finds mail that was refused by its recipient, learns why, and sees the entry that caused it', async () => {
    const jane = 'jane.doe@example.org';
    await owner.call('POST', '/suppressions', { email: jane, reason: 'complaint' });
    await refuseMail(fixture, jane, `hello@${fixture.organization.domain}`);
    await refuseMail(fixture);
    const { page } = owner;
    await owner.open('/emails');
    await owner.field('To').fill(jane);
    await page.getByRole('link', { name: `Search the refused requests for ${jane}` }).click();
    await owner.heading('Refused requests').waitFor();
    await page.getByText('400 Recipient suppressed').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('link', { name: 'POST /emails/send' }).click();
    await page.getByText(`${jane} is on the suppression list`).first().waitFor();
    await page.getByText('"subject": "Your receipt"').waitFor();
    await page.getByRole('link', { name: `Is ${jane} suppressed?` }).click();
    await page.getByRole('row', { name: /complaint/ }).waitFor();
  });

  it('sees on the overview what was refused, and the log leads to each of them', async () => {
    await refuseMail(fixture, 'one@example.org');
    await refuseMail(fixture, 'two@example.org');
    const { page } = owner;
    await owner.open('/');
    const note = page.getByText(
      /requests were refused in the last hour: the sender's domain is not verified/,
    );
    await note.getByRole('link', { name: 'Show the requests' }).click();
    await page.waitForURL(/\/logs\?code=DOMAIN_NOT_VERIFIED/);
    await page.getByText('two@example.org').waitFor();
    expect(
      await page.getByText('Recipient suppressed', { exact: false }).locator('visible=true').count(),
    ).toBe(0);
    await owner.field('Path').fill('smtp');
    await page.getByText('Nothing matches').waitFor();
    await owner.button('Clear the filters').first().click();
    await page.getByText('two@example.org').waitFor();
  });

  it('downloads a proof of what became of a mail, which holds', async () => {
    const { body } = await owner.call('POST', '/emails/send', {
      from: { email: `hello@${fixture.organization.domain}` },
      to: [{ email: 'delivered@simulator.test' }],
      subject: 'Your receipt',
      text: 'Thank you.',
    });
    const { message_id: id } = body.data;
    const { page } = owner;
    await owner.open(`/emails/${id}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download proof' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`proof-${id}.json`);
    const answer = JSON.parse(readFileSync(await download.path(), 'utf8'));
    expect(checkProof(answer.data)).toMatchObject({ ok: true, proof: { email_id: id } });
  });

  it('who may only read sees the logs, and a stranger sees none of it', async () => {
    const id = await refuseMail(fixture, 'three@example.org');
    const reader = await fixture.member(owner, 'reader@example.org', 'read_only');
    await reader.open(`/logs/${id}`);
    await reader.page.getByText('Content of the request').waitFor();
    const elsewhere = await owner.call('POST', '/organizations', { name: 'Rival' });
    await owner.call('POST', '/auth/organization', { organization_id: elsewhere.body.data.id });
    await owner.open(`/logs/${id}`);
    await owner.page.getByRole('alert').waitFor();
    await owner.open('/logs');
    await owner.heading('Nothing was refused').waitFor();
    expect(await owner.page.getByText('three@example.org').count()).toBe(0);
    await owner.call('POST', '/auth/organization', { organization_id: fixture.organization.id });
  });

  it('turns on click tracking, and sees which link of a mail was followed how often', async () => {
    const { page } = owner;
    await owner.open('/settings');
    await owner
      .field('Track clicks unless a domain or an email says otherwise')
      .selectOption({ label: 'Links of HTML' });
    const card = page.locator('form', { hasText: 'Track clicks' });
    await card.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await owner.call('GET', '/settings/tracking')).body.data.track_clicks).toBe('html');
    const link = 'https://shop.example/basket?a=1&b=<script>';
    const id = await send('clicker@example.org', { html: '<p>x</p>' });
    for (let times = 0; times < 2; times++) await happened(id, 'clicked', 'clicker@example.org', link);
    await owner.open(`/emails/${id}`);
    const row = page.getByRole('listitem').filter({ hasText: link });
    await row.getByText('2 clicks').waitFor();
    await owner.call('PUT', '/settings/tracking', { track_opens: false, track_clicks: 'off' });
  });

  it('tells scheduled and complained mail apart, and is told what to do about a complaint', async () => {
    const { page } = owner;
    const scheduled = new Date(Date.now() + 86_400_000).toISOString();
    await send('later@example.org', { scheduled_at: scheduled });
    const complained = await send('angry@complained.test');
    await happened(complained, 'complained', 'angry@complained.test');
    await owner.open('/emails');
    await owner.field('Status').selectOption('scheduled');
    await page.waitForURL(/state=scheduled/);
    await page.getByText('1 email', { exact: true }).waitFor();
    await page.getByRole('row', { name: /later@example\.org.*scheduled/ }).waitFor();
    await owner.field('Status').selectOption('complained');
    // Anywhere in the row, and not on the link's words: the link lies over all of it.
    await page
      .getByRole('row', { name: /angry@complained\.test/ })
      .getByText('complained', { exact: true })
      .click({ force: true });
    await page.getByText('angry@complained.test reported this email as spam.').waitFor();
    await page.getByRole('link', { name: '← Emails' }).click();
    await page.waitForURL(/state=complained/);
    expect(await owner.field('Status').inputValue()).toBe('complained');
  });

  it('keeps what it looks at in the address: tabs, spans, days of its own time zone', async () => {
    const { page } = owner;
    await owner.open('/?range=7d');
    expect(await owner.button('7 days').getAttribute('aria-pressed')).toBe('true');
    await owner.button('30 days').click();
    await page.waitForURL(/range=30d/);
    await page
      .getByRole('link', { name: /^[\d,]+ emails$/ })
      .first()
      .click();
    await page.waitForURL(/\/emails\?from_date=/);
    await page.getByText(/Since \d/).waitFor();

    const id = await send('tabs@example.org');
    await owner.open(`/emails/${id}?tab=text`);
    await page.getByRole('tab', { name: 'Text', selected: true }).waitFor();
    await page.getByRole('tab', { name: 'Headers' }).click();
    await page.waitForURL(/tab=headers/);

    await owner.open('/emails?from_date=2026-01-01&to_date=2026-01-01');
    await page.getByText(/^Days in your time zone, \S+\.$/).waitFor();
  });

  it('shows the number of pages when a page after the last is requested', async () => {
    const { page } = owner;
    await owner.open('/logs?page=4000');
    await owner.heading('There is no page 4,000').waitFor();
    await owner.button('Go to page 1').click();
    await page.getByRole('row').nth(1).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('is asked twice before somebody who complained is mailed again', async () => {
    const { page } = owner;
    await owner.call('POST', '/suppressions', { email: 'angry@example.org', reason: 'complaint' });
    await owner.open('/suppressions?email=angry@example.org');
    await owner.button('Remove angry@example.org').click();
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true });
    expect(await remove.isDisabled()).toBe(true);
    await owner.button('Go back').click();
    expect((await owner.call('GET', '/suppressions?email=angry@example.org')).body.data).toHaveLength(1);
    await owner.button('Remove angry@example.org').click();
    await page.getByLabel('The recipient asked for this mail again').check();
    await remove.click();
    await page.getByText('angry@example.org may be mailed.', { exact: true }).waitFor();
  });

  it('is warned before the files of a letter are lost, and may stay', async () => {
    const { page } = owner;
    const asked: string[] = [];
    let stay = true;
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      return stay ? dialog.dismiss() : dialog.accept();
    });
    await owner.open('/compose');
    await owner.field('Subject').fill('Dear');
    const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') };
    await owner.field('Attachments').setInputFiles(file);
    await owner.button('Remove a.txt').waitFor();
    await page.getByRole('link', { name: 'Domains', exact: true }).click();
    await expect.poll(() => asked).toEqual(['Your changes are not saved. Discard them?']);
    expect(await owner.field('Subject').inputValue()).toBe('Dear');
    stay = false;
    await page.getByRole('link', { name: 'Domains', exact: true }).click();
    await owner.heading('Domains').waitFor();
    await owner.open('/compose');
    await owner.button('Discard the draft').click();
    expect(await owner.field('Subject').inputValue()).toBe('');
  });

  it('can ask again for what could not be shown', async () => {
    const { page } = owner;
    let fails = true;
    await page.route('**/api/v1/domains', (route) =>
      fails ? route.fulfill({ status: 404, json: NOT_FOUND }) : route.continue(),
    );
    await owner.open('/domains');
    await page.getByRole('alert').waitFor();
    fails = false;
    await owner.button('Try again').click();
    await page.getByText(fixture.organization.domain).first().waitFor();
    await page.unroute('**/api/v1/domains');
  });

  async function happened(
    id: string,
    type: string,
    recipient: string,
    url: string | null = null,
  ): Promise<void> {
    const insert = `INSERT INTO events (organization_id, email_id, id, type, position, recipient, created_at, url)
                    VALUES ($1, $2, $3, $4, 0, $5, now(), $6)`;
    const { api, organization } = fixture;
    await api.db.exec(adHoc(insert), [organization.id, id, uuidv7(Date.now()), type, recipient, url]);
  }

  async function send(to: string, more: object = {}): Promise<string> {
    const { api, organization } = fixture;
    const body = {
      from: { email: `a@${organization.domain}` },
      to: [{ email: to }],
      subject: 'Hello',
      text: 'x',
      ...more,
    };
    return (await api.api('POST', '/emails/send', body, organization.key)).body.data.message_id;
  }
});
