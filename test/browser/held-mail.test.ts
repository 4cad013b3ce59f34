/** Mail that is held or reached only some of its recipients: in the list, and with what can be done about it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { until } from '../support/until.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('held and partly delivered mail in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  it('releases the hold of an email on the page of the email, with two clicks', async () => {
    const { id } = await sendHeld('prices', 'Wrong prices');
    const { page } = owner;
    await owner.open(`/emails/${id}`);
    await owner.button('Release the hold').click();
    await page.getByText('One email is sent', { exact: true }).waitFor();
    await owner.button('Send the mail').click();
    await page.getByText('delivered', { exact: true }).first().waitFor();
    expect(await stateOf(id)).toBe('delivered');
    expect(await owner.button('Release the hold').count()).toBe(0);
  });

  it('leads from the email to its hold, which shows how much mail waits and who placed the hold', async () => {
    const { id, hold } = await sendHeld('wrong-list', 'Sent to the wrong list');
    const { page } = owner;
    await owner.open(`/emails/${id}`);
    await page.getByRole('link', { name: 'Show the hold' }).click();
    await page.waitForURL(new RegExp(`/holds/${hold}$`));
    await owner.heading('Sent to the wrong list').waitFor();
    await page.getByText('1 delivery waits', { exact: false }).waitFor();
    await page.getByText('Tag wrong-list', { exact: true }).waitFor();
    await owner.button('Discard').waitFor();
  });

  it('shows a read-only member the hold and no way to end it', async () => {
    const { id, hold } = await sendHeld('for-readers', 'Ask legal first');
    const reader = await fixture.member(owner, 'reader@example.org', 'read_only');
    await reader.open(`/emails/${id}`);
    await reader.page.getByRole('link', { name: 'Show the hold' }).waitFor();
    expect(await reader.button('Release the hold').count()).toBe(0);
    await reader.open(`/holds/${hold}`);
    await reader.heading('Ask legal first').waitFor();
    expect(await reader.button(/Release|Discard/).count()).toBe(0);
    expect((await reader.call('POST', `/holds/${hold}/release`)).status).toBe(403);
  });

  it('says that only an operator can end the hold of an operator', async () => {
    const member = await fixture.member(owner, 'member@example.org', 'member');
    const { id, hold } = await sendHeld('of-operators', 'The provider blocks us');
    await fixture.api.db.exec(
      adHoc('UPDATE holds SET by_operator = true, organization_id = NULL WHERE id = $1'),
      [hold],
    );
    await member.open(`/emails/${id}`);
    await member.page.getByText('Only an operator of this installation can release this hold.').waitFor();
    expect(await member.button('Release the hold').count()).toBe(0);
  });

  it('lists partly delivered mail with the number of recipients who got it, and filters by that state', async () => {
    const { page } = owner;
    const id = await send({
      to: ['ada@example.org', 'bob@example.org', 'bounced@simulator.test'].map((email) => ({ email })),
      subject: 'Minutes of the meeting',
    });
    await until(async () => (await stateOf(id)) === 'partly_delivered');
    await owner.open('/emails');
    await owner.field('Status').selectOption('partly delivered');
    await page.waitForURL(/state=partly_delivered/);
    await page.getByText('1 email', { exact: true }).waitFor();
    const row = page.getByRole('row', { name: /Minutes of the meeting/ });
    await row.getByText('partly delivered', { exact: true }).waitFor();
    await row.getByText('2 of 3 delivered', { exact: true }).waitFor();
    await row.getByRole('link').click();
    await page.waitForURL(new RegExp(`/emails/${id}`));
    await page.getByText('2 of 3 delivered', { exact: true }).waitFor();
  });

  /** An email under a hold of its own, once a worker has come to it. */
  async function sendHeld(tag: string, reason: string): Promise<{ id: string; hold: string }> {
    const asked = { scope: 'tag', value: tag, ahead: true, reason };
    const { body } = await call('POST', '/holds', asked);
    const id = await send({ tags: [{ name: tag, value: 'yes' }] });
    await until(async () => (await stateOf(id)) === 'held');
    return { id, hold: body.data.id };
  }

  async function send(changes: object): Promise<string> {
    const from = { email: `billing@${fixture.organization.domain}` };
    const body = { from, to: [{ email: 'ada@example.org' }], subject: 'Spring', text: 'x', ...changes };
    return (await call('POST', '/emails/send', body)).body.data.message_id;
  }

  async function stateOf(id: string): Promise<string> {
    return (await call('GET', `/emails/${id}`)).body.data.state;
  }

  function call(method: string, path: string, body?: object) {
    return fixture.api.api(method, path, body, fixture.organization.key);
  }
});
