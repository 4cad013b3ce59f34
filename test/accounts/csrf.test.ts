/** Other people's pages can make a browser send its cookie; they get nothing changed with it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { PASSWORD, Person, signUpOwner } from './people.ts';

let server: TestApi;
let organization: TestOrganization;
let owner: Person;

beforeAll(async () => {
  server = await startApi({ env: { POSTRIDER_PUBLIC_URL: 'http://dashboard.example.org' } });
  organization = await server.createOrganization();
  owner = await signUpOwner(server);
});
afterAll(() => server.stop());

const template = { name: 'x', subject: 'x', text: 'x' };
const host = () => new URL(server.url).host;

describe('a change with a session', () => {
  it.each([
    ['its own page', () => ({ 'sec-fetch-site': 'same-origin' })],
    ['the public address', () => ({ origin: 'http://dashboard.example.org' })],
    ['the address it was opened with', () => ({ origin: `http://${host()}` })],
  ])('is taken from %s', async (_, headers) => {
    expect((await owner.api('POST', '/templates', template, headers())).status).toBe(201);
  });

  it.each<[string, Record<string, string>]>([
    ['nowhere', {}],
    ['another site', { origin: 'https://evil.example' }],
    ['another site, as the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour', { 'sec-fetch-site': 'same-site', origin: 'http://dashboard.example.org' }],
    ['another scheme', { origin: 'https://dashboard.example.org' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['an address typed in', { 'sec-fetch-site': 'none' }],
    ['a name that only begins like ours', { origin: 'http://dashboard.example.org.evil.example' }],
  ])('is refused from %s', async (_, headers) => {
    for (const [method, path] of [
      ['POST', '/templates'],
      ['PATCH', '/auth/me'],
      ['DELETE', '/sandbox/messages'],
      ['POST', '/auth/sign-out'],
      ['POST', '/auth/sign-out-everywhere'],
    ] as const) {
      const answer = await owner.api(method, path, method === 'DELETE' ? undefined : {}, headers);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 403, 'FORBIDDEN']);
    }
    expect(await owner.isSignedIn()).toBe(true);
  });

  it('may be read from anywhere, because other sites do not get to see the answer', async () => {
    const answer = await owner.api('GET', '/emails', undefined, { 'sec-fetch-site': 'cross-site' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });
});

describe('a change with a key', () => {
  it('is taken from anywhere', async () => {
    const response = await fetch(`${server.url}/api/v1/templates`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${organization.key}`,
        cookie: owner.cookie ?? '',
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
        'content-type': 'application/json',
      },
      body: JSON.stringify(template),
    });
    expect(response.status).toBe(201);
  });
});

describe('signing in', () => {
  it('is not possible from pages of other sites, and is from programs', async () => {
    const body = { email: owner.email, password: PASSWORD };
    const person = new Person(server, owner.email);
    const foreign = await person.api('POST', '/auth/sign-in', body, { origin: 'https://evil.example' });
    expect([foreign.status, person.cookie]).toEqual([403, undefined]);
    expect((await person.api('POST', '/auth/sign-in', body, {})).status).toBe(200);
  });
});
