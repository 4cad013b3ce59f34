/** Inlining of style sheets into elements when templates are saved, previewed and sent, also for mail accepted earlier. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';

const HTML = '<style>.a{color:red}</style><p class="a">{{n}}</p>';
const STYLED = '<style>.a{color:red}</style><p style="color:red" class="a">1</p>';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
});
afterAll(() => server?.stop());

const api = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  server.api(method, path, body, org.key);

async function make(more: object = {}) {
  const given = { name: 'Styled', subject: 'Hi', html: HTML, inline_css: true, ...more };
  return (await api('POST', '/templates', given)).body.data;
}

it('is said of a template and its versions, and previewed as it is sent', async () => {
  const { id, inline_css } = await make();
  expect(inline_css).toBe(true);
  const { body } = await api('POST', `/templates/${id}/preview`, { data: { n: 1 } });
  expect(body.data.html).toBe(STYLED);
  const draft = await api('POST', `/templates/${id}/preview`, { data: { n: 1 }, inline_css: false });
  expect(draft.body.data.html).toBe(HTML.replace('{{n}}', '1'));
});

it('makes a version of its own, and mail that was accepted before stays as it was', async () => {
  const { id } = await make({ inline_css: false });
  const send = async () => {
    const mail = { from: { email: `a@${org.domain}` }, to: [{ email: 'ada@example.org' }], subject: 'Hi' };
    const { body } = await api('POST', '/emails/send', { ...mail, template_id: id, template_data: { n: 1 } });
    return body.data.message_id;
  };
  const before = await send();
  const changed = await api('PUT', `/templates/${id}`, { inline_css: true });
  expect(changed.body.data).toMatchObject({ version: 2, inline_css: true });
  const same = await api('PUT', `/templates/${id}`, { inline_css: true });
  expect(same.body.data.version).toBe(2);
  const after = await send();
  const html = async (email: string) => (await api('GET', `/emails/${email}/content`)).body.data.html;
  expect([await html(before), await html(after)]).toEqual([HTML.replace('{{n}}', '1'), STYLED]);
});

it('is refused of layouts and partials, and where it is too much', async () => {
  const layout = await api('POST', '/templates', {
    ...{ kind: 'layout', name: 'L', alias: 'l', html: '{{{content}}}', inline_css: true },
  });
  expect([layout.status, layout.body.error.details[0].field]).toEqual([400, 'inline_css']);
  const large = await api('POST', '/templates', {
    ...{ name: 'X', subject: 'Hi', html: '<p>'.repeat(3_001), inline_css: true },
  });
  expect(large.body.error.details[0]).toMatchObject({
    field: 'html',
    message: expect.stringContaining('leave out inline_css'),
  });
});
