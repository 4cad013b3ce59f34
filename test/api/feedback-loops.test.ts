/** The checklist of feedback loops: its entries and permissions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CountedNames } from '../../src/counters/counted-names.ts';
import { countDeliveries } from '../../src/counters/delivery-counts.ts';
import { join, type Person, signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';

interface Entry {
  readonly loop: string;
  readonly subject: { readonly kind: string; readonly value: string };
  readonly state: string;
}

let server: TestApi;
let first: TestOrganization;
let operator: Person;
beforeAll(async () => {
  const env = { POSTRIDER_SENDING_ADDRESSES: '192.0.2.10', POSTRIDER_HOSTNAME: 'mail.sender.test' };
  server = await startApi({ env });
  first = await server.createOrganization('First');
  operator = await signUpOwner(server);
});
afterAll(() => server.stop());

const list = async (key: string): Promise<Entry[]> =>
  (await server.api('GET', '/feedback-loops', undefined, key)).body.data;
const put = (loop: string, subject: string, enrolled: unknown, key: string) =>
  server.api('PUT', `/feedback-loops/${loop}/${subject}`, { enrolled }, key);

describe('the list', () => {
  it('has what goes by domain for every verified domain, and says what to do', async () => {
    const { key, domain } = await server.createOrganization();
    const { body } = await server.api('GET', '/feedback-loops', undefined, key);
    expect(body.data).toMatchObject([
      { loop: 'gmail_postmaster', provider: 'google', subject: { kind: 'domain', value: domain } },
      { loop: 'yahoo_cfl', state: 'missing', enrolled_at: null, last_complaint_at: null },
    ]);
    expect(body.data[1].steps.join(' ')).toContain('fbl@mail.sender.test');
    expect(body.data[1].steps[0]).toContain(domain);
  });

  it('has the addresses that mail leaves from for operators alone', async () => {
    const addresses = (entries: readonly Entry[]) =>
      entries
        .filter(({ subject }) => subject.kind === 'address')
        .map(({ loop, subject }) => [loop, subject.value]);
    expect(addresses((await operator.api('GET', '/feedback-loops')).body.data)).toEqual([
      ['microsoft_jmrp', '192.0.2.10'],
      ['microsoft_snds', '192.0.2.10'],
    ]);
    expect(addresses(await list(first.key))).toEqual([]);
  });

  it('has one domain for a key that is tied to it', async () => {
    const { id, domain } = await server.createOrganization();
    await server.addVerifiedDomain(id, 'other.example');
    const key = await server.createKey(id, { domain });
    expect(new Set((await list(key)).map(({ subject }) => subject.value))).toEqual(new Set([domain]));
  });
});

describe('an entry', () => {
  it('is enrolled when somebody says so, working when a complaint came, and missing when it is taken back', async () => {
    const { id: organizationId, key, domain } = await server.createOrganization();
    const enrolled = await put('yahoo_cfl', domain, true, key);
    expect(enrolled.body.data).toMatchObject({ state: 'enrolled', enrolled_by: 'test' });
    await countDeliveries(
      server.db,
      [
        {
          ...{ organizationId, atMs: Date.now(), isFirst: false, outcome: 'complained', reason: null },
          labels: {
            ...{ site: { name: 'mta.yahoo', provider: 'yahoo' }, fromDomain: domain, templateId: null },
            ...{ tags: null, stream: null, sinceMs: null },
          },
        },
      ],
      new CountedNames(),
    );
    const working = (await list(key)).find(({ loop }) => loop === 'yahoo_cfl');
    expect(working).toMatchObject({ state: 'working', last_complaint_at: expect.any(String) });
    expect((await put('yahoo_cfl', domain, false, key)).body.data.state).toBe('missing');
  });

  it('stays with who was first, however often it is said', async () => {
    const { key, domain } = await server.createOrganization();
    const one = (await put('gmail_postmaster', domain, true, key)).body.data;
    expect((await put('gmail_postmaster', domain, true, key)).body.data).toEqual(one);
  });

  it('is not found for another organization’s domain, an address, or a loop by the other kind', async () => {
    const { key, domain } = await server.createOrganization();
    const statuses = await Promise.all([
      put('yahoo_cfl', first.domain, true, key),
      put('microsoft_jmrp', '192.0.2.10', true, key),
      put('microsoft_jmrp', domain, true, key),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await put('nobody', domain, true, key)).status).toBe(404);
    expect((await put('yahoo_cfl', domain, 'yes', key)).status).toBe(400);
  });

  it('is not for those who only read', async () => {
    const reader = await join(server, operator, 'reader@example.org', 'read_only');
    const path = `/feedback-loops/yahoo_cfl/${first.domain}`;
    expect((await reader.api('PUT', path, { enrolled: true })).status).toBe(403);
    expect((await reader.api('GET', '/feedback-loops')).status).toBe(200);
  });
});
