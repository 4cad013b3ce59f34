import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';

describe('templates', () => {
  let server: TestApi;
  let org: TestOrganization;
  beforeAll(async () => {
    server = await sharedApi();
    org = await server.createOrganization();
  });
  afterAll(() => server.stop());

  const api = (method: string, path: string, body?: unknown) => server.api(method, path, body, org.key);
  const create = async (fields: Record<string, unknown> = {}) => {
    const answer = await api('POST', '/templates', {
      name: 'Receipt',
      subject: 'Hello {{name}}',
      html: '<p>{{name}}</p>',
      text: 'Dear {{name}}',
      ...fields,
    });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body.data;
  };

  it('are created active, with their bodies and no detected variables', async () => {
    const made = await create();
    expect(made).toMatchObject({
      name: 'Receipt',
      subject: 'Hello {{name}}',
      html_body: '<p>{{name}}</p>',
      text_body: 'Dear {{name}}',
      variables: null,
      variable_schema: [],
      is_active: true,
      version: 1,
    });
    expect(made.id).toMatch(/^tmpl_/);
    expect(made.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('need a name and a subject, and refuse unknown fields', async () => {
    const answer = await api('POST', '/templates', { htm: 'x' });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details.map((one: { field: string }) => one.field).sort()).toEqual([
      'htm',
      'name',
      'subject',
    ]);
  });

  it.each([
    ['CR LF', 'Hi\r\nBcc: eve@example.org'],
    ['a bare LF', 'Hi {{name}}\n'],
    ['a tab', 'Hi\t{{name}}'],
    ['an escape', 'Hi \u001b[1m'],
    ['a line separator', 'Hi\u2028there'],
    ['nothing but blanks', ' \u00a0 '],
    ['nothing that can be seen', '\u200b\u2060'],
  ])('have no subject with %s, when they are made, changed or previewed', async (_what, subject) => {
    const { id } = await create();
    const answers = [
      await api('POST', '/templates', { name: 'T', subject }),
      await api('PUT', `/templates/${id}`, { subject }),
      await api('POST', `/templates/${id}/preview`, { subject }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.error?.details[0].field]).toEqual([400, 'subject']);
    }
    expect((await api('GET', `/templates/${id}`)).body.data).toMatchObject({
      subject: 'Hello {{name}}',
      version: 1,
    });
  });

  it('tell every mistake in them at once, with line and column', async () => {
    const answer = await api('POST', '/templates', {
      name: 'Broken',
      subject: 'Hi {{#if}}',
      html: '<p>\n{{> header}}\n{{#each items}}',
      variable_schema: [
        { name: 'a', type: 'string', default_value: 5 },
        { name: 'a', type: 'number' },
      ],
    });
    expect(answer.status).toBe(400);
    const fields = answer.body.error.details.map((one: { field: string }) => one.field);
    expect(fields).toEqual(
      expect.arrayContaining([
        'subject',
        'html',
        'variable_schema[0].default_value',
        'variable_schema[1].name',
      ]),
    );
    expect(answer.body.error.details.find((one: { field: string }) => one.field === 'html').message).toMatch(
      /line 2, column/,
    );
  });

  it('show their variables and their use when read alone', async () => {
    const { id } = await create({
      html: '{{#each items}}{{this.price}}{{../currency}}{{/each}}{{#if vip}}{{code}}{{/if}}',
      variable_schema: [{ name: 'currency', type: 'string', required: true, default_value: 'EUR' }],
    });
    const { data } = (await api('GET', `/templates/${id}`)).body;
    const byName = new Map(data.variables.map((one: { name: string }) => [one.name, one]));
    expect([...byName.keys()]).toEqual(
      expect.arrayContaining(['name', 'items', 'items[].price', 'currency', 'vip', 'code']),
    );
    expect(byName.get('items')).toMatchObject({ type: 'array', required: true });
    expect(byName.get('code')).toMatchObject({ required: false });
    expect(byName.get('currency')).toMatchObject({ required: false });
    expect(data.usage).toEqual({ sends_last_30_days: 0 });
    expect(data.variable_schema).toHaveLength(1);
  });

  it('change only in the fields that are given', async () => {
    const { id } = await create();
    const answer = await api('PUT', `/templates/${id}`, { subject: 'Bye {{name}}' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      subject: 'Bye {{name}}',
      html_body: '<p>{{name}}</p>',
      version: 2,
      variables: null,
    });
    const renamed = await api('PUT', `/templates/${id}`, { name: 'Invoice' });
    expect(renamed.body.data).toMatchObject({ name: 'Invoice', version: 2 });
  });

  it('are not changed by an update without fields, or with a mistake', async () => {
    const { id } = await create();
    const empty = await api('PUT', `/templates/${id}`, {});
    expect(empty.status).toBe(400);
    expect(empty.body.error.code).toBe('VALIDATION_ERROR');
    expect((await api('PUT', `/templates/${id}`, { html: '{{#if x}}' })).status).toBe(400);
    expect((await api('GET', `/templates/${id}`)).body.data.version).toBe(1);
  });

  it('stay readable when they are deleted, and nothing else works with them', async () => {
    const { id } = await create();
    const deleted = await api('DELETE', `/templates/${id}`);
    expect(deleted.body.data).toEqual({ id, deleted: true });
    expect((await api('GET', `/templates/${id}`)).body.data.is_active).toBe(false);
    expect((await api('DELETE', `/templates/${id}`)).status).toBe(404);
    expect((await api('PUT', `/templates/${id}`, { name: 'x' })).status).toBe(404);
    expect((await api('POST', `/templates/${id}/preview`, { data: {} })).status).toBe(404);
    expect((await api('POST', `/templates/${id}/versions/1/restore`)).status).toBe(404);
  });

  it('are listed newest first, and found by state and by words in name or subject', async () => {
    org = await server.createOrganization('List');
    const a = await create({ name: 'Welcome aboard' });
    const b = await create({ name: 'Password', subject: 'Reset your PASSWORD 100%' });
    await api('DELETE', `/templates/${a.id}`);
    const all = await api('GET', '/templates');
    expect(all.body.data.map((one: { id: string }) => one.id)).toEqual([b.id, a.id]);
    expect(all.body.pagination).toEqual({ page: 1, limit: 20, total_count: 2, total_pages: 1 });
    const ids = async (query: string) =>
      (await api('GET', `/templates?${query}`)).body.data.map((one: { id: string }) => one.id);
    expect(await ids('is_active=true')).toEqual([b.id]);
    expect(await ids('is_active=false')).toEqual([a.id]);
    expect(await ids('search=ABOARD')).toEqual([a.id]);
    expect(await ids('search=100%25')).toEqual([b.id]);
    expect(await ids('search=1000')).toEqual([]);
    expect(await ids('limit=1&page=2')).toEqual([a.id]);
    expect((await api('GET', '/templates?is_active=maybe')).status).toBe(400);
  });

  it('keep every version, and bring one back as a new one', async () => {
    const { id } = await create({ subject: 'One' });
    await api('PUT', `/templates/${id}`, { subject: 'Two' });
    const list = await api('GET', `/templates/${id}/versions`);
    expect(
      list.body.data.map((one: { version: number; subject: string; is_current: boolean }) => [
        one.version,
        one.subject,
        one.is_current,
      ]),
    ).toEqual([
      [2, 'Two', true],
      [1, 'One', false],
    ]);
    const restored = await api('POST', `/templates/${id}/versions/1/restore`);
    expect(restored.body.data).toMatchObject({ subject: 'One', version: 3 });
    for (const version of ['9', 'x', '0', '-1']) {
      expect((await api('POST', `/templates/${id}/versions/${version}/restore`)).status).toBe(404);
    }
  });

  it('are checked without being saved', async () => {
    const before = (await api('GET', '/templates')).body.pagination.total_count;
    const good = { subject: 'Hello {{name}}', html: '<p>{{name}}</p>', data: { name: 'A&B' } };
    const checkedWell = await api('POST', '/templates/validate', good);
    expect(checkedWell).toMatchObject({
      status: 200,
      body: { data: { subject: 'Hello A&B', html: '<p>A&amp;B</p>', warnings: [] } },
    });
    const refused = await api('POST', '/templates/validate', { subject: '{{#if x}}', html: '{{> part}}' });
    expect([refused.status, refused.body.error.details.map(({ field }: { field: string }) => field)]).toEqual(
      [400, ['subject', 'html']],
    );
    expect((await api('GET', '/templates')).body.pagination.total_count).toBe(before);
  });

  it('are checked for what mail clients and filters make of them', async () => {
    const html =
      '<div style="display:flex"><img src="https://a.example/x.png">{{name}} <a href="http://127.0.0.1:9/">go</a></div>';
    const draft = { subject: 'SIGN IN NOW!!', html, data: { name: 'Ada' } };
    const { status, body } = await api('POST', '/templates/check', draft);
    expect(status).toBe(200);
    const kinds = body.data.findings.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['subject_shouts', 'images_without_alt', 'mostly_images']));
    expect(kinds).not.toContain('no_unsubscribe');
    expect(body.data.html.features).toContainEqual(
      expect.objectContaining({
        feature: 'display:flex',
        unsupported: expect.arrayContaining(['Outlook on Windows']),
      }),
    );
    expect(body.data).toMatchObject({
      links: [{ url: 'http://127.0.0.1:9/', text: 'go' }],
      checked_links: null,
    });
    const asked = await api('POST', '/templates/check', { ...draft, check_links: true });
    expect(asked.body.data.checked_links).toMatchObject([
      { url: 'http://127.0.0.1:9/', error: expect.any(String), leads_to: null },
    ]);
    const clipped = await api('POST', '/templates/check', {
      subject: 'Long',
      html: `<p>${'x'.repeat(104_500)}</p>`,
    });
    expect(clipped.body.data.findings[0]).toMatchObject({ kind: 'html_clipped' });
    const refused = await api('POST', '/templates/check', { subject: 'Hi', html: '{{#if x}}' });
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'html']);
  });

  it('are previewed with what is missing said and left empty', async () => {
    const { id } = await create({
      html: '<b>{{name}}</b>{{#each items}}<i>{{this}}</i>{{/each}}{{footer}}',
      variable_schema: [{ name: 'footer', type: 'string', default_value: 'Bye' }],
    });
    const answer = await api('POST', `/templates/${id}/preview`, { data: { items: ['a&b', 'c'] } });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      subject: 'Hello',
      html: '<b></b><i>a&amp;b</i><i>c</i>Bye',
      text: 'Dear ',
    });
    expect(answer.body.data.warnings.some((one: { variable: string }) => one.variable === 'name')).toBe(true);
    expect(answer.body.data.variables.length).toBeGreaterThan(0);
  });

  it('are previewed with changes that are not saved', async () => {
    const { id } = await create({ subject: 'Old', html: '<p>old</p>' });
    const draft = { subject: 'New {{name}}', html: '<p>{{name}}</p>', data: { name: 'Ada' } };
    const { data } = (await api('POST', `/templates/${id}/preview`, draft)).body;
    expect(data).toMatchObject({ subject: 'New Ada', html: '<p>Ada</p>' });
    const broken = await api('POST', `/templates/${id}/preview`, { html: '{{#if x}}' });
    expect(broken.status).toBe(400);
    expect(broken.body.error.details[0]).toMatchObject({ field: 'html' });
    expect((await api('GET', `/templates/${id}`)).body.data).toMatchObject({ subject: 'Old', version: 1 });
  });

  it('are refused in a preview that would take too long, with what to do about it', async () => {
    const { id } = await create({ html: '' });
    const html = '{{#each l}}{{#if (gt (length ../o) 99999)}}x{{/if}}{{/each}}';
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));
    const preview = (data: object) => api('POST', `/templates/${id}/preview`, { html, data });
    const wide = await preview({ l: [1], o: keys(1_500) });
    expect([wide.status, wide.body.error?.details[0].field]).toEqual([400, 'data']);
    expect(wide.body.error.details[0].message).toContain('1000 keys');
    const often = await preview({ l: Array.from({ length: 1000 }, () => 1), o: keys(1000) });
    expect([often.status, often.body.error?.details[0].field]).toEqual([400, 'data']);
    expect(often.body.error.details[0].message).toContain('too much to do');
    expect((await preview({ l: [1, 2, 3], o: keys(1000) })).status).toBe(200);
  });

  it('say in a preview when nothing is left of the subject', async () => {
    const { id } = await create({ subject: '{{name}} ' });
    const { data } = (await api('POST', `/templates/${id}/preview`, { data: { name: ' ' } })).body;
    expect(data.subject).toBe('');
    expect(data.warnings).toContainEqual(
      expect.objectContaining({ code: 'would_be_refused', part: 'subject', variable: null }),
    );
  });

  it('say in a preview what a send would refuse', async () => {
    const { id } = await create({ variable_schema: [{ name: 'name', type: 'string', required: true }] });
    const { data } = (await api('POST', `/templates/${id}/preview`, { data: { name: 5 } })).body;
    expect(data.warnings[0]).toMatchObject({ code: 'would_be_refused', variable: 'name' });
    expect((await api('POST', `/templates/${id}/preview`, {})).status).toBe(200);
  });

  describe('with an alias', () => {
    beforeAll(async () => {
      org = await server.createOrganization('Aliases');
    });

    it('show it when they are made, read, listed and searched', async () => {
      const made = await create({ alias: 'Welcome_2.0-eu' });
      expect(made.alias).toBe('Welcome_2.0-eu');
      expect((await create()).alias).toBeNull();
      expect((await api('GET', `/templates/${made.id}`)).body.data.alias).toBe('Welcome_2.0-eu');
      const found = await api('GET', '/templates?search=come_2.0');
      expect(found.body.data).toMatchObject([{ id: made.id, alias: 'Welcome_2.0-eu' }]);
    });

    it('are found by it wherever their id is taken', async () => {
      const { id } = await create({ alias: 'everywhere', subject: 'One' });
      expect((await api('GET', '/templates/everywhere')).body.data).toMatchObject({ id, version: 1 });
      const changed = await api('PUT', '/templates/everywhere', { subject: 'Two' });
      expect(changed.body.data).toMatchObject({ id, alias: 'everywhere', version: 2 });
      const preview = await api('POST', '/templates/everywhere/preview', { data: {} });
      expect(preview.body.data.subject).toBe('Two');
      expect((await api('GET', '/templates/everywhere/versions')).body.pagination.total_count).toBe(2);
      const restored = await api('POST', '/templates/everywhere/versions/1/restore');
      expect(restored.body.data).toMatchObject({ id, alias: 'everywhere', subject: 'One', version: 3 });
      const from = { email: `shop@${org.domain}` };
      const ada = { email: 'ada@example.org' };
      const answers = [
        await api('POST', '/templates/everywhere/test', { from, to: ada }),
        await api('POST', '/emails/send', { from, to: [ada], subject: 's', template_id: 'everywhere' }),
        await api('POST', '/emails/batch', { from, recipients: [{ to: ada }], template_id: 'everywhere' }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
      const sent = await api('GET', `/emails/${answers[1]?.body.data.message_id}`);
      expect(sent.body.data.template_id).toBe(id);
      expect((await api('GET', `/templates/${id}`)).body.data.usage.sends_last_30_days).toBe(3);
      expect((await api('DELETE', '/templates/everywhere')).body.data).toEqual({ id, deleted: true });
      expect((await api('GET', '/templates/everywhere')).status).toBe(404);
    });

    it('are known by a new one at once, and by the old one no longer', async () => {
      const { id } = await create({ alias: 'before' });
      const renamed = await api('PUT', '/templates/before', { alias: 'after' });
      expect(renamed.body.data).toMatchObject({ id, alias: 'after', version: 1 });
      expect((await api('GET', '/templates/before')).status).toBe(404);
      expect((await api('GET', '/templates/after')).body.data.id).toBe(id);
      expect((await api('PUT', `/templates/${id}`, { name: 'Other' })).body.data.alias).toBe('after');
      expect((await api('PUT', `/templates/${id}`, { alias: null })).body.data.alias).toBeNull();
      expect((await api('GET', '/templates/after')).status).toBe(404);
    });

    it('cannot have the alias of another, until that one is deleted', async () => {
      const first = await create({ alias: 'taken' });
      const second = await create();
      const body = { name: 'T', subject: 's', alias: 'taken' };
      const answers = [
        await api('POST', '/templates', body),
        await api('PUT', `/templates/${second.id}`, { alias: 'taken' }),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(409);
        expect(answer.body.error).toMatchObject({
          code: 'CONFLICT',
          message: 'Another template of this organization has this alias. Choose another alias.',
          details: [{ field: 'alias', message: 'belongs to another template' }],
        });
      }
      expect((await api('PUT', `/templates/${first.id}`, { alias: 'taken' })).status).toBe(200);
      await api('DELETE', `/templates/${first.id}`);
      expect((await api('PUT', `/templates/${second.id}`, { alias: 'taken' })).status).toBe(200);
      expect((await api('GET', `/templates/${first.id}`)).body.data.alias).toBeNull();
    });

    it('keep it apart from those of other organizations', async () => {
      const mine = await create({ alias: 'shared' });
      const other = await server.createOrganization();
      const body = { name: 'T', subject: 's', alias: 'shared' };
      const theirs = await server.api('POST', '/templates', body, other.key);
      expect(theirs.status).toBe(201);
      expect((await api('GET', '/templates/shared')).body.data.id).toBe(mine.id);
    });

    it.each([
      ['nothing', ''],
      ['65 characters', 'a'.repeat(65)],
      ['a space', 'two words'],
      ['a slash', 'a/b'],
      ['a letter of another alphabet', 'größe'],
      ['a line end', 'a\n'],
      ['the start of an id', 'tmpl_x'],
      ['a part of a path', '..'],
    ])('cannot have %s as one', async (_what, alias) => {
      const answer = await api('POST', '/templates', { name: 'T', subject: 's', alias });
      expect([answer.status, answer.body.error.details[0].field]).toEqual([400, 'alias']);
    });
  });
});
