/** Layouts and partials: saving, protection against deletion, and that accepted mail never changes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';

describe('layouts and partials', () => {
  let server: TestApi;
  let org: TestOrganization;
  let other: TestOrganization;
  let counter = 0;
  beforeAll(async () => {
    server = await sharedApi();
    org = await server.createOrganization();
    other = await server.createOrganization();
  });
  afterAll(() => server.stop());

  const api = (method: string, path: string, body?: unknown, key = org.key) =>
    server.api(method, path, body, key);
  const name = (start: string) => {
    counter += 1;
    return `${start}-${counter}`;
  };
  const create = async (fields: Record<string, unknown>) => {
    const answer = await api('POST', '/templates', { name: 'T', ...fields });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body.data;
  };
  const partial = (html: string, fields: Record<string, unknown> = {}) =>
    create({ kind: 'partial', alias: name('part'), html, ...fields });
  const layout = (html: string, fields: Record<string, unknown> = {}) =>
    create({ kind: 'layout', alias: name('layout'), html, ...fields });
  const send = async (template: string, data = {}) => {
    const answer = await api('POST', '/emails/send', {
      from: { email: `shop@${org.domain}` },
      to: [{ email: 'ada@example.org' }],
      subject: 'Hi {{name}}',
      template_id: template,
      template_data: data,
    });
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return answer.body.data.message_id;
  };
  const content = async (id: string) => (await api('GET', `/emails/${id}/content`)).body.data;
  const details = (answer: { body: { error?: { details: { field: string; message: string }[] } } }) =>
    (answer.body.error?.details ?? []).map(({ field, message }) => `${field}: ${message}`);

  it('make one mail, escaped as ever, whose subject has no layout', async () => {
    const footer = await partial('<i>{{shop}}</i>', { text: '-- {{shop}}' });
    const main = await layout(`<html>{{{content}}}{{> ${footer.alias}}}</html>`, { text: '{{{content}}}!' });
    const made = await create({
      subject: 'Hi {{name}}',
      html: '<p>{{name}}</p>',
      text: `{{name}}\n{{> ${footer.alias}}}`,
      layout: main.alias,
    });
    expect(made).toMatchObject({
      kind: 'template',
      layout: main.id,
      partials: [{ name: footer.alias, id: footer.id }],
    });
    const id = await send(made.id, { name: '<Ada>', shop: 'A&B' });
    expect(await content(id)).toMatchObject({
      subject: 'Hi <Ada>',
      html: '<html><p>&lt;Ada&gt;</p><i>A&amp;B</i></html>',
      text: '<Ada>\n-- A&B!',
    });
  });

  it('change for the next send, and not for mail that was accepted before', async () => {
    const inner = await partial('one');
    const outer = await partial(`[{{> ${inner.alias}}}]`);
    const main = await layout('<a>{{{content}}}</a>');
    const made = await create({ subject: 'S', html: `{{> ${outer.alias}}}`, layout: main.id });
    const before = await send(made.id);
    await api('PUT', `/templates/${inner.id}`, { html: 'two' });
    await api('PUT', `/templates/${main.id}`, { html: '<b>{{{content}}}</b>' });
    const after = await send(made.id);
    expect((await content(before)).html).toBe('<a>[one]</a>');
    expect((await content(after)).html).toBe('<b>[two]</b>');
  });

  it('stay for mail that was accepted, also when all of it was deleted since', async () => {
    const part = await partial('kept');
    const main = await layout('<a>{{{content}}}</a>');
    const made = await create({ subject: 'S', html: `{{> ${part.alias}}}`, layout: main.id });
    const id = await send(made.id);
    for (const one of [made, main, part]) {
      expect((await api('DELETE', `/templates/${one.id}`)).status).toBe(200);
    }
    await create({ kind: 'partial', alias: part.alias, html: 'another of this alias' });
    expect((await content(id)).html).toBe('<a>kept</a>');
  });

  it('are not deleted while a template uses them, and who does is named', async () => {
    const part = await partial('x');
    const main = await layout(`{{{content}}}{{> ${part.alias}}}`);
    const user = await create({ alias: name('user'), subject: 'S', html: 'y', layout: main.alias });
    const ofPart = await api('DELETE', `/templates/${part.id}`);
    const ofLayout = await api('DELETE', `/templates/${main.alias}`);
    expect([ofPart.status, ofPart.body.error.message]).toEqual([
      409,
      expect.stringContaining(`"${main.alias}"`),
    ]);
    expect([ofLayout.status, ofLayout.body.error.message]).toEqual([
      409,
      expect.stringContaining(`"${user.alias}"`),
    ]);
    expect((await api('GET', `/templates/${main.id}`)).body.data.used_by).toEqual([
      { id: user.id, name: 'T', alias: user.alias },
    ]);
    await api('PUT', `/templates/${user.id}`, { layout: null });
    expect((await api('DELETE', `/templates/${main.id}`)).status).toBe(200);
  });

  it('keep their alias while it is used, and need one', async () => {
    const part = await partial('x');
    await create({ subject: 'S', html: `{{> ${part.alias}}}` });
    expect((await api('PUT', `/templates/${part.id}`, { alias: name('other') })).status).toBe(409);
    expect((await api('PUT', `/templates/${part.id}`, { alias: null })).status).toBe(400);
    expect(details(await api('POST', '/templates', { name: 'P', kind: 'partial', html: 'x' }))).toEqual([
      expect.stringContaining('alias: '),
    ]);
  });

  it('cannot be sent by themselves, and have neither subject nor layout', async () => {
    const main = await layout('{{{content}}}');
    const answer = await api('POST', '/emails/send', {
      from: { email: `shop@${org.domain}` },
      to: [{ email: 'ada@example.org' }],
      subject: 'S',
      template_id: main.id,
    });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      expect.any(Number),
      expect.stringContaining('is a layout'),
    ]);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const wrong = await api('POST', '/templates', {
      ...{ name: 'L', kind: 'layout', subject: 'S', layout: main.id, html: '{{{content}}}' },
    });
    expect(details(wrong).map((one) => one.split(':')[0])).toEqual(['subject', 'layout']);
  });

  it('of another organization are not there', async () => {
    const part = await partial('secret');
    const main = await layout('{{{content}}}');
    const html = `{{> ${part.alias}}}`;
    for (const path of ['/templates', '/templates/validate', '/templates/check']) {
      const body = { ...(path === '/templates' ? { name: 'T' } : {}), subject: 'S', html, layout: main.id };
      const answer = await api('POST', path, body, other.key);
      expect([path, answer.status]).toEqual([path, 400]);
      expect(details(answer)).toEqual([
        'layout: is not a layout of this organization',
        expect.stringContaining('There is no partial'),
      ]);
    }
  });

  it('are named with the line where a mistake in them shows', async () => {
    const part = await partial('\n{{#each items}}{{../name}}{{/each}}');
    const broken = await api('PUT', `/templates/${part.id}`, { html: '\n{{../name}}' });
    expect(details(broken)).toEqual([expect.stringMatching(/^html: line 2, column 3/)]);
    const preview = await api('POST', '/templates/validate', {
      subject: 'S',
      html: `{{> ${part.alias}}}`,
      data: {},
    });
    expect(preview.body.data.warnings[0]).toMatchObject({ source: `the partial "${part.alias}"`, line: 2 });
    expect(preview.body.data.variables[0].places[0].source).toBe(`the partial "${part.alias}"`);
  });

  it('do not include themselves, by no detour', async () => {
    const a = await partial('a');
    const b = await partial(`{{> ${a.alias}}}`);
    expect(details(await api('PUT', `/templates/${a.id}`, { html: `{{> ${b.alias}}}` }))).toEqual([
      'html: uses a partial that uses this partial',
    ]);
    expect((await api('PUT', `/templates/${a.id}`, { html: `{{> ${a.alias}}}` })).status).toBe(400);
  });

  it('are no more than a template may have', async () => {
    const parts = await Promise.all(Array.from({ length: 21 }, () => partial('x')));
    const html = parts.map(({ alias }) => `{{> ${alias}}}`).join('');
    expect(details(await api('POST', '/templates', { name: 'T', subject: 'S', html }))).toContainEqual(
      expect.stringContaining('more than 20'),
    );
  });

  it('have versions, which can be restored', async () => {
    const part = await partial('one');
    await api('PUT', `/templates/${part.id}`, { html: 'two' });
    const restored = await api('POST', `/templates/${part.id}/versions/1/restore`);
    expect(restored.body.data).toMatchObject({ version: 3, html_body: 'one', kind: 'partial' });
  });

  it('are shown by previews: a layout with something in it, a template with its layout or another', async () => {
    const main = await layout('<a>{{{content}}}</a>');
    const bare = await layout('<b>{{{content}}}</b>');
    const made = await create({ subject: 'S', html: 'x', layout: main.id });
    const html = async (id: string, body = {}) =>
      (await api('POST', `/templates/${id}/preview`, body)).body.data.html;
    expect(await html(main.id)).toMatch(/^<a><p>.*<\/p><\/a>$/);
    expect(await html(made.id)).toBe('<a>x</a>');
    expect(await html(made.id, { layout: bare.alias })).toBe('<b>x</b>');
    expect(await html(made.id, { layout: null })).toBe('x');
  });

  it('are listed by their kind', async () => {
    const main = await layout('{{{content}}}');
    const kinds = (await api('GET', '/templates?kind=layout&limit=100')).body.data;
    expect(kinds.map((one: { id: string }) => one.id)).toContain(main.id);
    expect(new Set(kinds.map((one: { kind: string }) => one.kind))).toEqual(new Set(['layout']));
  });

  it('render for every recipient of a batch', async () => {
    const part = await partial('Dear {{name}}');
    const main = await layout('<a>{{{content}}}</a>');
    const made = await create({ subject: 'S', html: `{{> ${part.alias}}}`, layout: main.id });
    const answer = await api('POST', '/emails/batch', {
      from: { email: `shop@${org.domain}` },
      template_id: made.id,
      recipients: [
        { to: { email: 'a@example.org' }, data: { name: 'A' } },
        { to: { email: 'b@example.org' }, data: { name: 'B' } },
      ],
    });
    expect(answer.body).toMatchObject({ data: { accepted: 2 } });
    const list = await api('GET', `/emails?batch_id=${answer.body.data.batch_id}`);
    const ids: string[] = list.body.data.map((one: { id: string }) => one.id);
    const bodies = await Promise.all(ids.map(async (id) => (await content(id)).html));
    expect(bodies.toSorted()).toEqual(['<a>Dear A</a>', '<a>Dear B</a>']);
  });
});
