/** A page that names the organization it shows changes nothing in another one. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../support/api.ts';
import { Person, signUpOwner } from './people.ts';

describe('a request with a session that names an organization', () => {
  let server: TestApi;
  let neighbour: TestApi;
  let owner: Person;
  let first: string;
  let second: string;

  beforeAll(async () => {
    server = await startApi();
    neighbour = await startApi({ database: server.database });
    first = (await server.createOrganization()).id;
    owner = await signUpOwner(server);
    second = (await owner.api('POST', '/organizations', { name: 'Second' })).body.data.id;
  });
  afterAll(async () => {
    await neighbour.stop();
    await server.stop();
  });
  beforeEach(() => switchTo(second));

  const switchTo = (id: string) => owner.api('POST', '/auth/organization', { organization_id: id });
  const naming = (id: string) => ({ 'sec-fetch-site': 'same-origin', 'postrider-organization': id });
  const names = async () =>
    (await owner.api('GET', '/templates')).body.data.map(({ name }: { name: string }) => name);

  it('is done where it is the organization of the session', async () => {
    const template = { name: 'Right', subject: 'x', text: 'x' };
    expect((await owner.api('POST', '/templates', template, naming(second))).status).toBe(201);
    expect(await names()).toContain('Right');
  });

  it.each(['GET', 'POST'])('is refused where it is another, and nothing happens (%s)', async (method) => {
    const template = method === 'GET' ? undefined : { name: 'Wrong', subject: 'x', text: 'x' };
    const refused = await owner.api(method, '/templates', template, naming(first));
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: [{ field: 'Postrider-Organization' }] } },
    });
    expect(await names()).not.toContain('Wrong');
    await switchTo(first);
    expect(await names()).not.toContain('Wrong');
  });

  it('is done at once where another process switched the session', async () => {
    const there = new Person(neighbour, owner.email);
    there.cookie = owner.cookie;
    expect((await there.api('GET', '/templates', undefined, naming(second))).status).toBe(200);
    await switchTo(first);
    expect((await there.api('GET', '/templates', undefined, naming(first))).status).toBe(200);
  });

  it('with a key goes by the key', async () => {
    const { key } = await server.createOrganization();
    const answer = await fetch(`${server.url}/api/v1/templates`, {
      headers: { authorization: `Bearer ${key}`, 'postrider-organization': first },
    });
    expect(answer.status).toBe(200);
  });
});
