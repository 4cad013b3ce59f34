import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readApplyFile } from './read-file.ts';

let folder: string;
let outside: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-apply-'));
  outside = mkdtempSync(join(tmpdir(), 'postrider-outside-'));
});
afterAll(() => {
  for (const one of [folder, outside]) rmSync(one, { recursive: true, force: true });
});

function put(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const read = (text: string, given: Record<string, string> = {}) =>
  readApplyFile(put('postrider.yaml', text), given);

async function wrongIn(text: string, given: Record<string, string> = {}): Promise<string> {
  const error = await read(text, given).then(
    () => new Error('It was read.'),
    (thrown: Error) => thrown,
  );
  return error.message.replaceAll(`${folder}/`, '');
}

async function entriesOf(text: string, given: Record<string, string> = {}) {
  const file = await read(text, given);
  if (file.of !== 'organization') throw new Error('It is about organizations.');
  return file.state.entries;
}

const template = (more: string) =>
  `templates:\n  - alias: welcome\n    name: Welcome\n    subject: Hi\n${more}`;

describe('a file', () => {
  it('is normalized to the form in which it is stored', async () => {
    const text = `
settings:
  validation: { disposable_allow: [B.example, a.example, b.example] }
domains:
  - domain: Mail.Acme.Example.
keys:
  - { name: " shop ", domain: Mail.Acme.Example, expires_at: 2099-12-31 }
webhooks:
  - { url: "https://a.example/hook", event_types: [email.opened, email.bounced] }
`;
    expect(await entriesOf(text)).toEqual([
      { kind: 'setting', name: 'validation', fields: { disposable_allow: ['a.example', 'b.example'] } },
      { kind: 'domain', name: 'mail.acme.example', fields: {} },
      {
        kind: 'key',
        name: 'shop',
        fields: { scope: 'send', domain: 'mail.acme.example', expires_at: '2099-12-31T23:59:59.999Z' },
      },
      {
        kind: 'webhook',
        name: 'https://a.example/hook',
        fields: {
          description: null,
          event_types: ['email.bounced', 'email.opened'],
          streams: null,
          format: 'postrider',
        },
      },
    ]);
  });

  it('with a wrong field names its path and line, all of them at once', async () => {
    const text =
      'domains:\n  - domain: acme.example\nwebhooks:\n  - url: https://a.example\n    formt: x\n    enabled: 7\n';
    expect(await wrongIn(text)).toBe(
      [
        'postrider.yaml:5: webhooks[0].formt: unknown field `formt`, did you mean `format`?',
        'postrider.yaml:6: webhooks[0].enabled: must be true or false',
        'Nothing was changed.',
      ].join('\n'),
    );
  });

  it('with the policy of a key is refused: the key would be created without its limits', async () => {
    const text = 'keys:\n  - name: agent\n    scope: agent\n    policy:\n      attachments: false\n';
    expect(await wrongIn(text)).toContain('postrider.yaml:4: keys[0].policy: cannot be set by a file');
  });

  it('that names an entry twice is refused', async () => {
    expect(await wrongIn('domains:\n  - domain: a.example\n  - domain: A.example\n')).toContain(
      'postrider.yaml:3: domains[1]: is domains[0] again: a.example',
    );
  });

  it('that is empty, or no list of sections, is refused with the reason', async () => {
    expect(await wrongIn('')).toContain('postrider.yaml:1: ');
    expect(await wrongIn('- a\n')).toContain('must be an object');
    expect(await wrongIn('domain: []\n')).toContain('did you mean `domains`?');
  });

  it('of an installation names its organizations', async () => {
    const file = await read('organizations:\n  - name: Acme\n    daily_limit: 5\n    domains: []\n');
    expect(file).toMatchObject({ of: 'installation', organizations: [{ name: 'Acme', dailyLimit: 5 }] });
    const twice = 'organizations:\n  - name: Acme\n  - name: Acme\n';
    expect(await wrongIn(twice)).toContain(
      'postrider.yaml:3: organizations[1].name: is that of organizations[0], too',
    );
    expect(await wrongIn('organizations:\n  - name: Acme\ndomains: []\n')).toContain(
      'unknown field `domains`',
    );
  });
});

describe('variables', () => {
  const variable = ['$', '{TOKEN}'].join('');
  const hook = `webhooks:\n  - url: https://a.example/${variable}\n`;

  it('are read from the environment under their own prefix only', async () => {
    expect((await entriesOf(hook, { POSTRIDER_VAR_TOKEN: 't0k3n' }))[0]?.name).toBe(
      'https://a.example/t0k3n',
    );
    expect(await wrongIn(hook, { TOKEN: 'other', POSTRIDER_API_KEY: 'secret' })).toContain(
      'postrider.yaml:2: webhooks[0].url: needs the environment variable POSTRIDER_VAR_TOKEN',
    );
  });

  it('are plain text in all other fields', async () => {
    const [entry] = await entriesOf(template(`    text: "${variable}"\n`), { POSTRIDER_VAR_TOKEN: 't0k3n' });
    expect(entry?.fields.text).toBe(variable);
  });

  it('cannot change the structure of the file', async () => {
    const given = { POSTRIDER_VAR_TOKEN: 'x\nkeys: [{ name: mine, scope: full }]' };
    expect((await entriesOf(hook, given)).map(({ kind }) => kind)).toEqual(['webhook']);
  });
});

describe('templates', () => {
  it('are read from files beside the file', async () => {
    put('welcome.html', '<p>Hello {{name}}</p>\n');
    const [entry] = await entriesOf(template('    html_file: welcome.html\n    text: Hello {{name}}\n'));
    expect(entry).toEqual({
      kind: 'template',
      name: 'welcome',
      fields: {
        name: 'Welcome',
        kind: 'template',
        subject: 'Hi',
        layout: null,
        inline_css: false,
        html: '<p>Hello {{name}}</p>\n',
        text: 'Hello {{name}}',
        translations: [],
        variable_schema: [],
      },
    });
  });

  it('are not read from outside of its folder, by any path', async () => {
    const secret = join(outside, 'secret.html');
    writeFileSync(secret, 'secret');
    symlinkSync(secret, join(folder, 'link.html'));
    const up = join('..', outside.slice(tmpdir().length + 1), 'secret.html');
    for (const path of [up, secret, 'link.html', 'missing.html', '.']) {
      const words = await wrongIn(template(`    html_file: ${path}\n`));
      expect(words).toContain('postrider.yaml:5: templates[0].html_file: ');
      expect(words).not.toContain('It was read');
    }
  });

  it('that are not text, or too large, are refused', async () => {
    put('odd.html', Uint8Array.of(0xff, 0xfe, 0x00));
    put('large.html', 'x'.repeat(256 * 1024 + 1));
    expect(await wrongIn(template('    html_file: odd.html\n'))).toContain('odd.html is not UTF-8 text');
    expect(await wrongIn(template('    html_file: large.html\n'))).toContain('262144 are allowed');
  });

  it('that could not be sent are reported before any change, with their line', async () => {
    put('broken.html', '<p>\n{{#if a}}\n');
    expect(await wrongIn(template('    html_file: broken.html\n'))).toMatch(/^broken\.html:2:\d+: /m);
    expect(await wrongIn(template('    text: "{{#each}}"\n'))).toMatch(
      /^postrider\.yaml:5: templates\[0\]\.text: line 1/m,
    );
  });

  it('have each body once', async () => {
    expect(await wrongIn(template('    html: a\n    html_file: welcome.html\n'))).toContain(
      'keep one of them',
    );
  });
});
