/** `GET /emails/:id/suppressions`: one request for all recipients of an email. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
});
afterAll(() => server.stop());
beforeEach(async () => {
  org = await server.createOrganization();
});

const suppress = (email: string, more: object = {}) =>
  server.api('POST', '/suppressions', { email, reason: 'unsubscribe', ...more }, org.key);

async function listed(id: string, key = org.key) {
  const { body } = await server.api('GET', `/emails/${id}/suppressions`, undefined, key);
  return body.data.map((one: { recipient: string; suppression: { unsubscribe_group: string | null } }) => [
    one.recipient,
    one.suppression.unsubscribe_group,
  ]);
}

describe('the suppressed recipients of an email', () => {
  it('are listed in the order of the email, however an address is written', async () => {
    const to = ['ada@example.org', 'Bob@Example.org', 'eve@example.org'].map((email) => ({ email }));
    const id = await sendLetter(server, org, { to });
    await suppress('EVE@example.org');
    await suppress('bob@example.org');
    expect(await listed(id)).toEqual([
      ['Bob@example.org', null],
      ['eve@example.org', null],
    ]);
  });

  it('include those who unsubscribed from the group of the email, and not from others', async () => {
    const to = ['ada@example.org', 'bob@example.org'].map((email) => ({ email }));
    const id = await sendLetter(server, org, { to, unsubscribe_group: 'news' });
    await suppress('ada@example.org', { unsubscribe_group: 'news' });
    await suppress('bob@example.org', { unsubscribe_group: 'offers' });
    expect(await listed(id)).toEqual([['ada@example.org', 'news']]);
  });

  it('are not shown to another organization, nor to keys that may not read the list', async () => {
    const id = await sendLetter(server, org, { to: [{ email: 'ada@example.org' }] });
    const other = await server.createOrganization('Other');
    const asked = (key: string) => server.api('GET', `/emails/${id}/suppressions`, undefined, key);
    expect((await asked(other.key)).status).toBe(404);
    expect((await asked(await server.createKey(org.id, { scope: 'send' }))).status).toBe(403);
    expect((await asked(await server.createKey(org.id, { scope: 'read' }))).status).toBe(200);
  });
});
