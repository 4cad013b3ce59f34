import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { ALL_WELL, slowed } from '../../src/delivery/scheduler/site-condition.ts';
import { BrowserFixture, CHROMIUM, PASSWORD, type Visitor } from './fixture.ts';
import { letMailWait } from './waiting-mail.ts';

describe.skipIf(CHROMIUM === null)('several people in browsers', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  it('see only what their own organization has', async () => {
    const { api, organization } = fixture;
    const body = {
      from: { email: `hello@${organization.domain}` },
      to: [{ email: 'customer@example.org' }],
      subject: 'For Acme alone',
      text: 'x',
    };
    const sent = await api.api('POST', '/emails/send', body, organization.key);
    const emailId = sent.body.data.message_id;
    const domains = await owner.call('GET', '/domains');
    const template = await owner.call('POST', '/templates', { name: 'Secret plan', subject: 'x', text: 'x' });

    const elsewhere = await owner.call('POST', '/organizations', { name: 'Rival' });
    await owner.call('POST', '/auth/organization', { organization_id: elsewhere.body.data.id });
    const stranger = await fixture.member(owner, 'eve@example.org', 'owner');
    await owner.call('POST', '/auth/organization', { organization_id: organization.id });

    await owner.open('/emails');
    await owner.page.getByText('For Acme alone').waitFor();
    await stranger.open('/emails');
    await stranger.page.getByText('No email has been sent yet').waitFor();
    for (const path of [
      `/emails/${emailId}`,
      `/domains/${domains.body.data[0].id}`,
      `/templates/${template.body.data.id}`,
    ]) {
      await stranger.open(path);
      await stranger.page.getByRole('alert').waitFor();
      expect(await stranger.page.getByText(/For Acme alone|Secret plan/).count()).toBe(0);
    }
    expect(await stranger.page.getByText('Rival').count()).toBeGreaterThan(0);
  });

  it('who may only read are offered nothing to change, and refused where they try', async () => {
    const reader = await fixture.member(owner, 'bob@example.org', 'read_only');
    const { page } = reader;
    await reader.open('/domains');
    await page.getByRole('row').nth(1).waitFor();
    expect(await reader.button('Add a domain').count()).toBe(0);
    await reader.open('/settings/api-keys');
    expect(await reader.button('Create a key').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Members' }).count()).toBe(0);
    const made = await owner.call('POST', '/templates', { name: 'Look', subject: 'Hi {{name}}', text: 'x' });
    await reader.open(`/templates/${made.body.data.id}`);
    await page.getByText('Hi Ada').waitFor();
    expect(await reader.button('Save').count()).toBe(0);
    await reader.open('/compose');
    expect(await reader.button('Send').isDisabled()).toBe(true);
    expect((await reader.call('POST', '/domains', { domain: 'x.example.org' })).status).toBe(403);
    expect((await reader.call('GET', '/members')).status).toBe(403);
  });

  it('see why their mail waits for a site without a reload, and only operators may change it', async () => {
    const less = { reason: 'rate_limited', detail: '4.7.1 <b>too much</b> mail' } as const;
    const condition = slowed(
      ALL_WELL,
      less,
      { sent: 60, took: 0, takenSince: 0 },
      { nowMs: Date.now() - 60_000 },
    );
    const member = await fixture.member(owner, 'carl@example.org', 'member');
    await member.open('/sites');
    await member.page.getByText('No mail waits for a server').waitFor();
    const emailId = await letMailWait(fixture, { domain: 'slow.test', site: 'mx.slow.test', condition });
    const row = member.page.getByRole('row', { name: /mx\.slow\.test/ });
    await row.waitFor();
    expect(await row.textContent()).toMatch(
      /Reply: 4\.7\.1 <b>too much<\/b> mail\s*slowed\s*30 messages a minute.+3 due now\s*one every 2 seconds/,
    );
    expect(await row.getByRole('button').count()).toBe(0);

    await member.open(`/emails/${emailId}`);
    await member.page.getByText(/^Waiting for/).waitFor();
    await member.page.getByRole('link', { name: 'mx.slow.test' }).click();
    await member.heading('mx.slow.test').waitFor();
    expect(await member.button('Pause').count()).toBe(0);

    await owner.open('/sites');
    await owner.button('Try now').click();
    await owner.page.getByText('at full speed').waitFor();
  });

  it('join by a mailed link and are removed by an owner', async () => {
    const { page } = owner;
    await owner.open('/settings/members');
    await owner.button('Invite a member').click();
    await owner.field('Email address').fill('grace@example.org');
    await owner.button('Invite').click();
    await page.getByRole('link', { name: 'find it in the sandbox inbox' }).click();
    await page.getByRole('link', { name: 'You are invited to Acme' }).click();
    const text = await page.getByText(/\/invite\//).textContent();
    expect(await page.getByRole('link', { name: 'Show events' }).count()).toBe(0);
    await owner.open('/settings/members');
    await page.getByRole('row', { name: /grace@example.org/ }).waitFor();

    const grace = await fixture.visitor();
    await grace.open(/\/invite\/[\w-]{43}/.exec(text ?? '')?.[0] ?? '');
    await grace.field('Password').fill(PASSWORD);
    await grace.button('Accept the invite').click();
    await grace.heading('Overview').waitFor();
    const key = await grace.call('POST', '/api-keys', { name: 'Of Grace', scope: 'full' });
    const hook = await grace.call('POST', '/webhooks', { url: 'http://127.0.0.1:9/of-grace' });

    await owner.open('/settings/members');
    await owner.button('Remove grace@example.org').click();
    await page.getByRole('listitem').getByText('Of Grace').waitFor();
    await page.getByRole('listitem').getByText('http://127.0.0.1:9/of-grace').waitFor();
    expect(
      await page.getByLabel('Revoke these keys and invites, and disable these webhooks').isChecked(),
    ).toBe(true);
    await owner.button('Remove from the organization').click();
    await expect
      .poll(async () => (await grace.call('GET', '/emails')).status, { timeout: 10_000 })
      .not.toBe(200);
    const listed = await owner.call('GET', '/api-keys');
    const ended = listed.body.data.find((one: { id: string }) => one.id === key.body.data.id);
    expect(ended.revoked_at).not.toBeNull();
    const webhook = await owner.call('GET', `/webhooks/${hook.body.data.id}`);
    expect(webhook.body.data.enabled).toBe(false);
    await owner.open('/settings/audit-log');
    await page.getByText(/^removed the member/).waitFor();
  });

  it('are shown as disabled among the members, with the command that enables them', async () => {
    await fixture.member(owner, 'edsger@example.org', 'member');
    await fixture.api.db.exec(adHoc('UPDATE users SET disabled = true WHERE email = $1'), [
      'edsger@example.org',
    ]);
    await owner.open('/settings/members');
    const row = owner.page.getByRole('row', { name: /edsger@example.org/ });
    await row.getByText('disabled', { exact: true }).waitFor();
    await row.getByText('npx postrider user enable edsger@example.org').waitFor();
  });

  it('are asked to confirm an address that nobody proved, and do so by a mailed link', async () => {
    const mary = await fixture.member(owner, 'mary@example.org', 'member');
    await fixture.api.db.exec(adHoc('UPDATE users SET email_proven_at = NULL WHERE email = $1'), [
      'mary@example.org',
    ]);
    await mary.open('/');
    await mary.button('Email me a link').click();
    await mary.page.getByText('We sent a link to mary@example.org.').waitFor();
    await mary.open('/inbox');
    await mary.page.getByRole('link', { name: 'Confirm your address' }).click();
    const text = await mary.page.getByText(/\/confirm-address/).textContent();
    await mary.open(/\/confirm-address\?token=[\w-]{43}/.exec(text ?? '')?.[0] ?? '');
    await mary.button('Yes, confirm').click();
    await mary.page.getByText('mary@example.org is confirmed.').waitFor();
    await mary.open('/');
    expect(await mary.button('Email me a link').count()).toBe(0);
    // Nobody else finds her mail, or the invites of others.
    await owner.open('/inbox');
    expect(await owner.page.getByRole('link', { name: 'Confirm your address' }).count()).toBe(0);
    await mary.open('/inbox');
    expect(await mary.page.getByRole('link', { name: /You are invited/ }).count()).toBe(0);
  });

  it('are asked to sign in again when their session was ended elsewhere, and come back to where they were', async () => {
    const alan = await fixture.member(owner, 'alan@example.org', 'member');
    await alan.open('/emails?subject=Acme');
    await alan.page.getByText('For Acme alone').waitFor();
    const elsewhere = await fixture.visitor();
    await elsewhere.call('POST', '/auth/sign-in', { email: 'alan@example.org', password: PASSWORD });
    await elsewhere.call('POST', '/auth/sign-out-everywhere');
    await alan.heading('Your session has ended').waitFor();
    await alan.button('Close').click();
    await alan.heading('Sign in').waitFor();
    await alan.field('Email address').fill('alan@example.org');
    await alan.field('Password').fill(PASSWORD);
    await alan.button('Sign in').click();
    await alan.page.getByText('For Acme alone').waitFor();
  });

  it('switch between organizations, and see the other one at once', async () => {
    const { page } = owner;
    await owner.open('/settings');
    await owner.button('New organization').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Acme Test');
    await owner.button('Create organization').click();
    await owner.heading('Overview').waitFor();
    await owner.button(/^Acme Test/).click();
    await owner.button('Acme').click();
    await owner.button(/^Acme ada@example.org/).waitFor();
    await owner.open('/domains');
    await page.getByText(fixture.organization.domain).waitFor();
  });

  it('turn on a second factor, and are asked for its code', async () => {
    const grace = await fixture.member(owner, 'joan@example.org', 'member');
    const { page } = grace;
    await grace.open('/settings/account');
    await grace.button('Set up').click();
    await page.getByRole('img', { name: 'A QR code with the secret' }).waitFor();
    const secret = (await page.getByText(/^[A-Z2-7]{16,}$/).textContent()) ?? '';
    await grace.field('Code').fill('000000');
    await grace.button('Turn on').click();
    await page.locator('.problem').waitFor();
    await grace.field('Code').fill(codeOf(secret, Date.now()));
    await grace.button('Turn on').click();
    await page.getByText('Keep these recovery codes').waitFor();
    const [recovery = ''] = ((await page.locator('.shown-once pre').textContent()) ?? '').split('\n');

    await grace.button(/joan@example.org/).click();
    await grace.button('Sign out').click();
    await grace.field('Email address').fill('joan@example.org');
    await grace.field('Password').fill(PASSWORD);
    await grace.button('Sign in').click();
    await grace.field('Code').fill(recovery);
    await grace.button('Sign in').click();
    await grace.heading('Overview').waitFor();
  });
});

/** What an authenticator app shows (RFC 6238). */
function codeOf(secret: string, nowMs: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / 30_000)));
  const hash = createHmac('sha1', key).update(counter).digest();
  const start = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(start) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
