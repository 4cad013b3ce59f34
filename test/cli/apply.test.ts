import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';

const HOOK = 'http://127.0.0.1:9/hook';

let server: TestApi;
let org: TestOrganization;
let folder: string;
let file: string;
beforeAll(async () => {
  server = await startApi();
});
afterAll(() => server.stop());
beforeEach(async () => {
  org = await server.createOrganization();
  folder = await mkdtemp(join(tmpdir(), 'postrider-apply-'));
  file = join(folder, 'postrider.yaml');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const api = async (method: string, path: string, body?: unknown) =>
  (await server.api(method, path, body, org.key)).body.data;

const namesOf = async (path: string, field: string): Promise<string[]> =>
  (await api('GET', path)).map((one: Record<string, string>) => one[field]).toSorted();

const template = (alias: string, subject: string) =>
  `  - { alias: ${alias}, name: ${alias}, subject: ${subject} }\n`;

const local = () => ({
  env: { DATABASE_URL: server.database.url, POSTRIDER_SECRET_KEY: TEST_SECRET_KEY },
  where: ['--org', org.id],
});
const remote = () => ({ env: { POSTRIDER_API_KEY: org.key }, where: ['--url', server.url] });

describe.each([
  ['on the machine of the installation', local],
  ['over HTTP', remote],
])('%s', (_name, place) => {
  const run = (command: string, ...argv: string[]) => {
    const { env, where } = place();
    return runCommand([...command.split(' '), ...argv, ...where], env);
  };
  const apply = async (text: string, ...argv: string[]) => {
    await writeFile(file, text);
    return run('apply', '-f', file, ...argv);
  };

  it('what was exported changes nothing, as text and as files', async () => {
    const { id } = await api('POST', '/domains', { domain: 'mail.acme.example' });
    const tracking = { track_opens: false, track_clicks: 'html_and_text', host: 'links.mail.acme.example' };
    await api('PUT', `/domains/${id}/tracking`, tracking);
    await api('POST', '/api-keys', { name: 'shop', domain: 'mail.acme.example', expires_at: '2099-12-31' });
    const types = ['email.opened', 'email.bounced', 'domain.verified'];
    await api('POST', '/webhooks', { url: HOOK, event_types: types, description: 'ours' });
    await api('POST', '/webhooks', { url: `${HOOK}/2`, format: 'resend', enabled: false });
    const html = '<p>\r\n  {{name}}: "x" # é\t\n</p>\n\n';
    const rules = [{ name: 'name', type: 'string', default_value: 'you' }];
    const body = { name: 'A', subject: 'Hi {{name}}', html, text: ' - x', variable_schema: rules };
    await api('POST', '/templates', { ...body, alias: 'welcome' });
    await api('POST', '/templates', { ...body, alias: 'Welcome' });
    await api('POST', '/templates', { ...body, name: 'Nameless' });
    await api('POST', '/streams', { name: 'news', priority: 'low', messages_per_hour: 900 });
    await api('PATCH', '/streams/bulk', { messages_per_minute: 60 });
    await api('PUT', '/settings/validation', { disposable_deny: ['b.example', 'a.example'] });
    await api('PUT', '/settings/auto-validation', { threshold: 'high' });

    const text = await run('apply export');
    expect(text).toMatchObject({ code: 0, err: '' });
    expect(text.out).toContain('the template Nameless (tmpl_');
    expect(text.out).toMatch(/name: bulk\n.*\n.*priority: low\n +messages_per_minute: 60/);
    const unchanged = { code: 0, err: '', out: expect.stringMatching(/^Nothing to change\.$/m) };
    const look = ['--dry-run', '--detailed-exitcode', '--prune'];
    expect(await apply(text.out, ...look)).toMatchObject(unchanged);

    expect(await run('apply export', folder)).toMatchObject({
      code: 1,
      err: expect.stringContaining('--overwrite'),
    });
    expect(await run('apply export', folder, '--overwrite')).toMatchObject({ code: 0 });
    expect(await readFile(join(folder, 'templates', 'Welcome.html'), 'utf8')).toBe(html);
    expect(await run('apply', '-f', file, ...look)).toMatchObject(unchanged);
    expect((await api('GET', '/templates/welcome')).version).toBe(1);
  });

  it('changes the tracking of a domain, of a new one too, and leaves what the file does not name', async () => {
    const trackingOf = async (name: string) =>
      (await api('GET', '/domains')).find(({ domain }: { domain: string }) => domain === name)?.tracking;
    const text = (tracking: string) => `domains: [{ domain: tracked.example, tracking: ${tracking} }]\n`;
    const made = await apply(text('{ track_clicks: true, host: Links.Tracked.Example }'), '--yes');
    expect(made).toMatchObject({ code: 0, err: '' });
    const host = { name: 'links.tracked.example' };
    expect(await trackingOf('tracked.example')).toMatchObject({
      track_opens: null,
      track_clicks: 'html',
      host,
    });
    const same = await apply(text('{ track_clicks: html, host: links.tracked.example }'), '--yes');
    expect(same.out).toMatch(/^Nothing to change\.$/m);
    const changed = await apply(text('{ track_opens: true, track_clicks: null }'), '--yes');
    expect(changed.out).toMatch(/~ domain +tracked\.example +\(track_opens: true, track_clicks: null\)/);
    expect(await trackingOf('tracked.example')).toMatchObject({
      track_opens: true,
      track_clicks: null,
      host,
    });
    expect((await apply('domains: [{ domain: tracked.example }]\n', '--yes')).out).toContain(
      'Nothing to change.',
    );
  });

  it('says where in the file a tracking host is that the domain cannot have', async () => {
    const wrong = await apply(
      'domains:\n  - domain: a.example\n    tracking: { host: links.b.example }\n',
      '--yes',
    );
    expect(wrong).toMatchObject({
      code: 1,
      err: expect.stringContaining('domains[0].tracking.host: must be'),
    });
    expect(await namesOf('/domains', 'domain')).not.toContain('a.example');
  });

  it('sets the allow-list of the guard in its own form, and says where an entry is neither an address nor a domain', async () => {
    const text = 'settings: { guard: { allow: [Alerts@Acme.Example, OPS.example] } }\n';
    expect(await apply(text, '--yes')).toMatchObject({ code: 0, err: '' });
    const allow = ['alerts@acme.example', 'ops.example'];
    expect(await api('GET', '/settings/guard')).toEqual({ enabled: true, allow });
    expect((await apply(text, '--yes')).out).toContain('Nothing to change.');
    const wrong = await apply('settings: { guard: { allow: [ops.example, "no address@"] } }\n', '--yes');
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('settings.guard.allow[1]') });
  });

  it('plans, applies, and has nothing more to do', async () => {
    await writeFile(join(folder, 'receipt.html'), '<p>{{total}}</p>');
    const text = `
settings: { retention: { content_days: 7 }, tracking: { track_opens: true } }
domains: [{ domain: ${'New.Example'} }]
keys: [{ name: shop, domain: new.example }]
webhooks: [{ url: "${HOOK}", event_types: [email.bounced] }]
templates: [{ alias: receipt, name: Receipt, subject: Thanks, html_file: receipt.html }]
`;
    const planned = await apply(text, '--dry-run', '--detailed-exitcode');
    expect(planned).toMatchObject({ code: 2, err: '' });
    expect(planned.out).toContain('4 to create, 2 to change, 0 to remove.');
    expect(await api('GET', '/webhooks')).toEqual([]);

    const applied = await apply(text, '--yes');
    expect(applied).toMatchObject({ code: 0, err: '' });
    expect(applied.out).toContain('Publish: pr');
    const secret = /pr_[A-Za-z0-9_-]{43}/.exec(applied.out)?.[0];
    expect((await server.api('GET', '/organization', undefined, secret)).status).toBe(200);
    expect(applied.out).toMatch(/shown only once: whsec_/);
    expect(await api('GET', '/settings/retention')).toEqual({ content_days: 7, email_days: 90 });
    expect(await namesOf('/domains', 'domain')).toContain('new.example');
    expect(await api('GET', '/webhooks')).toMatchObject([{ url: HOOK, event_types: ['email.bounced'] }]);
    expect(await api('GET', '/templates/receipt')).toMatchObject({
      html_body: '<p>{{total}}</p>',
      text_body: '',
    });

    await writeFile(join(folder, 'receipt.html'), '<b>{{total}}</b>');
    const more = text.replace('[email.bounced]', '[email.bounced, email.failed]');
    expect((await apply(more, '--yes')).out).toContain('0 to create, 2 to change, 0 to remove.');
    expect(await api('GET', '/templates/receipt')).toMatchObject({
      html_body: '<b>{{total}}</b>',
      version: 2,
    });
    expect((await apply(more, '--yes')).out).toMatch(/^Nothing to change\.$/m);
  });

  it('sets, changes and exports the sample data of a template, and leaves it alone where the file has none', async () => {
    const text = (more: string) =>
      `templates: [{ alias: greeting, name: G, subject: "Hi {{user.name}}"${more} }]\n`;
    const sampleOf = async () => (await api('GET', '/templates/greeting')).sample_data;
    const ada = ', sample_data: { user: { name: Ada }, tags: [a, 1] }';
    expect(await apply(text(ada), '--yes')).toMatchObject({ code: 0, err: '' });
    expect(await sampleOf()).toEqual({ user: { name: 'Ada' }, tags: ['a', 1] });
    const nothing = expect.stringMatching(/^Nothing to change\.$/m);
    expect((await apply(text(ada), '--yes')).out).toEqual(nothing);
    expect((await apply((await run('apply export')).out, '--yes')).out).toEqual(nothing);
    expect((await apply(text(''), '--yes')).out).toEqual(nothing);
    const bob = await apply(text(', sample_data: { user: { name: Bob } }'), '--yes');
    expect(bob.out).toContain('~ template      greeting  (sample_data: {"user":{"name":"Bob"}})');
    expect(await sampleOf()).toEqual({ user: { name: 'Bob' } });
    await apply(text(', sample_data: null'), '--yes');
    expect(await sampleOf()).toBeNull();
  });

  it('makes, changes and removes streams, but not those of everybody', async () => {
    const text =
      'streams: [{ name: news, priority: low, messages_per_minute: 60 }, { name: bulk, messages_per_hour: 9 }]\n';
    expect((await apply(text, '--yes')).out).toContain('1 to create, 1 to change, 0 to remove.');
    const streams = async () => (await api('GET', '/streams')).slice(1);
    expect(await streams()).toMatchObject([
      { name: 'bulk', priority: 'low', messages_per_minute: null, messages_per_hour: 9 },
      { name: 'news', priority: 'low', messages_per_minute: 60, messages_per_hour: null },
    ]);
    expect((await apply(text, '--yes')).out).toMatch(/^Nothing to change\.$/m);
    const pruned = await apply('streams: []\n', '--yes', '--prune');
    expect(pruned.out).toContain('bulk (bulk) stays: it is there for everybody');
    expect((await streams()).map(({ name }: { name: string }) => name)).toEqual(['bulk']);
    const wrong = await apply('streams: [{ name: transactional }]\n', '--yes');
    expect(wrong.err).toContain('streams[0].name: is what mail has that names no stream');
  });

  it('removes what the file does not name only with --prune, and what was used lately only with --prune-used', async () => {
    await api('POST', '/templates', { alias: 'old', name: 'Old', subject: 'x', text: 'x' });
    await api('POST', '/templates', { name: 'Nameless', subject: 'x' });
    await api('POST', '/webhooks', { url: HOOK });
    const from = { email: `a@${org.domain}` };
    const mail = { from, to: [{ email: 'b@example.org' }], subject: 's', template_id: 'old' };
    expect((await server.api('POST', '/emails/send', mail, org.key)).status).toBe(201);
    const nothing = 'templates: []\nwebhooks: []\ndomains: []\n';

    const left = await apply(nothing, '--yes');
    expect(left.out).toContain(`left alone: domain ${org.domain}`);
    const pruned = await apply(nothing, '--yes', '--prune');
    expect(pruned).toMatchObject({ code: 0, err: '' });
    expect(pruned.out).toMatch(new RegExp(`= domain +${org.domain} .* stays: it sent mail on 20`));
    expect(pruned.out).toMatch(/= template +old .* stays: it was sent 1 times/);
    expect(await api('GET', '/webhooks')).toEqual([]);

    expect(await apply(nothing, '--yes', '--prune-used')).toMatchObject({ code: 0, err: '' });
    expect(await api('GET', '/domains')).toEqual([]);
    expect(await namesOf('/templates?is_active=true', 'name')).toEqual(['Nameless']);
    expect((await apply(nothing, '--yes', '--prune-used')).out).toMatch(/^Nothing to change\.$/m);
  });

  it('says what was done and what was not when something fails, and goes on from there the next time', async () => {
    const text = `keys: [{ name: one }]\nwebhooks: [{ url: "http://10.0.0.1/hook" }]\ntemplates:\n${template('a', 'x')}`;
    const failed = await apply(text, '--yes');
    expect(failed.code).toBe(1);
    expect(failed.out).toContain('Created the key one.');
    expect(failed.err).toMatch(/Failed:\n {2}\+ webhook +http:\/\/10\.0\.0\.1\/hook.*\n {4}url: /);
    expect(failed.err).toContain('Changes made before that: 1.');
    expect(failed.err).toMatch(/Not done:\n {2}\+ template +a\n/);
    const json = await apply(text, '--yes', '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({
      changes: [],
      failed: { kind: 'webhook', why: expect.stringContaining('url') },
      not_done: [{ action: 'create', kind: 'template', name: 'a' }],
    });
    const mended = await apply(text.replace('10.0.0.1', '127.0.0.1:9'), '--yes');
    expect(mended.out).toContain('2 to create, 0 to change, 0 to remove.');
    expect(await api('GET', '/templates/a')).toMatchObject({ version: 1 });
  });

  it('changes nothing where a field is wrong, nothing is confirmed, or a key is tied to no domain of ours', async () => {
    const wrong = await apply(`domains: [{ domain: a.example }]\nwebhooks:\n  - uri: x\n`, '--yes');
    expect(wrong).toMatchObject({ code: 1, out: '' });
    expect(wrong.err).toContain(`${file}:3: webhooks[0].uri: unknown field`);
    const unsure = await apply('domains: [{ domain: a.example }]\n');
    expect(unsure).toMatchObject({ code: 2, err: 'Nothing was changed. Add --yes to apply this.' });
    expect(unsure.out).toMatch(/\+ domain +a\.example/);
    const loose = await apply('keys: [{ name: k, domain: b.example }]\ntemplates: []\n', '--yes');
    expect(loose).toMatchObject({
      code: 1,
      err: expect.stringContaining('not a domain of this organization'),
    });
    expect(await namesOf('/domains', 'domain')).toEqual([org.domain]);
  });

  it('two runs at the same moment make one of each', async () => {
    const text = `keys: [{ name: twin }]\nwebhooks: [{ url: "${HOOK}" }]\n`;
    await writeFile(file, text);
    const results = await Promise.all([1, 2, 3].map(() => run('apply', '-f', file, '--yes')));
    for (const { code, err } of results) if (code !== 0) expect(err).toMatch(/at the same time/);
    expect(await apply(text, '--yes')).toMatchObject({ code: 0 });
    const keys = (await api('GET', '/api-keys')).filter(
      (key: { name: string; revoked_at: string | null }) => key.name === 'twin' && key.revoked_at === null,
    );
    expect(keys).toHaveLength(1);
    expect(await namesOf('/webhooks', 'url')).toEqual([HOOK]);
  });

  it('writes secrets to a file that nobody else can read, instead of showing them', async () => {
    const secrets = join(folder, 'secrets.jsonl');
    const text = `keys: [{ name: shop }]\nwebhooks: [{ url: "${HOOK}" }]\n`;
    const { out, code } = await apply(text, '--yes', '--secrets', secrets);
    expect({ code, shows: /pr_|whsec_/.test(out) }).toEqual({ code: 0, shows: false });
    expect((await stat(secrets)).mode & 0o777).toBe(0o600);
    const lines = (await readFile(secrets, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { kind: 'key', name: 'shop', organization: org.id, secret: expect.stringMatching(/^pr_/) },
      { kind: 'webhook', name: HOOK, organization: org.id, secret: expect.stringMatching(/^whsec_/) },
    ]);
    await chmod(secrets, 0o644);
    const open = await apply('keys: [{ name: more }]\n', '--yes', '--secrets', secrets);
    expect(open).toMatchObject({ code: 1, err: expect.stringContaining('chmod 600') });
    expect(await namesOf('/api-keys', 'name')).not.toContain('more');
  });
});
