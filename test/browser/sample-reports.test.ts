/** Somebody in the sandbox who wants to see what reports about a domain look like. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { INBOUND_HOST, startInbound, type TestInbound } from '../support/inbound.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('sample reports in a browser', () => {
  let database: TestDatabase;
  let inbound: TestInbound;
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    database = await createTestDatabase();
    inbound = await startInbound(database);
    const env = { POSTRIDER_HOSTNAME: INBOUND_HOST, POSTRIDER_INBOUND_PORT: String(inbound.port) };
    fixture = await BrowserFixture.start({ database, env });
    owner = await fixture.owner();
  });
  afterAll(async () => {
    await fixture?.stop();
    await inbound?.stop();
    await database?.drop();
  });

  it('arrive with a click, and are shown without another', async () => {
    const { page } = owner;
    const [{ id }] = (await owner.call('GET', '/domains')).body.data;
    await owner.open(`/domains/${id}?tab=reports`);
    await owner.button('Send sample reports').click();
    await page.getByText('8 sample reports are on their way.').waitFor();
    await page.getByRole('row', { name: /^This installation/ }).waitFor();
    await page.getByRole('row', { name: /^203\.0\.113\.9/ }).waitFor();
  });

  it('are not offered for a domain that is not verified', async () => {
    const { body } = await owner.call('POST', '/domains', { domain: 'quiet.invalid' });
    await owner.open(`/domains/${body.data.id}?tab=reports`);
    await owner.page.getByText('Publish the DMARC record, so that receivers report here.').waitFor();
    await owner.button('Send sample reports').waitFor({ state: 'detached' });
  });
});
