import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

const exported = (query = '', key = org.key) =>
  fetch(`${server.url}/api/v1/domains/export${query}`, { headers: { authorization: `Bearer ${key}` } });
const register = async (domain: string, owner = org) =>
  (await server.api('POST', '/domains', { domain }, owner.key)).body.data;

it('exports the records of all domains of the organization, and of no other', async () => {
  const other = await server.createOrganization();
  await register('theirs.example', other);
  const mine = await register('mine.example');
  const answer = await exported();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="postrider.zone"');
  const text = await answer.text();
  expect(text).toContain(`${mine.dns_records[0].name}.\t3600\tIN\tTXT\t"v=DKIM1; k=rsa; p=`);
  expect(text).not.toContain('theirs.example');
});

it('exports only the domain that a key is tied to', async () => {
  await register('one.example');
  await register('two.example');
  const body = { name: 'tied', scope: 'read', domain: 'one.example' };
  const { body: made } = await server.api('POST', '/api-keys', body, org.key);
  const text = await (await exported('?format=octodns', made.data.key)).text();
  expect(text).toContain('# one.example.yaml');
  expect(text).not.toContain('two.example');
});

it('exports what is in the zone that is named', async () => {
  await register('deep.zone.example');
  await register('beside.example');
  const { locals } = JSON.parse(await (await exported('?format=terraform&zone=zone.example')).text());
  const names = Object.values(locals.postrider_dns_records).map((one) => (one as { name: string }).name);
  expect(names.length).toBeGreaterThan(3);
  expect(names.every((name) => name.endsWith('deep.zone.example'))).toBe(true);
});

it.each([
  ['?format=bind', 'format'],
  ['?zone=co.uk', 'zone'],
  ['?zones=example.org', 'zones'],
])('refuses %s and names the parameter', async (query, field) => {
  const { status, body } = await server.api('GET', `/domains/export${query}`, undefined, org.key);
  expect(status).toBe(400);
  expect(body.error.details).toEqual([expect.objectContaining({ field })]);
});
