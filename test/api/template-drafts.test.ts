/** Drafts of templates beside the published version. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';

describe('a draft of a template', () => {
  let server: TestApi;
  let org: TestOrganization;
  beforeAll(async () => {
    server = await sharedApi();
    org = await server.createOrganization();
  });
  afterAll(() => server.stop());

  const api = (method: string, path: string, body?: unknown) => server.api(method, path, body, org.key);
  const create = async (fields: Record<string, unknown> = {}) => {
    const answer = await api('POST', '/templates', { name: 'T', subject: 'Live', html: 'live', ...fields });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body.data;
  };
  const get = async (id: string) => (await api('GET', `/templates/${id}`)).body.data;
  const people = () => ({ from: { email: `shop@${org.domain}` }, to: { email: 'ada@example.org' } });
  const content = async (id: string) => (await api('GET', `/emails/${id}/content`)).body.data;

  it('changes nothing that is sent until it is published', async () => {
    const { id } = await create();
    const saved = await api('PUT', `/templates/${id}/draft`, { html: 'draft' });
    expect(saved.body.data).toMatchObject({ subject: 'Live', html_body: 'draft', based_on: 1 });
    const send = async () => {
      const { from, to } = people();
      const body = { from, to: [to], subject: 'S', template_id: id };
      return content((await api('POST', '/emails/send', body)).body.data.message_id);
    };
    expect(await get(id)).toMatchObject({ version: 1, html_body: 'live', draft: { html_body: 'draft' } });
    expect((await send()).html).toBe('live');
    const published = await api('POST', `/templates/${id}/publish`);
    expect(published.body.data).toMatchObject({ version: 2, html_body: 'draft' });
    expect((await send()).html).toBe('draft');
    expect((await get(id)).draft).toBeNull();
  });

  it('says who published it and when, in the versions', async () => {
    const { id } = await create();
    await api('PUT', `/templates/${id}/draft`, { html: 'two' });
    await api('POST', `/templates/${id}/publish`);
    const [newest] = (await api('GET', `/templates/${id}/versions`)).body.data;
    expect(newest).toMatchObject({ version: 2, is_current: true, created_by: expect.any(String) });
  });

  it('grows with every save, and is thrown away at once', async () => {
    const { id } = await create();
    await api('PUT', `/templates/${id}/draft`, { html: 'draft' });
    await api('PUT', `/templates/${id}/draft`, { subject: 'Draft' });
    expect((await get(id)).draft).toMatchObject({ subject: 'Draft', html_body: 'draft' });
    expect((await api('DELETE', `/templates/${id}/draft`)).status).toBe(200);
    expect((await get(id)).draft).toBeNull();
    expect((await api('DELETE', `/templates/${id}/draft`)).status).toBe(404);
    expect((await api('POST', `/templates/${id}/publish`)).status).toBe(409);
  });

  it('is previewed and sent as a test before it is published', async () => {
    const { id } = await create();
    await api('PUT', `/templates/${id}/draft`, { subject: 'For {{name}}', html: '<b>{{name}}</b>' });
    const data = { name: 'A&B' };
    const preview = await api('POST', `/templates/${id}/preview`, { draft: true, data });
    expect(preview.body.data).toMatchObject({ subject: 'For A&B', html: '<b>A&amp;B</b>' });
    expect((await api('POST', `/templates/${id}/preview`, { data })).body.data.subject).toBe('Live');
    const test = await api('POST', `/templates/${id}/test`, { ...people(), data, draft: true });
    expect(await content(test.body.data.message_id)).toMatchObject({
      subject: 'For A&B',
      html: '<b>A&amp;B</b>',
    });
  });

  it('is checked when it is saved, and again when it is published', async () => {
    const { id } = await create();
    expect((await api('PUT', `/templates/${id}/draft`, { html: '{{#if}}' })).status).toBe(400);
    expect((await api('PUT', `/templates/${id}/draft`, {})).status).toBe(400);
    expect((await get(id)).draft).toBeNull();
  });

  it('keeps what it uses from being deleted', async () => {
    const alias = `p-${Date.now()}`;
    const part = await create({ kind: 'partial', alias, subject: undefined, html: 'x' });
    const { id } = await create();
    await api('PUT', `/templates/${id}/draft`, { html: `{{> ${alias}}}` });
    expect((await api('DELETE', `/templates/${part.id}`)).status).toBe(409);
    await api('DELETE', `/templates/${id}/draft`);
    expect((await api('DELETE', `/templates/${part.id}`)).status).toBe(200);
  });

  it('that says what is live already makes no version', async () => {
    const { id } = await create();
    await api('PUT', `/templates/${id}/draft`, { html: 'live' });
    expect((await api('POST', `/templates/${id}/publish`)).body.data.version).toBe(1);
  });

  describe('while somebody else edits the template', () => {
    const seenBy = (at: string) => `last_changed_at=${encodeURIComponent(at)}`;
    const changes = {
      'a save': (id: string, seen: string) => api('PUT', `/templates/${id}?${seen}`, { name: 'Mine' }),
      'a saved draft': (id: string, seen: string) =>
        api('PUT', `/templates/${id}/draft?${seen}`, { html: 'mine' }),
      publishing: (id: string, seen: string) => api('POST', `/templates/${id}/publish?${seen}`),
      discarding: (id: string, seen: string) => api('DELETE', `/templates/${id}/draft?${seen}`),
    };

    it.each(Object.entries(changes))('%s that names an older state is refused', async (_, change) => {
      const { id } = await create();
      const { last_changed_at: opened } = await get(id);
      await api('PUT', `/templates/${id}/draft`, { html: 'theirs' });
      const before = await get(id);
      const refused = await change(id, seenBy(opened));
      expect(refused).toMatchObject({
        status: 409,
        body: { error: { code: 'CONFLICT', details: [{ field: 'last_changed_at' }] } },
      });
      expect(await get(id)).toEqual(before);
    });

    it.each(Object.entries(changes))('%s that names the present state is made', async (_, change) => {
      const { id } = await create();
      await api('PUT', `/templates/${id}/draft`, { html: 'theirs' });
      const { last_changed_at: opened } = await get(id);
      expect((await change(id, seenBy(opened))).status).toBe(200);
      expect((await get(id)).last_changed_at).not.toBe(opened);
    });

    it('a change names a time, or is refused', async () => {
      const { id } = await create();
      const refused = await changes['a save'](id, seenBy('yesterday'));
      expect(refused).toMatchObject({
        status: 400,
        body: { error: { details: [{ field: 'last_changed_at' }] } },
      });
    });
  });
});
