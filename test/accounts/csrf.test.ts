/** Other people's pages can make a browser send its cookie, or take a name that leads to us; they get nothing by it. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { SETUP_TOKEN } from '../support/secret-key.ts';
import { mailedText, PASSWORD, Person, signUpOwner } from './people.ts';

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

/** As a browser would send it whose page has let its own name lead to us. */
function asking(
  host: string,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(
      `${server.url}${path}`,
      { method, headers: { 'content-type': 'application/json', ...headers, host } },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

describe('under a name that is not ours', () => {
  const rebound = 'rebound.evil.example:3000';
  const sameOrigin = { 'sec-fetch-site': 'same-origin', origin: `http://${rebound}` };

  it.each([
    ['GET', '/auth/state', undefined],
    ['POST', '/auth/sign-up', { email: 'x@example.org', password: PASSWORD, setup_token: SETUP_TOKEN }],
    ['POST', '/auth/sign-in', { email: 'owner@example.org', password: PASSWORD }],
    ['POST', '/auth/sign-out', undefined],
    ['POST', '/auth/password-reset', { email: 'owner@example.org' }],
    ['POST', '/auth/password-reset/confirm', { token: 'x', password: PASSWORD }],
    ['GET', `/invites/${'x'.repeat(43)}`, undefined],
    ['POST', `/invites/${'x'.repeat(43)}/accept`, {}],
  ])('%s %s is refused, with a key too', async (method, path, body) => {
    for (const more of [{}, { authorization: `Bearer ${organization.key}` }]) {
      const answer = await asking(rebound, method, `/api/v1${path}`, {
        body,
        headers: { ...sameOrigin, ...more },
      });
      expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([403, 'HOST_NOT_ALLOWED']);
      expect(answer.text).toContain('POSTRIDER_ALLOWED_HOSTS');
    }
  });

  it('a cookie opens nothing, for reading either', async () => {
    const headers = { ...sameOrigin, cookie: owner.cookie ?? '' };
    for (const path of ['/emails', '/auth/me', '/organization']) {
      const answer = await asking(rebound, 'GET', `/api/v1${path}`, { headers });
      expect([path, answer.status, JSON.parse(answer.text).error.code]).toEqual([
        path,
        403,
        'HOST_NOT_ALLOWED',
      ]);
    }
  });

  it('a key opens what it always does, and a missing one is still what is missing', async () => {
    const headers = { authorization: `Bearer ${organization.key}` };
    expect((await asking(rebound, 'GET', '/api/v1/emails', { headers })).status).toBe(200);
    expect((await asking(rebound, 'GET', '/api/v1/emails')).status).toBe(401);
    expect((await asking(rebound, 'GET', '/api/v1/nothing')).status).toBe(404);
    expect((await asking(rebound, 'GET', '/healthz')).status).toBe(200);
  });

  it('no link is made from the name that was asked for', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', cookie: owner.cookie ?? '' };
    const body = { email: 'guest@example.org', role: 'member' };
    await asking('localhost:1', 'POST', '/api/v1/members/invites', { headers, body });
    expect(await mailedText(server, body.email)).toContain('http://dashboard.example.org/invite/');
    const { email } = owner;
    await asking('localhost:1', 'POST', '/api/v1/auth/password-reset', { body: { email } });
    await expect
      .poll(() => mailedText(server, email), { timeout: 10_000 })
      .toContain('http://dashboard.example.org/reset-password?');
  });

  it('is not said of the public name, in any spelling and with any port', async () => {
    for (const name of ['dashboard.example.org', 'Dashboard.Example.ORG.:8080', 'localhost:1', '[::1]:1'])
      expect([name, (await asking(name, 'GET', '/api/v1/auth/state')).status]).toEqual([name, 200]);
  });
});
