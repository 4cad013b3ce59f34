/** Templates in several languages: validation, and the choice of the language. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';

describe('translations of a template', () => {
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
      name: 'T',
      subject: 'Hello {{name}}',
      html: '<p>Hello {{name}}</p>',
      translations: [
        { locale: 'pt', subject: 'Olá {{name}}', html: '<p>Olá {{name}}</p>' },
        { locale: 'DE-at', subject: 'Servus {{name}}', html: '<p>Servus {{name}}</p>', text: 'Servus' },
      ],
      ...fields,
    });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body.data;
  };
  const send = async (template: string, fields: Record<string, unknown> = {}) => {
    const answer = await api('POST', '/emails/send', {
      from: { email: `shop@${org.domain}` },
      to: [{ email: 'ada@example.org' }],
      subject: 'Order for {{name}}',
      template_id: template,
      template_data: { name: 'A&B' },
      ...fields,
    });
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    const id = answer.body.data.message_id;
    const [email, content] = await Promise.all([
      api('GET', `/emails/${id}`),
      api('GET', `/emails/${id}/content`),
    ]);
    return { id, locale: email.body.data.locale, ...content.body.data };
  };
  const details = (answer: { body: { error?: { details: { field: string }[] } } }) =>
    (answer.body.error?.details ?? []).map(({ field }) => field);

  it('are kept with the version, by their usual names', async () => {
    const made = await create();
    expect(made.translations.map((one: { locale: string }) => one.locale)).toEqual(['pt', 'de-AT']);
    const changed = await api('PUT', `/templates/${made.id}`, { translations: [] });
    expect(changed.body.data).toMatchObject({ version: 2, translations: [] });
    const same = await api('PUT', `/templates/${made.id}`, { translations: [] });
    expect(same.body.data.version).toBe(2);
    const restored = await api('POST', `/templates/${made.id}/versions/1/restore`);
    expect(restored.body.data.translations).toEqual(made.translations);
  });

  it.each([
    ['pt-BR', 'pt', 'Olá A&B', '<p>Olá A&amp;B</p>'],
    ['de-at', 'de-AT', 'Servus A&B', '<p>Servus A&amp;B</p>'],
    ['de', null, 'Order for A&B', '<p>Hello A&amp;B</p>'],
    ['fr', null, 'Order for A&B', '<p>Hello A&amp;B</p>'],
  ])('answer %s with %s, subject and all', async (wanted, locale, subject, html) => {
    const { id } = await create();
    expect(await send(id, { locale: wanted })).toMatchObject({ locale, subject, html });
  });

  it('are not for mail that asks for none', async () => {
    const { id } = await create();
    expect(await send(id)).toMatchObject({ locale: null, subject: 'Order for A&B' });
  });

  it('stay the same for mail that was accepted', async () => {
    const { id } = await create();
    const sent = await send(id, { locale: 'pt' });
    await api('PUT', `/templates/${id}`, { translations: [] });
    expect((await api('GET', `/emails/${sent.id}/content`)).body.data.html).toBe(sent.html);
  });

  it('are chosen for each recipient of a batch', async () => {
    const { id } = await create();
    const answer = await api('POST', '/emails/batch', {
      from: { email: `shop@${org.domain}` },
      template_id: id,
      locale: 'pt',
      recipients: [
        { to: { email: 'a@example.org' }, data: { name: 'A' }, locale: 'de-AT' },
        { to: { email: 'b@example.org' }, data: { name: 'B' } },
        { to: { email: 'c@example.org' }, data: { name: 'C' }, locale: 'ja' },
      ],
    });
    expect(answer.body).toMatchObject({ data: { accepted: 3 } });
    const list = (await api('GET', `/emails?batch_id=${answer.body.data.batch_id}`)).body.data;
    expect(list.map((one: { subject: string }) => one.subject).toSorted()).toEqual([
      'Hello C',
      'Olá B',
      'Servus A',
    ]);
  });

  it('come with the layout and the partials in the same language', async () => {
    const alias = `foot-${Date.now()}`;
    await create({
      ...{ kind: 'partial', alias, subject: undefined, html: 'bye' },
      translations: [{ locale: 'de', html: 'Tschüss' }],
    });
    const layout = await create({
      ...{ kind: 'layout', subject: undefined, html: `<en>{{{content}}}{{> ${alias}}}</en>` },
      translations: [{ locale: 'de', html: `<de>{{{content}}}{{> ${alias}}}</de>` }],
    });
    const made = await create({ layout: layout.id });
    expect((await send(made.id, { locale: 'de-AT' })).html).toBe('<de><p>Servus A&amp;B</p>Tschüss</de>');
    expect((await send(made.id, { locale: 'pt' })).html).toBe('<en><p>Olá A&amp;B</p>bye</en>');
  });

  it.each([
    ['no name of a language', [{ locale: 'english', subject: 'S', html: 'x' }], 'translations[0].locale'],
    ['a list for a language', [{ locale: [{}], subject: 'S', html: 'x' }], 'translations[0].locale'],
    ['no subject', [{ locale: 'de', html: 'x' }], 'translations[0].subject'],
    ['nothing to say', [{ locale: 'de', subject: 'S' }], 'translations[0].html'],
    ['a mistake', [{ locale: 'de', subject: 'S', html: '{{#if}}' }], 'translations[0].html'],
    [
      'a language twice',
      [
        { locale: 'de', subject: 'S', html: 'x' },
        { locale: 'DE', subject: 'S', html: 'x' },
      ],
      'translations[1].locale',
    ],
  ])('with %s are refused', async (_, translations, field) => {
    const body = { subject: 'S', html: 'x', translations };
    expect(details(await api('POST', '/templates/validate', body))).toContain(field);
    expect(details(await api('POST', '/templates', { name: 'T', ...body }))).toContain(field);
  });

  it('are previewed and sent as a test by their language', async () => {
    const { id } = await create();
    const preview = await api('POST', `/templates/${id}/preview`, { locale: 'pt-PT', data: { name: 'Ada' } });
    expect(preview.body.data.subject).toBe('Olá Ada');
    const test = await api('POST', `/templates/${id}/test`, {
      ...{ from: { email: `shop@${org.domain}` }, to: { email: 'ada@example.org' } },
      ...{ data: { name: 'Ada' }, locale: 'de-AT' },
    });
    const sent = await api('GET', `/emails/${test.body.data.message_id}`);
    expect(sent.body.data).toMatchObject({ subject: 'Servus Ada', locale: 'de-AT' });
  });

  it('are asked for with a template alone', async () => {
    const answer = await api('POST', '/emails/send', {
      ...{ from: { email: `shop@${org.domain}` }, to: [{ email: 'ada@example.org' }] },
      ...{ subject: 'S', text: 'x', locale: 'pt' },
    });
    expect(details(answer)).toEqual(['locale']);
  });
});
