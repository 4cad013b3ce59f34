/** Somebody who decides about the links of one domain. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('the tracking of a domain in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;
  let id: string;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
    id = (await owner.call('POST', '/domains', { domain: 'shop.invalid' })).body.data.id;
  });
  afterAll(() => fixture.stop());

  it('is set beside the organization’s, with a host whose record can be copied', async () => {
    const { page } = owner;
    await owner.open(`/domains/${id}?tab=tracking`);
    await page.getByLabel('Track clicks in mail from this domain').selectOption('html');
    await page.getByLabel('Tracking domain').fill('links.shop.invalid');
    await owner.button('Save').click();
    await page.getByRole('button', { name: 'Copy the name of the CNAME record' }).waitFor();
    const { tracking } = (await owner.call('GET', `/domains/${id}`)).body.data;
    expect(tracking).toMatchObject({ track_clicks: 'html', host: { name: 'links.shop.invalid' } });
  });

  it('says what is wrong with a host', async () => {
    const { page } = owner;
    await owner.open(`/domains/${id}?tab=tracking`);
    await page.getByLabel('Tracking domain').fill('links.elsewhere.invalid');
    await owner.button('Save').click();
    await page.getByText('must be a name below shop.invalid', { exact: false }).first().waitFor();
  });
});
