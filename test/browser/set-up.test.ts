import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendLetter } from '../support/emails.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

const run = promisify(execFile);
const LATER = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };

describe.skipIf(CHROMIUM === null)('setting up in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  it('makes a key that works with the command shown beside it, until it is revoked', async () => {
    const { page } = owner;
    await owner.open('/settings/api-keys');
    await owner.button('Create a key').click();
    await owner.field('Name').fill('Shop');
    await owner.field('Domain').selectOption(fixture.organization.domain);
    await owner.button('Create key').click();
    await owner.button('Copy the command').click();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const { stdout } = await run('bash', ['-c', `${command} -s`]);
    expect(JSON.parse(stdout)).toMatchObject({ data: { status: 'queued' } });
    const key = /Bearer (\S+)"/.exec(command)?.[1] ?? '';
    await owner.button('I have copied it').click();
    expect(await page.getByText(key).count()).toBe(0);

    await owner.button('Revoke Shop').click();
    await owner.button('Revoke key').click();
    await page.getByText('Shop was revoked.').waitFor();
    await expect
      .poll(async () => (await fixture.api.api('GET', '/emails', undefined, key)).status, { timeout: 10_000 })
      .toBe(401);
  });

  it('revokes a key and holds what it queued, or withdraws that later', async () => {
    const { page } = owner;
    const { body } = await owner.call('POST', '/api-keys', { name: 'Leaked', scope: 'send' });
    await sendLetter(fixture.api, { ...fixture.organization, key: body.data.key }, LATER);
    await owner.open('/settings/api-keys');
    await owner.button('Revoke Leaked').click();
    await owner.field('Queued and scheduled mail of this key').selectOption('hold');
    await owner.button('Revoke key').click();
    await page.getByText('Leaked was revoked. The mail of the key is held. Deliveries: 1.').waitFor();
    await owner.button('Mail of Leaked').click();
    await owner.field('Queued and scheduled mail of this key').selectOption('withdraw');
    await owner.button('Withdraw it').click();
    await page.getByText('The mail of the key is withdrawn. Deliveries: 1.').waitFor();
  });

  it('adds a domain, shows what DNS lacks, and verifies one that is right', async () => {
    const { page } = owner;
    await owner.open('/domains');
    await owner.button('Add a domain').click();
    await owner.field('Domain').fill('shop.invalid');
    await owner.button('Add domain').click();
    await page.getByRole('heading', { name: 'shop.invalid', exact: true }).waitFor();
    await owner.button('Verify now').click();
    await page.getByText(/shop.invalid has no SPF record/).waitFor();
    await owner.button('As a zone file').click();
    await page.getByText(/shop\.invalid\.\s+3600\s+IN\s+TXT\s+"v=spf1/).waitFor();

    await owner.open('/domains');
    await owner.button('Add a domain').click();
    await owner.field('Domain').fill('not a domain');
    await owner.button('Add domain').click();
    await page.locator('.problem').first().waitFor();
    await owner.field('Domain').fill('shop.example.org');
    await owner.button('Add domain').click();
    await owner.heading('shop.example.org').waitFor();
    await owner.button('Verify now').click();
    await page.getByText('shop.example.org is verified.').waitFor();
  });

  it('reads long names in DNS on a phone, inside their cards', async () => {
    const made = await owner.call('POST', '/domains', { domain: 'arathersurprisinglylongname.invalid' });
    await owner.call('GET', `/domains/${made.body.data.id}/verify`);
    await owner.page.setViewportSize({ width: 360, height: 740 });
    await owner.open(`/domains/${made.body.data.id}`);
    await owner.page
      .getByText(/There is no TXT record/)
      .first()
      .waitFor();
    const sticksOut = await owner.page.evaluate(() =>
      [...document.querySelectorAll('.card-body p')].flatMap((paragraph) => {
        const range = document.createRange();
        range.selectNodeContents(paragraph);
        const edge = paragraph.closest('.card-body')?.getBoundingClientRect().right ?? 0;
        return range.getBoundingClientRect().right > edge ? [paragraph.textContent] : [];
      }),
    );
    await owner.page.setViewportSize({ width: 1280, height: 860 });
    expect(sticksOut).toEqual([]);
  });

  it('imports suppressions with progress, finds one and takes it off', async () => {
    const { page } = owner;
    await owner.open('/suppressions');
    await owner.button('Import').click();
    await owner
      .field('Or paste the list')
      .fill('email,reason\nold@example.org,hard_bounce\nnobody,\nleft@example.org,unsubscribe');
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await page.getByText('2 added, 0 already existed, 1 left out.').waitFor();
    await page.getByText(/Line 3/).waitFor();
    await owner.button('Done').click();
    await owner.field('Address').fill('old@example.org');
    await page.getByRole('row', { name: /old@example.org hard bounce/ }).waitFor();
    await page.getByText('left@example.org').waitFor({ state: 'detached' });
    await owner.button('Remove old@example.org').click();
    await page.getByText('The mailbox did not exist').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('old@example.org may be mailed.', { exact: true }).waitFor();
  });

  it('adds a webhook, shows its secret once and logs a test', async () => {
    const receiver = await startWebhookReceiver();
    const { page } = owner;
    await owner.open('/webhooks');
    await owner.button('Add a webhook').first().click();
    await owner.field('URL').fill(receiver.url);
    await owner.button('Add webhook').click();
    await page.getByText(/^whsec_/).waitFor();
    await owner.button('I have copied it').click();
    await owner.button('Send a test').click();
    const [call] = await receiver.waitFor(1);
    expect(call?.body.type).toBe('webhook.test');
    await page.getByText(/^It works: your endpoint answered 204 in \d+ ms\.$/).waitFor();
    await owner.button('Done').click();
    const row = page.locator('details.delivery', { hasText: 'webhook.test' });
    await row.getByText('delivered').waitFor();
    await row.locator('summary').click();
    await row.getByText('Status 204').waitFor();
    await receiver.close();
  });

  it('explains a bounce in words, with the conversation', async () => {
    const { page } = owner;
    await owner.open('/compose');
    await owner.button('bounced').click();
    await owner.field('Subject').fill('Are you there?');
    await owner.field('Text').fill('Hello?');
    await owner.button('Send').click();
    await page.getByText(/Only the recipient can change this/).waitFor();
    await page.getByText(/SMTP transcript/).click();
    await page.getByText('RCPT TO:<bounced@simulator.test>').waitFor();
    await owner.button('Add to suppressions').click();
    await owner.button('Remove from suppressions').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await owner.button('Add to suppressions').waitFor();
  });

  it('asks for an email to be encrypted all the way, with the keyboard', async () => {
    const { page } = owner;
    await owner.open('/compose');
    const box = page.getByRole('checkbox', { name: /^Require TLS/ });
    expect(await box.isChecked()).toBe(false);
    await owner.field('To').fill('ada@example.org');
    await owner.field('Subject').fill('For your eyes only');
    await owner.field('Text').fill('Hello.');
    await box.focus();
    await page.keyboard.press('Space');
    await owner.button('Send').click();
    await owner.heading('For your eyes only').waitFor();
    await page.getByText('Required on every hop (REQUIRETLS)').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    expect((await owner.call('GET', `/emails/${id}`)).body.data.require_tls).toBe(true);
    await owner.open('/compose');
    expect(await box.isChecked()).toBe(false);
  });

  it('schedules an email, moves it and takes it back', async () => {
    const { page } = owner;
    await owner.open('/compose');
    await owner.field('To').fill('ada@example.org');
    await owner.field('Subject').fill('Not yet');
    await owner.field('Text').fill('Later.');
    await owner.field('Send at').fill('2031-01-31T08:00');
    await owner.button('Schedule').click();
    await owner.button('Reschedule').click();
    await owner.field('Send at').fill('2032-02-29T09:30');
    await owner.button('Save').click();
    await page.getByText(/2032/).first().waitFor();
    await owner.button('Cancel email').click();
    await owner.button('Cancel this email').click();
    await page.getByText('rejected', { exact: true }).waitFor();
    expect(await owner.button('Reschedule').count()).toBe(0);
  });
});
