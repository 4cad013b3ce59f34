/** Somebody who gives an agent a key, and looks at its mail before anybody else does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('approvals in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  const stateOf = async (id: string) => (await owner.call('GET', `/approvals/${id}`)).body.data.state;

  async function handIn(key: string, to: string, html = '<p>Dear Grace</p>'): Promise<string> {
    const { api, organization } = fixture;
    const from = { email: `agent@${organization.domain}` };
    const body = { from, to: [{ email: to }], subject: `Offer for ${to}`, html };
    return (await api.api('POST', '/emails/send', body, key)).body.data.message_id;
  }

  async function makeAgent(): Promise<string> {
    const { page } = owner;
    await owner.open('/settings/api-keys');
    await owner.button('Create a key').click();
    await page.getByLabel('Name', { exact: true }).fill('Support agent');
    await page.getByLabel('Access', { exact: true }).selectOption('agent');
    await page.getByLabel('Allowed recipients').fill('team.example\nno address@');
    await page.getByLabel('Recipients per day').fill('5');
    await page.getByLabel('Approval', { exact: true }).selectOption('required');
    await owner.button('Create key').click();
    await page
      .getByText(/is no address|is no domain/)
      .first()
      .waitFor();
    await page.getByLabel('Allowed recipients').fill('team.example');
    await owner.button('Create key').click();
    const key = await until(async () => /pr_[\w-]{43}/.exec(await page.content())?.[0] ?? '');
    await page.keyboard.press('Escape');
    return key;
  }

  it('gives an agent a key, sees its mail, approves one and rejects another', async () => {
    const { page } = owner;
    const key = await makeAgent();
    const first = await handIn(key, 'grace@team.example');
    const second = await handIn(key, 'bob@team.example');
    await owner.open('/settings/api-keys');
    await page.getByText('2 of 5 today').waitFor();
    await owner.open('/approvals');
    await page.getByRole('link', { name: /^Approvals\s*2$/ }).waitFor();
    await page.getByRole('link', { name: 'Offer for grace@team.example' }).focus();
    await page.keyboard.press('Enter');
    await page.frameLocator('iframe').getByText('Dear Grace').waitFor();
    await owner.button('Approve').focus();
    await page.keyboard.press('Enter');
    await owner.button('Approve and send').click();
    await until(async () => (await stateOf(first)) === 'approved');
    await until(
      async () => (await owner.call('GET', '/sandbox/messages?to=grace@team.example')).body.data.length === 1,
    );
    await page.getByRole('link', { name: 'Offer for bob@team.example' }).click();
    await owner.button('Reject').click();
    await page.getByLabel('Reason', { exact: true }).fill('Wrong price');
    await page.keyboard.press('Enter');
    await until(async () => (await stateOf(second)) === 'rejected');
    await owner.open('/approvals?state=decided');
    await page.getByText('rejected').first().waitFor();
    expect(owner.complaints).toEqual([]);
  });

  /** A whole message, as some applications hand it in. */
  async function handInMessage(key: string, lines: readonly string[]): Promise<string> {
    const { api, organization } = fixture;
    const form = new FormData();
    form.append('to', 'whole@team.example');
    form.append('message', new Blob([lines.join('\r\n')]), 'message.eml');
    const authorization = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`;
    const url = `${api.url}/compat/mailgun/v3/${organization.domain}/messages.mime`;
    const answer = await fetch(url, { method: 'POST', headers: { authorization }, body: form });
    return /[0-9a-f-]{36}/.exec(await answer.text())?.[0] ?? '';
  }

  async function newAgent(): Promise<string> {
    const policy = { approval: 'required', attachments: true };
    const made = { name: 'Writing agent', scope: 'agent', policy };
    return (await owner.call('POST', '/api-keys', made)).body.data.key;
  }

  it('sees everything that leaves with an email before approving it', async () => {
    const { page } = owner;
    const { api, organization } = fixture;
    const mail = {
      ...{ from: { email: `agent@${organization.domain}`, name: 'Helpful Agent' }, subject: 'All of it' },
      ...{ to: [{ email: 'ann@team.example' }], bcc: [{ email: 'blind@team.example' }] },
      reply_to: [{ email: 'first@x.example' }, { email: 'second@x.example', name: 'Second' }],
      ...{ headers: { 'X-Note': 'a field of its own' }, track_clicks: 'html', text: 'Another text' },
      html: '<p>Hello</p><p style="display:none">Whispered</p><a href="https://a.example/b">A</a>',
      attachments: [{ filename: 'terms.txt', content: Buffer.from('Terms').toString('base64') }],
      ...{ unsubscribe_group: 'news', metadata: { order: 7 } },
    };
    const sent = await api.api('POST', '/emails/send', mail, await newAgent());
    await owner.open(`/approvals/${sent.body.data.message_id}`);
    const main = page.getByRole('main');
    for (const words of [
      ...['Helpful Agent <', 'blind@team.example', 'Second <second@x.example>', 'a field of its own'],
      ...['clicks on links of the HTML', 'https://a.example/b', 'With a link, from news', '{"order":7}'],
      ...['Whispered', 'Another text', 'terms.txt'],
    ])
      await main.getByText(words, { exact: false }).first().waitFor();
    const saved = page.waitForEvent('download');
    await owner.button('Download terms.txt').click();
    expect((await saved).suggestedFilename()).toBe('terms.txt');
    const source = page.waitForEvent('download');
    await owner.button('Download the source').click();
    expect((await source).suggestedFilename()).toMatch(/\.eml$/);
    expect(owner.complaints).toEqual([]);
  });

  it('sees what a whole message has besides the text that mail clients show', async () => {
    const id = await handInMessage(await newAgent(), [
      ...[`From: agent@${fixture.organization.domain}`, 'To: whole@team.example', 'Subject: Whole'],
      ...['Comments: said in the header', 'Content-Type: multipart/alternative; boundary=b', ''],
      ...['said before the parts', '--b', 'Content-Type: text/plain', '', 'Hello', '--b'],
      ...['Content-Type: text/x-amp-html', '', '<p>said to few</p>', '--b--', 'said behind the parts', ''],
    ]);
    await owner.open(`/approvals/${id}`);
    const main = owner.page.getByRole('main');
    for (const words of ['said in the header', 'said before the parts', 'said behind the parts', 'Hello'])
      await main.getByText(words, { exact: false }).first().waitFor();
    const amp = main.getByRole('region', { name: /text\/x-amp-html/ });
    await amp.getByText('Source', { exact: true }).click();
    await amp.getByText('<p>said to few</p>').waitFor();
    expect(owner.complaints).toEqual([]);
  });

  it('changes what a key may send', async () => {
    const { page } = owner;
    await owner.open('/settings/api-keys');
    await owner.button('Policy of Support agent').click();
    await page.getByLabel('Allowed templates').fill('*');
    await owner.button('Save the policy').click();
    await page
      .getByText(/is required with templates/)
      .first()
      .waitFor();
    await page
      .getByLabel('Allowed senders')
      .fill(`Acme, Inc. <support@${fixture.organization.domain}>\nteam.example`);
    await page.getByLabel('Read access').selectOption('organization');
    await owner.button('Save the policy').click();
    await page
      .getByText(/from 2 listed, only with templates.*reads all mail/)
      .first()
      .waitFor();
    await page
      .getByText(/only with templates/)
      .first()
      .waitFor();
  });

  it('offers no decision to a member with read access', async () => {
    const made = { name: 'Other agent', scope: 'agent', policy: { approval: 'required' } };
    const { key } = (await owner.call('POST', '/api-keys', made)).body.data;
    const id = await handIn(key, 'ann@team.example');
    const reader = await fixture.member(owner, 'reader@example.org', 'read_only');
    await reader.open(`/approvals/${id}`);
    await reader.heading('Recipients').waitFor();
    expect(await reader.button('Approve').count()).toBe(0);
  });
});
