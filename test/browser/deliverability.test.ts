/** Somebody who wants to know whether mail arrives, and who delivers it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { ALL_WELL, suspended } from '../../src/delivery/scheduler/site-condition.ts';
import { until } from '../support/until.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';
import { letMailWait } from './waiting-mail.ts';

describe.skipIf(CHROMIUM === null)('deliverability in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
    for (const to of ['ada@example.org', 'bounced@simulator.test', 'greylisted@simulator.test'])
      await send(to);
    await until(
      async () => (await owner.call('GET', '/emails?status=queued')).body.pagination.total_count,
      (queued) => queued === 0,
    );
  });
  afterAll(() => fixture.stop());

  it('is told by sender, tag and reason, and leads to the mail', async () => {
    const { page } = owner;
    await owner.open('/deliverability');
    await page.getByText('95% within').first().waitFor();
    await owner.button('Reason').click();
    await page.waitForURL(/by=reason/);
    await page.getByRole('row', { name: /greylisted/ }).waitFor();
    await owner.button('Tag').click();
    await page.getByRole('row', { name: /kind:test 3/ }).waitFor();
    await owner.button('Sending domain').click();
    await page.getByRole('link', { name: fixture.organization.domain }).click();
    await page.waitForURL(/\/emails\?from=/);
    await page.getByText('3 emails', { exact: true }).waitFor();
  });

  it('keeps the period and the grouping in the address', async () => {
    await owner.open('/deliverability?range=7d&by=domain');
    expect(await owner.button('7 days').getAttribute('aria-pressed')).toBe('true');
    expect(await owner.button('Sending domain').getAttribute('aria-pressed')).toBe('true');
  });

  it('shows the worker and its heartbeat', async () => {
    await owner.open('/deliverability');
    await owner.page.getByRole('row', { name: /running .* s ago/ }).waitFor();
  });

  it('has a checklist of feedback loops, which says how to enroll and keeps what was done', async () => {
    const { page } = owner;
    const { domain } = fixture.organization;
    await owner.open('/deliverability');
    const row = page
      .getByRole('row')
      .filter({ hasText: 'Google Postmaster Tools' })
      .filter({ hasText: domain });
    await row.locator('summary').click();
    await row.getByRole('link', { name: /^https:\/\/postmaster\.google\.com/ }).waitFor();
    await row.getByRole('button', { name: 'Mark as enrolled' }).click();
    await row.getByRole('button', { name: 'Mark as not enrolled' }).waitFor();
    await owner.open('/deliverability');
    await row.getByText('enrolled', { exact: true }).waitFor();
    const { data } = (await owner.call('GET', '/feedback-loops')).body;
    const ours = data.filter(({ subject }: { subject: { value: string } }) => subject.value === domain);
    expect(ours.map(({ state }: { state: string }) => state)).toContain('enrolled');
    await row.getByRole('button', { name: 'Mark as not enrolled' }).click();
    await row.getByRole('button', { name: 'Mark as enrolled' }).waitFor();
  });

  it('says where mail waits and why, and an operator has the site tried at once', async () => {
    const { page } = owner;
    const moment = { nowMs: Date.now(), speed: 1, random: () => 0.5 };
    const condition = suspended(ALL_WELL, { reason: 'host_busy', detail: '421 too busy' }, 60, moment);
    await letMailWait(fixture, { domain: 'slow.test', site: 'mx.slow.test', condition });
    await owner.open('/deliverability');
    const row = page.getByRole('row', { name: /mx\.slow\.test.*blocked/ });
    await row.getByText('421 too busy').waitFor();
    await row.getByRole('button', { name: /Try now/ }).click();
    await page.getByRole('row', { name: /mx\.slow\.test.*(being tried|open)/ }).waitFor();
  });

  it('is told on the overview, at once, that mail is due and nobody delivers it', async () => {
    const { page } = owner;
    await fixture.stopWorker();
    await send('nobody@example.org');
    await fixture.api.db.exec(
      adHoc(`UPDATE outbox SET due_at = due_at - interval '12 seconds' WHERE domain = 'example.org'`),
    );
    await owner.open('/');
    await page
      .getByText(
        /Mail has been due for \d+ (seconds|minutes), and no worker delivers it: no worker is running/,
      )
      .waitFor();
    await page.getByRole('link', { name: 'Show the workers' }).click();
    await page.getByRole('alert').getByText('No worker is running, so no mail is sent.').waitFor();
  });

  async function send(to: string, more: object = {}): Promise<void> {
    const { api, organization } = fixture;
    const from = { email: `a@${organization.domain}` };
    const tags = [{ name: 'kind', value: 'test' }];
    const body = { from, to: [{ email: to }], subject: 'Hello', text: 'x', tags, ...more };
    expect((await api.api('POST', '/emails/send', body, organization.key)).status).toBe(201);
  }
});
