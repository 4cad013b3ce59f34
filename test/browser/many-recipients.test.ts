/** Somebody who looks at an email that went to many people. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { runAxe } from './axe.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

const DELIVERED = Array.from({ length: 36 }, (_, n) => `reader${n}@example.org`);
const BOUNCED = Array.from({ length: 4 }, (_, n) => `bounced+${n}@simulator.test`);

describe.skipIf(CHROMIUM === null)('an email with 40 recipients in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;
  let id: string;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
    const { api, organization } = fixture;
    const to = [...DELIVERED, ...BOUNCED].map((email) => ({ email }));
    const from = { email: `a@${organization.domain}` };
    const body = { from, to, subject: 'To all', text: 'x' };
    id = (await api.api('POST', '/emails/send', body, organization.key)).body.data.message_id;
    await until(async () => (await owner.call('GET', `/emails/${id}`)).body.data.status === 'bounced');
    await owner.call('POST', '/suppressions', { email: DELIVERED[35], reason: 'unsubscribe' });
  });
  afterAll(() => fixture.stop());

  it('shows five recipients, those with problems first, and groups the others by outcome', async () => {
    const { page } = owner;
    await owner.open(`/emails/${id}`);
    const cards = page.locator('section.card', { has: page.locator('.timeline') });
    await cards.first().waitFor();
    expect(await cards.count()).toBe(5);
    expect(await cards.locator('h2').allInnerTexts()).toEqual([
      ...BOUNCED.map((email) => expect.stringContaining(email)),
      expect.stringContaining(DELIVERED[0] as string),
    ]);
    await page.getByText('35 more delivered').focus();
    await page.keyboard.press('Enter');
    const row = page.locator('details.delivery', { hasText: DELIVERED[35] as string });
    await row.getByText('suppressed').waitFor();
    await row.locator('summary').click();
    await row.getByText('said 250').waitFor();
    await row.getByRole('button', { name: 'Remove from suppressions' }).waitFor();
    expect((await runAxe(page)).violations).toEqual([]);
  });

  it('asks once which of them are suppressed', async () => {
    const { page } = owner;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/suppressions')) asked.push(new URL(request.url()).pathname);
    });
    await owner.open(`/emails/${id}`);
    await page.getByText('35 more delivered').waitFor();
    await owner.button('Add to suppressions').first().waitFor();
    expect(asked).toEqual([`/api/v1/emails/${id}/suppressions`]);
  });

  it('finds one of them by a part of the address', async () => {
    const { page } = owner;
    await owner.open(`/emails/${id}`);
    await owner.field('Find one of 40 recipients').fill('READER35');
    await owner.heading(/reader35@example\.org/).waitFor();
    expect(await page.locator('section.card', { has: page.locator('.timeline') }).count()).toBe(1);
  });
});
