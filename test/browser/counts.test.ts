/** A number on the overview and the list that it links to must agree. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyOutcomes } from '../../src/emails/outcomes.ts';
import type { EmailStatus } from '../../src/emails/status.ts';
import { until } from '../support/until.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

const TILES = ['Sent', 'Delivered', 'Bounced', 'Failed', 'Opened'] as const;

describe.skipIf(CHROMIUM === null)('the numbers of the overview in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
    const sent = ['a@example.org', 'b@example.org', 'c@example.org', 'bounced@simulator.test'];
    const [first] = await Promise.all(sent.map(send));
    await settled(sent.length);
    await settle(first as string, 'opened');
  });
  afterAll(() => fixture.stop());

  it.each(TILES)('lead to a list with as many emails: %s', async (tile) => {
    const { page } = owner;
    await owner.open('/');
    const link = page.locator('.stat', { hasText: tile }).getByRole('link');
    const count = Number.parseInt(await link.innerText(), 10);
    await link.click();
    await page.waitForURL(/\/emails\?/);
    if (count === 0) await owner.heading('Nothing matches').waitFor();
    else await page.getByText(`${count} ${count === 1 ? 'email' : 'emails'}`, { exact: true }).waitFor();
  });

  it('count opened mail as delivered mail, in the list, too', async () => {
    const { page } = owner;
    await owner.open('/');
    await page.getByRole('link', { name: '3 emails' }).click();
    await page.getByText('3 emails', { exact: true }).waitFor();
    expect(await owner.field('Status').locator('option:checked').innerText()).toBe('delivered or opened');
  });

  async function send(to: string): Promise<string> {
    const { api, organization } = fixture;
    const body = {
      from: { email: `a@${organization.domain}` },
      to: [{ email: to }],
      subject: 'Hello',
      text: 'x',
    };
    return (await api.api('POST', '/emails/send', body, organization.key)).body.data.message_id;
  }

  async function settled(count: number): Promise<void> {
    const undecided = async () =>
      (await owner.call('GET', '/emails?status=queued')).body.pagination.total_count;
    await until(async () => (await undecided()) === 0 && count > 0);
  }

  function settle(emailId: string, state: Exclude<EmailStatus, 'queued'>): Promise<unknown> {
    const outcome = {
      organizationId: fixture.organization.id,
      emailId,
      position: 0,
      attempts: 1,
      atMs: Date.now(),
    };
    return fixture.api.db.transaction((tx) => applyOutcomes(tx, [{ ...outcome, state }], Date.now()));
  }
});
