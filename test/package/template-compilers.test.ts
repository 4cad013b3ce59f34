/**
 * What `templates push` makes of MJML and React Email, by those packages themselves. They are 250 with all that they need, so they are
 * installed for this test alone, and it is skipped without a registry.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { convertingHtml } from '../../src/protocols/message/plain-text/text-from-html.ts';
import { atOnce } from '../../src/runtime/sliced-work.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { installFromNpm } from '../support/npm-packages.ts';

const textFromHtml = (...args: Parameters<typeof convertingHtml>) => atOnce(convertingHtml(...args));

const folder = await mkdtemp(join(tmpdir(), 'postrider-compilers-'));
const isInstalled = await installFromNpm('test/package/template-compilers', folder);

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function push(file: string, source: string) {
  await writeFile(join(folder, file), source);
  const argv = ['templates', 'push', folder, '--url', server.url];
  const pushed = await runCommand(argv, { POSTRIDER_API_KEY: org.key });
  await rm(join(folder, file));
  return pushed;
}

async function preview(alias: string, data: object) {
  const { body } = await server.api('POST', `/templates/${alias}/preview`, { data }, org.key);
  return body.data;
}

const DATA = {
  name: 'Ada',
  paid: true,
  items: [{ title: 'Tea' }, { title: 'Rum' }],
  link: 'https://a.example/x',
};

describe.skipIf(!isInstalled)('MJML', () => {
  const mjml = (body: string) =>
    `---\nsubject: Hi\n---\n<mjml><mj-head><mj-preview>Psst</mj-preview></mj-head>\n<mj-body>\n${body}\n</mj-body></mjml>`;
  const section = (inside: string) => `<mj-section><mj-column>${inside}</mj-column></mj-section>`;

  it('becomes a template whose text part has all that is shown', async () => {
    const source = mjml(
      [
        section('<mj-text>Hello {{name}}</mj-text><mj-image src="https://a.example/logo.png" alt="Logo" />'),
        `<mj-raw>{{#if (eq name "Ada")}}</mj-raw>${section('<mj-button href="{{link}}">Pay</mj-button>')}<mj-raw>{{/if}}</mj-raw>`,
        section('<mj-table>{{#each items}}<tr><td>{{this.title}}</td></tr>{{/each}}</mj-table>'),
      ].join('\n'),
    );
    expect((await push('hello.mjml', source)).err).toBe('');
    const { paid: _, ...data } = DATA;
    const { html, text, warnings } = await preview('hello', data);
    expect(text.replace(/\s+/g, ' ')).toBe('Hello Ada Logo Pay (https://a.example/x) Tea Rum');
    expect(text).toBe(textFromHtml(html));
    expect(warnings).toEqual([]);
  });

  it('is not pushed where it drops a tag between its elements, and names tag and line', async () => {
    const { code, err } = await push(
      'drops.mjml',
      mjml(`{{#if paid}}\n${section('<mj-text>Paid</mj-text>')}\n{{/if}}`),
    );
    expect(code).toBe(1);
    expect(err).toMatch(
      /^drops\.mjml: line 6: MJML drops \{\{#if paid\}\}, and 1 more\. .*<mj-raw>.*\nNothing was pushed\.$/,
    );
  });

  it('may have a value as a colour', async () => {
    const source = mjml(section('<mj-text color="{{color}}">Hi</mj-text>'));
    expect((await push('colour.mjml', source)).err).toBe('');
    expect((await preview('colour', { color: '#0a0' })).html).toContain('color:#0a0');
  });

  it('includes other files of the folder', async () => {
    await writeFile(join(folder, '_foot.mjml'), section('<mj-text>Yours, {{name}}</mj-text>'));
    const source = mjml('<mj-include path="./_foot.mjml" />');
    expect((await push('included.mjml', source)).err).toBe('');
    expect((await preview('included', DATA)).text).toBe('Yours, Ada');
  });

  it.each([
    [
      'that drops a tag',
      '_part.mjml',
      /^including\.mjml: line 1 of an included file: MJML drops \{\{#if paid\}\}/,
    ],
    ['that is missing', '_gone.mjml', /^including\.mjml: an <mj-include> names a file that is missing/],
    ['outside of the folder', '../outside.mjml', /^including\.mjml: an <mj-include> .* not in the folder/],
  ])('is not pushed where it includes a file %s', async (_, path, message) => {
    await writeFile(join(folder, '_part.mjml'), section('{{#if paid}}<mj-text>Paid</mj-text>{{/if}}'));
    const { code, err } = await push('including.mjml', mjml(`<mj-include path="${path}" />`));
    expect([code, err]).toEqual([1, expect.stringMatching(message)]);
  });

  it.each([
    ['of a column', section('<mj-text>Hi</mj-text>').replace('<mj-column', '<mj-column width="{{width}}"')],
    ['of an image', section('<mj-image src="https://a.example/logo.png" width="{{width}}" />')],
  ])('says in one line that a tag cannot be the width %s', async (_, source) => {
    const { code, err } = await push('wide.mjml', mjml(source));
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^wide\.mjml: .*A tag cannot be a width or a padding.*\nNothing was pushed\.$/),
    ]);
  });

  it('says in one line which elements it does not know', async () => {
    const { code, err } = await push('wrong.mjml', mjml(section('<mj-wrong />')));
    expect([code, err]).toEqual([1, expect.stringContaining('mj-wrong')]);
    expect(err.trim().split('\n')).toHaveLength(2);
  });
});

describe.skipIf(!isInstalled)('React Email', () => {
  const letter = (component: string, more = '') => `import * as React from 'react';
    import { Body, Button, Heading, Html, Link, Preview, Section, Text } from '@react-email/components';
    export const subject = 'Hi {{name}}';
    ${more}
    ${component}`;

  it('becomes a template with its placeholders, in its text as well', async () => {
    const source = letter(
      `export default function Letter({ name, link, items }: any) {
         return <Html><Preview>For {name}</Preview><Body>
           <Heading>Welcome {name}</Heading>
           <Section>{items.map((item: any) => <Text key={item.title}>{item.title} for {name}</Text>)}</Section>
           {'{{#if paid}}'}<Text>Paid</Text>{'{{/if}}'}
           <Button href={link}>Open</Button>
         </Body></Html>;
       }`,
      `export const variables = { items: [{ title: 'Tea' }] };`,
    );
    expect((await push('letter.tsx', source)).err).toBe('');
    const { html, text, warnings } = await preview('letter', DATA);
    expect(text.replace(/\s+/g, ' ')).toBe(
      'Welcome Ada Tea for Ada Rum for Ada Paid Open https://a.example/x',
    );
    expect(html).toContain('href="https://a.example/x"');
    expect(warnings).toEqual([]);
    expect((await preview('letter', { ...DATA, paid: false })).text).not.toContain('Paid');
  });

  it('takes the sample data of its own preview', async () => {
    const source = letter(
      `export default function Note({ user, items }: any) {
         return <Html><Body><Text>{user.name}</Text>{items.map((one: string) => <Text key={one}>{one}</Text>)}</Body></Html>;
       }
       Note.PreviewProps = { user: { name: 'Ada' }, items: ['a'] };`,
    );
    expect((await push('note.tsx', source)).err).toBe('');
    const { text } = await preview('note', { user: { name: 'Eve' }, items: ['Tea', 'Rum'] });
    expect(text.replace(/\s+/g, ' ').trim()).toBe('Eve Tea Rum');
  });

  it('is not pushed where a value decides what is shown', async () => {
    const source = letter(
      `export default function Letter({ coupon }: any) {
         return <Html><Body><Text>Hi</Text>{coupon && <Link href="https://a.example">{coupon}</Link>}</Body></Html>;
       }`,
    );
    const { code, err } = await push('coupon.tsx', source);
    expect([code, err]).toEqual([1, expect.stringContaining('`coupon` decides what is shown')]);
    expect(err.trim().split('\n')).toHaveLength(2);
  });
});
