/** Compression, ETags and what browsers may store, for the real routes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter, sendLetter } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${org.key}`, ...headers },
  });
}

const lengthOf = (response: Response) => Number(response.headers.get('content-length'));

describe('a list of emails', () => {
  beforeAll(async () => {
    for (let n = 0; n < 12; n += 1) await sendLetter(server, org);
  });

  it.each(['br', 'gzip'])('takes a third of the bytes where the client accepts %s', async (coding) => {
    const plain = await get('/emails', { 'accept-encoding': 'identity' });
    const small = await get('/emails', { 'accept-encoding': coding });
    expect(small.headers.get('content-encoding')).toBe(coding);
    expect(lengthOf(small)).toBeLessThan(lengthOf(plain) / 3);
    expect(await small.json()).toEqual(await plain.json());
  });

  it('is answered with 304 until it changes', async () => {
    const known = { 'if-none-match': (await get('/emails')).headers.get('etag') ?? '' };
    const unchanged = await get('/emails', known);
    expect(unchanged.status).toBe(304);
    expect(await unchanged.text()).toBe('');
    await sendLetter(server, org);
    const changed = await get('/emails', known);
    expect(changed.status).toBe(200);
    expect(await changed.json()).toMatchObject({ pagination: { total_count: 13 } });
  });

  it('of another organization is never confirmed as this one', async () => {
    const other = await server.createOrganization('Other');
    const tag = (await get('/emails')).headers.get('etag') ?? '';
    const response = await get('/emails', {
      authorization: `Bearer ${other.key}`,
      'if-none-match': tag,
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ data: [] });
  });
});

it('does not confirm what a caller may no longer read', async () => {
  const key = await server.createKey(org.id);
  const tag = (await get('/emails', { authorization: `Bearer ${key}` })).headers.get('etag') ?? '';
  const { body } = await server.api('GET', '/api-keys', undefined, org.key);
  await server.api('DELETE', `/api-keys/${body.data[0].id}`, undefined, org.key);
  await expect
    .poll(async () => (await get('/emails', { authorization: `Bearer ${key}`, 'if-none-match': tag })).status)
    .toBe(401);
});

it('adds nothing to the answer of a send', async () => {
  const response = await fetch(`${server.url}/api/v1/emails/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${org.key}`,
      'content-type': 'application/json',
      'accept-encoding': 'br, identity;q=0',
    },
    body: JSON.stringify(letter(org)),
  });
  expect(response.status).toBe(201);
  expect(response.headers.get('cache-control')).toBe('no-store');
  for (const name of ['etag', 'vary', 'content-encoding']) expect(response.headers.get(name)).toBeNull();
});

describe('browsers', () => {
  it('may store lists, but ask each time', async () => {
    expect((await get('/emails')).headers.get('cache-control')).toBe('private, no-cache');
  });

  it.each(['content', 'attachments/0'])('may not store the %s of an email', async (part) => {
    const content = Buffer.from('x').toString('base64');
    const id = await sendLetter(server, org, { attachments: [{ filename: 'a.txt', content }] });
    const response = await get(`/emails/${id}/${part}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('may not store what concerns an account, and remove what they stored at the end of a session', async () => {
    const owner = await signUpOwner(server);
    expect((await owner.api('GET', '/auth/me')).headers.get('cache-control')).toBe('no-store');
    const signedOut = await owner.api('POST', '/auth/sign-out');
    expect(signedOut.headers.get('clear-site-data')).toBe('"cache"');
  });
});
