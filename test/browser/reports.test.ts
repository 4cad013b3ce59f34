/** Somebody who wants to know who sends in the name of a domain. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';
import { reportAbout } from './reported-domain.ts';

describe.skipIf(CHROMIUM === null)('reports of receivers in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;
  let domain: string;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
    domain = await reportAbout(fixture);
  });
  afterAll(() => fixture.stop());

  it('say who sends, what passes and what to do next', async () => {
    const { page } = owner;
    await owner.open(`/domains/${domain}?tab=reports`);
    await page.getByText('18% from 203.0.113.9 fails both DKIM and SPF', { exact: false }).waitFor();
    await page.getByRole('row', { name: /^This installation 4,120 100%/ }).waitFor();
    await page.getByRole('row', { name: /^203\.0\.113\.9 900 0% 0%/ }).waitFor();
    await page.getByRole('img', { name: 'By day: 4,120 aligned, 900 failing both.' }).waitFor();
    await page.getByRole('row', { name: /^starttls-not-supported mx2\..* 2,000/ }).waitFor();
  });

  it('of another period are a click away', async () => {
    const { page } = owner;
    await owner.open(`/domains/${domain}?tab=reports`);
    await owner.button('7 days').click();
    await page.getByRole('img', { name: /^By day: 2,472 aligned/ }).waitFor();
  });

  it('show the names that strangers give themselves as text', async () => {
    await owner.open(`/domains/${domain}?tab=reports`);
    await owner.page.getByText('Reported by <script>alert(1)</script>.').waitFor();
  });

  it('that nobody sent yet are asked for with a record to copy', async () => {
    const { page } = owner;
    const { body } = await owner.call('POST', '/domains', { domain: 'quiet.invalid' });
    await owner.open(`/domains/${body.data.id}?tab=reports`);
    await page.getByText('Publish the DMARC record, so that receivers report here.').waitFor();
    await page.getByRole('link', { name: 'Show the DNS records' }).first().click();
    const value = page.getByText(/^v=DMARC1; p=none; rua=mailto:dmarc\+/);
    await value.waitFor();
    expect(await value.count()).toBe(1);
  });
});
