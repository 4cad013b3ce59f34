import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { fieldsOf } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

const read = (key = org.key) => server.api('GET', '/settings/retention', undefined, key);
const write = (body: unknown, key = org.key) => server.api('PUT', '/settings/retention', body, key);

describe('how long mail is kept', () => {
  it('is 30 days for content and 90 for emails, unless somebody says otherwise', async () => {
    expect(await read()).toMatchObject({ status: 200, body: { data: { content_days: 30, email_days: 90 } } });
  });

  it('can be changed, and the answer is what holds from now on', async () => {
    const answer = await write({ content_days: 7, email_days: 14 });
    expect(answer).toMatchObject({ status: 200, body: { data: { content_days: 7, email_days: 14 } } });
    expect((await read()).body).toEqual(answer.body);
  });

  it('can be changed by halves', async () => {
    await write({ content_days: 7, email_days: 14 });
    expect((await write({ email_days: 60 })).body.data).toEqual({ content_days: 7, email_days: 60 });
    expect((await write({ content_days: 60 })).body.data).toEqual({ content_days: 60, email_days: 60 });
  });

  it('is forever with 0', async () => {
    expect((await write({ content_days: 0, email_days: 0 })).body.data).toEqual({
      content_days: 0,
      email_days: 0,
    });
    expect((await write({ content_days: 100 })).status).toBe(200);
    expect((await write({ content_days: 0, email_days: 5 })).status).toBe(200);
  });

  it('is each organization’s own', async () => {
    const other = await server.createOrganization('Other');
    await write({ content_days: 1, email_days: 2 });
    expect((await read(other.key)).body.data).toEqual({ content_days: 30, email_days: 90 });
  });

  it('is not for keys that only send', async () => {
    const key = await server.createKey(org.id, { scope: 'send' });
    expect((await read(key)).status).toBe(403);
    expect((await write({ email_days: 1 }, key)).status).toBe(403);
  });
});

describe('settings that make no sense are refused', () => {
  it.each<[string, unknown, string[]]>([
    ['nothing to change', {}, ['body']],
    ['negative', { content_days: -1 }, ['content_days']],
    ['not whole', { email_days: 1.5 }, ['email_days']],
    ['as text', { email_days: '30' }, ['email_days']],
    ['null', { content_days: null }, ['content_days']],
    ['longer than ten years', { email_days: 3651 }, ['email_days']],
    ['content that outlives its email', { content_days: 31, email_days: 30 }, ['content_days']],
    ['both wrong', { content_days: -1, email_days: 'x' }, ['content_days', 'email_days']],
    ['unknown fields', { event_days: 3 }, ['event_days']],
  ])('%s', async (_name, body, fields) => {
    await write({ content_days: 10, email_days: 20 });
    const answer = await write(body);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(fields);
    expect((await read()).body.data).toEqual({ content_days: 10, email_days: 20 });
  });

  it('also where the other half was set before', async () => {
    await write({ content_days: 10, email_days: 20 });
    const answer = await write({ content_days: 21 });
    expect(fieldsOf(answer)).toEqual(['content_days']);
    expect(answer.body.error.details[0].message).toContain('email_days (20)');
  });
});
