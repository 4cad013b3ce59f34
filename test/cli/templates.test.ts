/**
 * `templates push` and `templates pull`. React Email is the real package. MJML is not among ours: the project's own is used, so a
 * project with a package of that name stands here, which answers in the shape of MJML 5; what MJML itself does is not tested.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const MJML = `export default async (text, { filePath }) => text.includes('<mj-wrong')
  ? { html: '', errors: [{ formattedMessage: 'Line 1 of ' + filePath + ': mj-wrong is no component' }] }
  : { html: '<table>' + text.replace(/<\\/?mj[^>]*>/g, '').trim() + '</table>', errors: [] };`;

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

  it('compiles MJML by the package of the project, and names its mistakes', async () => {
    await put('node_modules/mjml/package.json', '{"name":"mjml","type":"module","exports":"./index.js"}');
    await put('node_modules/mjml/index.js', MJML);
    await put('hello.mjml', '---\nsubject: Hi\n---\n<mjml><mj-text>Hello {{name}}</mj-text></mjml>');
    expect((await push()).code).toBe(0);
    expect((await template('hello')).html_body).toBe('<table>Hello {{name}}</table>');
    await put('hello.mjml', '---\nsubject: Hi\n---\n<mj-wrong>');
    const { code, err } = await push();
    expect([code, err]).toEqual([1, expect.stringContaining('hello.mjml: Line 1')]);
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

  it.each([
    ['no subject', 'a.html', 'a', 'it has no subject'],
    ['a field that there is not', 'a.html', '---\nsubjekt: A\n---\n', 'has no field subjekt'],
    ['a head that cannot be read', 'a.html', '---\nsubject: "A\n---\n', 'a.html: '],
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
