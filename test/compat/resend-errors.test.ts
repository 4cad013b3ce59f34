/** Every error of Resend's that an application can meet here, through its own client. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setDailyLimit } from '../../src/organizations/store.ts';
import type { TestApi, TestOrganization } from '../support/api.ts';
import { type ResendFixture, startResend } from '../support/resend.ts';

let fixture: ResendFixture;
let server: TestApi;
let org: TestOrganization;

beforeAll(async () => {
  fixture = await startResend();
  ({ server, org } = fixture);
});
afterAll(() => fixture.stop());

const client = (key: string) => fixture.client(key);
const letter = (changes?: object) => fixture.letter(changes);

async function refusal(changes: object, options: object = {}) {
  const { error } = await fixture.resend.emails.send(letter(changes), options);
  return error;
}

describe('an email is refused', () => {
  it.each([
    [{ to: undefined }, 422, 'missing_required_field', 'Missing `to` field.'],
    [{ subject: undefined }, 422, 'missing_required_field', 'Missing `subject` field.'],
    [{ from: undefined }, 422, 'missing_required_field', 'Missing `from` field.'],
    [
      { html: undefined },
      422,
      'missing_required_field',
      /^Invalid `html` field: at least one of html, text or template/,
    ],
    [{ template: {}, html: undefined }, 422, 'missing_required_field', 'Missing `template.id` field.'],
    [{ from: 'nobody' }, 422, 'invalid_from_address', /^Invalid `from` field: /],
    [{ to: ['ada@example.org', 'bob'] }, 422, 'validation_error', /^Invalid `to\[1\]` field: /],
    [
      { to: Array(5000).fill('a@example.org') },
      422,
      'validation_error',
      'Invalid `to` field: must have at most 50 items.',
    ],
    [{ to: 7 }, 422, 'validation_error', 'Invalid `to[0]` field: must be a string.'],
    [{ headers: { 'X\n': 'x' } }, 422, 'validation_error', /^Invalid `headers\.X/],
    [{ tags: [{ name: 'a b', value: 'c' }] }, 422, 'validation_error', /^Invalid `tags\[0\]\.name` field: /],
    [{ attachments: [{ filename: 'a.txt' }] }, 422, 'invalid_attachment', /`attachments\[0\]/],
    [
      { scheduledAt: 'one fine day' },
      422,
      'validation_error',
      /^Invalid `scheduled_at` field: must be an ISO 8601/,
    ],
    [{ from: 'a@elsewhere.test' }, 403, 'validation_error', /elsewhere\.test/],
    [
      { template: { id: 'none' }, html: undefined },
      404,
      'not_found',
      'No active template has this id or alias. GET /templates lists the templates.',
    ],
  ])('for %j', async (changes, statusCode, name, message) => {
    const error = await refusal(changes);
    expect(error).toEqual({
      statusCode,
      name,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });

  it('with everything that is wrong in one message', async () => {
    const error = await refusal({ to: undefined, from: 'nobody' });
    expect(error?.message).toMatch(/Missing `to` field\. Invalid `from` field: .*\./);
  });

  it('for an idempotency key that is too long, or was used for something else', async () => {
    expect(await refusal({}, { idempotencyKey: 'k'.repeat(257) })).toMatchObject({
      statusCode: 400,
      name: 'invalid_idempotency_key',
    });
    expect(await refusal({}, { idempotencyKey: 'k' })).toBeNull();
    expect(await refusal({ subject: 'Other' }, { idempotencyKey: 'k' })).toMatchObject({
      statusCode: 409,
      name: 'invalid_idempotent_request',
    });
  });

  it('over the sending limit', async () => {
    const small = await server.createOrganization('Small');
    await setDailyLimit(server.db, small.id, 1);
    const email = letter({ from: `a@${small.domain}`, cc: 'b@example.org' });
    const { error } = await client(small.key).emails.send(email);
    expect(error).toMatchObject({ statusCode: 429, name: 'daily_quota_exceeded' });
  });
});

describe('a key', () => {
  it('must be there', async () => {
    const response = await fetch(`${server.url}/compat/resend/emails`, { method: 'POST' });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      statusCode: 401,
      name: 'missing_api_key',
      message: expect.stringContaining('Authorization: Bearer'),
    });
  });

  it('must be known', async () => {
    const { error } = await client('re_123456789').emails.send(letter());
    expect(error).toEqual({ statusCode: 403, name: 'invalid_api_key', message: 'API key is invalid.' });
  });

  it('for sending can do nothing else', async () => {
    const sending = client(await server.createKey(org.id, { scope: 'send' }));
    expect((await sending.emails.send(letter())).error).toBeNull();
    expect((await sending.emails.list()).error).toMatchObject({
      statusCode: 401,
      name: 'restricted_api_key',
    });
    expect((await sending.emails.cancel('x')).error).toMatchObject({
      statusCode: 401,
      name: 'restricted_api_key',
    });
  });

  it('of a domain sends from no other', async () => {
    const tied = client(await server.createKey(org.id, { domain: 'tied.test', scope: 'send' }));
    expect((await tied.emails.send(letter())).error).toMatchObject({
      statusCode: 401,
      name: 'restricted_api_key',
    });
  });
});

describe('a path', () => {
  const ask = async (method: string, path: string) => {
    const headers = { authorization: `Bearer ${org.key}`, 'content-type': 'application/json' };
    const response = await fetch(`${server.url}/compat/resend${path}`, { method, headers });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  it('that is unknown, or that Postrider does not offer, is not found', async () => {
    const { error } = await fixture.resend.broadcasts.list();
    expect(error).toEqual({ statusCode: 404, name: 'not_found', message: 'Not found.' });
    expect((await fixture.resend.contacts.create({ email: 'a@example.org' })).error?.name).toBe('not_found');
    const { receiving, metrics } = fixture.resend.emails;
    expect((await receiving.list()).error).toEqual(error);
    expect((await receiving.get('01a1dd1c-a292-7088-82d5-cb934f4f4126')).error).toEqual(error);
    expect((await metrics.call(fixture.resend.emails)).error).toEqual(error);
  });

  it('with a wrong method says which it takes', async () => {
    const answer = await ask('DELETE', '/emails');
    expect(answer.body).toMatchObject({ statusCode: 405, name: 'method_not_allowed' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
  });

  it('of an email has a UUID in it', async () => {
    const { emails } = fixture.resend;
    const unknown = await emails.get('01a1dd1c-a292-7088-82d5-cb934f4f4126');
    expect(unknown.error).toMatchObject({ statusCode: 404, name: 'not_found' });
    for (const { error } of [
      await emails.get('7'),
      await emails.cancel('7'),
      await emails.list({ after: '7' }),
    ]) {
      expect(error).toMatchObject({ statusCode: 422, name: 'invalid_parameter' });
    }
  });

  it('of a list takes a limit from 1 to 100', async () => {
    expect((await ask('GET', '/suppressions?origin=constructor')).body).toMatchObject({ statusCode: 422 });
    expect((await ask('GET', '/templates?after=a%00b')).body).toMatchObject({ statusCode: 422 });
    for (const limit of [0, 101, 1.5]) {
      const { error } = await fixture.resend.emails.list({ limit });
      expect(error).toMatchObject({ statusCode: 422, name: 'validation_error' });
    }
  });

  it('takes a body of JSON, within its limits', async () => {
    const post = (body: string, type = 'application/json') =>
      fetch(`${server.url}/compat/resend/emails`, {
        method: 'POST',
        headers: { authorization: `Bearer ${org.key}`, 'content-type': type },
        body,
      });
    for (const [response, status] of [
      [await post('{"to":'), 400],
      [await post('[]'), 400],
      [await post('<to/>', 'application/xml'), 415],
    ] as const) {
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ statusCode: status, name: 'validation_error' });
    }
  });
});
