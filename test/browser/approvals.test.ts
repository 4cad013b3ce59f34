/** Somebody who gives an agent a key, and looks at its mail before anybody else does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { CHROMIUM, type Visitor, World } from './world.ts';

describe.skipIf(CHROMIUM === null)('approvals in a browser', () => {
  let world: World;
  let owner: Visitor;

  beforeAll(async () => {
    world = await World.start();
    owner = await world.owner();
  });
  afterAll(() => world.stop());

  const stateOf = async (id: string) => (await owner.call('GET', `/approvals/${id}`)).body.data.state;

  async function handIn(key: string, to: string, html = '<p>Dear Grace</p>'): Promise<string> {
    const { api, organization } = world;
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
    await page.getByLabel('May write to').fill('team.example\nno address@');
    await page.getByLabel('Recipients per day').fill('5');
    await page.getByLabel('Approval', { exact: true }).selectOption('required');
    await owner.button('Create key').click();
    await page
      .getByText(/is no address|is no domain/)
      .first()
      .waitFor();
    await page.getByLabel('May write to').fill('team.example');
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
    await page.getByRole('link', { name: /Approvals\s*2 waiting/ }).waitFor();
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

  it('changes what a key may send', async () => {
    const { page } = owner;
    await owner.open('/settings/api-keys');
    await owner.button('Policy of Support agent').click();
    await page.getByLabel('Templates only').fill('*');
    await owner.button('Save the policy').click();
    await page
      .getByText(/is required with templates/)
      .first()
      .waitFor();
    await page
      .getByLabel('May send from')
      .fill(`Acme, Inc. <support@${world.organization.domain}>\nteam.example`);
    await page.getByLabel('May look up').selectOption('organization');
    await owner.button('Save the policy').click();
    await page
      .getByText(/from 2 listed, templates only.*reads all mail/)
      .first()
      .waitFor();
    await page
      .getByText(/templates only/)
      .first()
      .waitFor();
  });

  it('offers nothing to decide to whoever may only read', async () => {
    const made = { name: 'Other agent', scope: 'agent', policy: { approval: 'required' } };
    const { key } = (await owner.call('POST', '/api-keys', made)).body.data;
    const id = await handIn(key, 'ann@team.example');
    const reader = await world.member(owner, 'reader@example.org', 'read_only');
    await reader.open(`/approvals/${id}`);
    await reader.page.getByText('Who gets it').waitFor();
    expect(await reader.button('Approve').count()).toBe(0);
  });
});
