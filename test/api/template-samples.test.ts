/** The sample data that a template is previewed with. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

const api = (method: string, path: string, body?: unknown, key = org.key) =>
  server.api(method, path, body, key);

async function create(fields: object = {}): Promise<string> {
  const body = { name: 'Receipt', subject: 'Hello {{name}}', text: 'Dear {{name}}', ...fields };
  return (await api('POST', '/templates', body)).body.data.id;
}

const read = async (id: string) => (await api('GET', `/templates/${id}`)).body.data;
const subjectOf = async (id: string, body: object) =>
  (await api('POST', `/templates/${id}/preview`, body)).body.data.subject;

async function send(id: string, name: string): Promise<string> {
  const body = {
    from: { email: `a@${org.domain}` },
    to: [{ email: `${name}@example.org` }],
    subject: 'x',
    template_id: id,
    template_data: { name },
  };
  return (await api('POST', '/emails/send', body)).body.data.message_id;
}

describe('sample data', () => {
  it('is what a preview uses that brings none', async () => {
    const id = await create({ sample_data: { name: 'Grace' } });
    expect((await read(id)).sample_data).toEqual({ name: 'Grace' });
    expect(await subjectOf(id, {})).toBe('Hello Grace');
    expect(await subjectOf(id, { data: { name: 'Ada' } })).toBe('Hello Ada');
    expect(await subjectOf(id, { data: {} })).toBe('Hello');
  });

  it('is saved without a new version, stays when others are made, and can be taken away', async () => {
    const id = await create();
    expect((await read(id)).sample_data).toBeNull();
    await api('PUT', `/templates/${id}`, { sample_data: { name: 'Grace' } });
    expect(await read(id)).toMatchObject({ version: 1, sample_data: { name: 'Grace' } });
    await api('PUT', `/templates/${id}`, { subject: 'Dear {{name}}' });
    expect(await read(id)).toMatchObject({ version: 2, sample_data: { name: 'Grace' } });
    await api('POST', `/templates/${id}/versions/1/restore`);
    expect(await read(id)).toMatchObject({ version: 3, sample_data: { name: 'Grace' } });
    await api('PUT', `/templates/${id}`, { sample_data: null });
    expect((await read(id)).sample_data).toBeNull();
  });

  it('is refused when it is huge', async () => {
    const answer = await api('POST', '/templates', {
      name: 'x',
      subject: 'x',
      sample_data: { text: 'x'.repeat(100_001) },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual([
      { field: 'sample_data', message: 'must not be longer than 100,000 characters as JSON' },
    ]);
  });
});

describe('the newest sends of a template', () => {
  it('are listed with their data, newest first, by id or alias', async () => {
    const id = await create({ alias: 'sent-often' });
    await send(await create(), 'other');
    const sent = [await send(id, 'ada'), await send(id, 'grace')];
    const { body } = await api('GET', '/templates/sent-often/sends');
    expect(body.data).toMatchObject([
      { email_id: sent[1], to: ['grace@example.org'], template_version: 1, template_data: { name: 'grace' } },
      { email_id: sent[0], to: ['ada@example.org'], template_data: { name: 'ada' } },
    ]);
    const content = await api('GET', `/emails/${sent[0]}/content`);
    expect(content.body.data.template_data).toEqual({ name: 'ada' });
  });

  it('are ten at the most, and none of another organization', async () => {
    const id = await create();
    for (let count = 0; count < 11; count += 1) await send(id, `number${count}`);
    expect((await api('GET', `/templates/${id}/sends`)).body.data).toHaveLength(10);
    const stranger = await server.createOrganization();
    expect((await api('GET', `/templates/${id}/sends`, undefined, stranger.key)).status).toBe(404);
  });
});
