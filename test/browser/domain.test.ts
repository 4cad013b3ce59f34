/** The page of a domain: what its owner has to publish, each record once, and apart from it what the operator publishes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('the page of a domain', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;
  let id: string;
  let host: string;

  beforeAll(async () => {
    fixture = await BrowserFixture.start({ env: { POSTRIDER_HOSTNAME: 'mail.host.test' } });
    owner = await fixture.owner();
    host = 'mail.host.test';
    id = (await owner.call('POST', '/domains', { domain: 'shop.invalid' })).body.data.id;
    await owner.call('GET', `/domains/${id}/verify`);
  });
  afterAll(() => fixture.stop());

  /** The names of the records on the screen, from the buttons beside them. */
  async function namesShown(): Promise<string[]> {
    const values = owner.page.locator('dt:text-is("Name") + dd code');
    return values.allTextContents();
  }

  it('shows every record once, the required ones first', async () => {
    await owner.open(`/domains/${id}`);
    await owner.heading('DKIM: proves that a message is yours').waitFor();
    await owner.page.locator('summary', { hasText: 'The operator of this installation' }).waitFor();
    const names = await namesShown();
    const types = await owner.page.locator('dt:text-is("Type") + dd').allTextContents();
    const records = names.map((name, place) => `${types[place]} ${name}`);
    expect(new Set(records).size).toBe(records.length);
    const { data } = (await owner.call('GET', `/domains/${id}`)).body;
    const expected = [...data.checks, ...data.recommended_records].map(({ type, name }) => `${type} ${name}`);
    expect(new Set(records)).toEqual(new Set(expected));
    expect(names[0]).toMatch(/\._domainkey\.shop\.invalid$/);
    expect(names[1]).toBe('shop.invalid');
  });

  it('keeps the records of the operator apart', async () => {
    await owner.open(`/domains/${id}`);
    await owner.heading('Records of the operator').waitFor();
    const card = owner.page.locator('section.card', { has: owner.heading('Records of the operator') });
    const apart = await card.locator('dt:text-is("Name") + dd code').allTextContents();
    const all = await namesShown();
    const ofHost = (name: string) => name === host || name.endsWith(`.${host}`);
    expect(apart.length).toBeGreaterThan(0);
    expect(apart.filter((name) => !ofHost(name))).toEqual([]);
    expect(all.filter(ofHost)).toEqual(apart);
  });

  it('has a zone file with the records of the owner alone', async () => {
    const { page } = owner;
    await owner.open(`/domains/${id}`);
    await owner.button('As a zone file').click();
    await page.getByText('v=spf1 include:mail.host.test ~all').first().waitFor();
    const text = (await page.locator('.code pre').first().textContent()) ?? '';
    expect(text).toContain('_domainkey.shop.invalid.');
    expect(text).toContain('_dmarc.shop.invalid.');
    expect(text).not.toMatch(/^mail\.host\.test\./m);
  });

  it('has tabs for reports, the DKIM key and tracking, which are part of the address', async () => {
    const { page } = owner;
    await owner.open(`/domains/${id}`);
    for (const [tab, ready] of [
      ['Reports', 'What receivers report'],
      ['DKIM key', 'DKIM key rotation'],
      ['Tracking', 'Tracking'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await owner.heading(ready).waitFor();
      expect(await owner.heading('DKIM: proves that a message is yours').count()).toBe(0);
      await page.reload();
      await owner.heading(ready).waitFor();
    }
    await page.getByRole('tab', { name: 'DNS records' }).click();
    await owner.heading('DKIM: proves that a message is yours').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('is led to from the overview, on the tab where the problem is fixed', async () => {
    await owner.open('/');
    await owner.page
      .locator('.note', { hasText: 'shop.invalid' })
      .getByRole('link', { name: 'Show the records' })
      .click();
    await owner.heading('DKIM: proves that a message is yours').waitFor();
  });
});
