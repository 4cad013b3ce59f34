/** `templates push` and `templates pull`. MJML and whole components of React Email are in test/package/template-compilers.test.ts. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

let server: TestApi;
let org: TestOrganization;
let folder: string;
beforeAll(async () => {
  server = await sharedApi();
});
afterAll(() => server.stop());
beforeEach(async () => {
  org = await server.createOrganization();
  folder = await mkdtemp(join(tmpdir(), 'postrider-templates-'));
  return () => rm(folder, { recursive: true, force: true });
});

const put = async (path: string, text: string) => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};
const run = (...words: string[]) =>
  runCommand(['templates', ...words, '--url', server.url], { POSTRIDER_API_KEY: org.key });
const push = (...flags: string[]) => run('push', folder, ...flags);
const template = async (alias: string) =>
  (await server.api('GET', `/templates/${alias}`, undefined, org.key)).body.data;

describe('templates push', () => {
  it('makes templates, layouts, partials and translations of files, each after what it uses', async () => {
    await put(
      'receipt.html',
      '---\nsubject: Order {{id}}\nlayout: main\nname: Receipt\n---\n<p>{{id}}</p>\n{{> foot}}',
    );
    await put('receipt.txt', 'Order {{id}}');
    await put('receipt.pt-BR.hbs', '---\nsubject: Pedido {{id}}\n---\n<p>Pedido {{id}}</p>');
    await put('layouts/main.html', '<html>{{{content}}}</html>');
    await put('partials/foot.html', '<i>{{> sign}}</i>');
    await put('partials/sign.html', 'Us');
    const { code, out } = await push();
    expect([code, out]).toEqual([0, expect.stringContaining('4 pushed, 0 unchanged.')]);
    expect(await template('receipt')).toMatchObject({
      ...{ name: 'Receipt', subject: 'Order {{id}}', text_body: 'Order {{id}}', version: 1 },
      translations: [{ locale: 'pt-BR', subject: 'Pedido {{id}}', html: '<p>Pedido {{id}}</p>' }],
      layout: (await template('main')).id,
    });
  });

  it('saves only what changed, and says so before it does', async () => {
    await put('a.html', '---\nsubject: A\n---\na');
    await put('b.html', '---\nsubject: B\n---\nb');
    await push();
    await put('b.html', '---\nsubject: B\n---\nbb');
    const look = await push('--dry-run', '--detailed-exitcode');
    expect([look.code, look.out]).toEqual([2, expect.stringContaining('1 to push. 1 unchanged.')]);
    expect((await template('b')).version).toBe(1);
    expect((await push()).out).toContain('1 pushed, 1 unchanged.');
    const nothing = await push('--dry-run', '--detailed-exitcode');
    expect([nothing.code, nothing.out]).toEqual([0, expect.stringContaining('Nothing to push.')]);
    expect([(await template('a')).version, (await template('b')).version]).toEqual([1, 2]);
  });

  it('saves drafts when asked, and sends stay as they are', async () => {
    await put('a.html', '---\nsubject: A\n---\na');
    await push();
    await put('a.html', '---\nsubject: A\n---\nnew');
    expect((await push('--draft')).out).toContain('It is a draft.');
    expect(await template('a')).toMatchObject({ version: 1, html_body: 'a', draft: { html_body: 'new' } });
  });

  it('says which package is missing', async () => {
    await put('hello.mjml', '---\nsubject: Hi\n---\n<mjml></mjml>');
    const { code, err } = await push();
    expect([code, err]).toEqual([1, expect.stringContaining('needs the package mjml')]);
    expect(err).toContain('npm install mjml');
  });

  it('compiles React Email by the packages of the project: a property becomes a placeholder', async () => {
    await symlink(MODULES, join(folder, 'node_modules'));
    await put(
      'welcome.tsx',
      `import { createElement } from 'react';
       import { Title } from './components/title';
       export const subject = 'Welcome, {{name}}';
       export default function Welcome({ name }: { name: string }) {
         return createElement('p', null, createElement(Title), name);
       }`,
    );
    await put(
      'components/title.tsx',
      `import { createElement } from 'react';
       export function Title() { return createElement('b', null, 'Hello'); }`,
    );
    const { code, out, err } = await push();
    expect([code, err, out]).toEqual([0, '', expect.stringContaining('1 pushed')]);
    const made = await template('welcome');
    expect(made.subject).toBe('Welcome, {{name}}');
    expect(made.html_body).toContain('<b>Hello</b>');
    expect(made.html_body).toContain('{{name}}');
    expect(made.text_body).toContain('{{name}}');
  });

  const component = (body: string, more = '') => `import { createElement as h } from 'react';
    ${more}
    export const subject = 'Hi';
    export default function Letter(props) { ${body} }`;

  it('makes a loop of a list, by the sample data that the file exports', async () => {
    await symlink(MODULES, join(folder, 'node_modules'));
    const items = `props.items.map((item) => h('p', { key: item.title }, item.title, ' for ', props.name))`;
    const condition = `'{{#if (eq plan "pro")}}', h('i', null, 'Pro'), '{{/if}}'`;
    await put(
      'list.jsx',
      component(
        `return h('div', null, h('h1', null, 'To ', props.name), ${items}, ${condition});`,
        `export const variables = { items: [{ title: 'Tea' }] };`,
      ),
    );
    expect([(await push()).err, (await template('list'))?.version]).toEqual(['', 1]);
    const data = { name: 'Ada', plan: 'pro', items: [{ title: 'Tea' }, { title: 'Rum' }] };
    const preview = await server.api('POST', '/templates/list/preview', { data }, org.key);
    expect(preview.body.data.html.replace(/<!--.*?-->/g, '')).toContain(
      '<h1>To Ada</h1><p>Tea for Ada</p><p>Rum for Ada</p><i>Pro</i>',
    );
    expect(preview.body.data.text).toMatch(/^To Ada\s+Tea for Ada\s+Rum for Ada\s+Pro$/);
    expect(preview.body.data.warnings).toEqual([]);
  });

  it.each([
    ['a condition', `return h('p', null, props.paid ? 'Paid' : 'Open')`, 'reads `paid`'],
    [
      'a part that depends on a value',
      `return h('p', null, props.name && h('b', null, props.name))`,
      '`name` decides',
    ],
    ['a calculation', `return h('p', null, props.name.toUpperCase())`, 'reads `name`'],
    [
      'a value that it changes, and shows as well',
      `return h('p', null, props.name.toUpperCase(), props.name)`,
      '`name` is changed or compared',
    ],
    ['a list without a sample', `return h('p', null, props.items.map(String))`, 'export `variables`'],
    ['code that fails', `throw new Error('no such thing')`, 'no such thing'],
    ['code that cannot be read', `return <p`, 'letter.jsx: '],
  ])('pushes nothing where a component has %s, and says why in one line', async (_, body, message) => {
    await symlink(MODULES, join(folder, 'node_modules'));
    await put('letter.jsx', component(body));
    const { code, err } = await push();
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(err.trim().split('\n')).toEqual([expect.stringMatching(/^letter\.jsx: /), 'Nothing was pushed.']);
  });

  it('pushes nothing where the sample value of a comparison would be shown in all mail', async () => {
    await symlink(MODULES, join(folder, 'node_modules'));
    const compared = `return h('p', null, props.plan === 'pro' ? 'All of it, ' : 'Some of it, ', props.plan)`;
    await put('letter.jsx', component(compared, `export const variables = { plan: 'pro' };`));
    const { code, err } = await push();
    expect([code, err]).toEqual([1, expect.stringContaining('`plan` is changed or compared')]);
  });

  it('renders a component that React has memoized', async () => {
    await symlink(MODULES, join(folder, 'node_modules'));
    await put(
      'letter.jsx',
      `import { createElement as h, memo } from 'react';
       export const subject = 'Hi';
       export default memo(function Letter({ name }) { return h('p', null, name); });`,
    );
    expect((await push()).err).toBe('');
    expect((await template('letter')).html_body).toContain('<p>{{name}}</p>');
  });

  it.each([
    ['no subject', 'a.html', 'a', 'it has no subject'],
    ['a field that there is not', 'a.html', '---\nsubjekt: A\n---\n', 'has no field subjekt'],
    ['a head that cannot be read', 'a.html', '---\nsubject: "A\n---\n', 'a.html: '],
    [
      'a style that a layout cannot have',
      'layouts/a.html',
      '---\ninline_css: true\n---\n{{{content}}}',
      'inline_css is for',
    ],
    ['a translation of nothing', 'a.de.html', '---\nsubject: A\n---\na', 'no a to translate'],
  ])('pushes nothing where there is %s', async (_, path, text, message) => {
    await put('fine.html', '---\nsubject: F\n---\nf');
    await put(path, text);
    const { code, err } = await push();
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(await template('fine')).toBeUndefined();
  });

  it('ends with 1 where the server refuses one, and names it', async () => {
    await put('a.html', '---\nsubject: A\n---\n{{#if}}');
    const { code, out } = await push();
    expect([code, out]).toEqual([1, expect.stringContaining('a: ')]);
  });
});

describe('templates pull', () => {
  it('writes files that push takes without a change', async () => {
    await put('receipt.html', '---\nsubject: Order\nlayout: main\n---\n<p>{{> foot}}</p>');
    await put('receipt.de.html', '---\nsubject: Bestellung\n---\n<p>x</p>');
    await put('layouts/main.html', '<html>{{{content}}}</html>');
    await put('partials/foot.html', 'Us');
    await push();
    const there = await mkdtemp(join(tmpdir(), 'postrider-pulled-'));
    const pulled = await run('pull', there);
    expect([pulled.code, pulled.out]).toEqual([0, expect.stringContaining('Wrote 8 files')]);
    expect((await readdir(there)).toSorted()).toEqual([
      ...['layouts', 'partials', 'receipt.de.html', 'receipt.de.yaml', 'receipt.html', 'receipt.yaml'],
    ]);
    expect(await readFile(join(there, 'partials/foot.html'), 'utf8')).toBe('Us');
    expect((await run('push', there)).out).toContain('Nothing to push. 3 unchanged.');
    const again = await run('pull', there);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('--overwrite')]);
    expect((await run('pull', there, '--overwrite')).code).toBe(0);
    await rm(there, { recursive: true, force: true });
  });
});
