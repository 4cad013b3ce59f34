import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/run.ts';
import { adHoc } from '../../src/database/sql.ts';
import { SETTING_NAMES } from '../../src/organizations/settings/list.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand, TEST_OPERATOR } from '../support/command-line.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';

const CLI = fileURLToPath(new URL('../../dist/processes/cli.js', import.meta.url));

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

describe('both places', () => {
  const ask = async (answer: () => Promise<boolean>) => {
    const out: string[] = [];
    const code = await runCli(['apply', '-f', file, '--url', server.url], {
      loadConfig: () => parseConfig({ POSTRIDER_API_KEY: org.key }),
      clock: systemClock,
      out: (text) => out.push(text),
      err: (text) => out.push(text),
      confirm: answer,
      operator: TEST_OPERATOR,
      become: async () => {},
    });
    return { code, out: out.join('\n') };
  };

  it('decides', async () => {
    await writeFile(file, `templates:\n${template('asked', 'x')}`);
    expect(await ask(async () => false)).toMatchObject({
      code: 1,
      out: expect.stringContaining('Nothing was changed.'),
    });
    expect(await namesOf('/templates', 'alias')).toEqual([]);
    expect((await ask(async () => true)).code).toBe(0);
    expect(await namesOf('/templates', 'alias')).toEqual(['asked']);
  });

  it('decides about what they saw, not about what it became', async () => {
    await writeFile(file, `templates:\n${template('seen', 'x')}`);
    const answer = await ask(async () => {
      await api('POST', '/templates', { alias: 'seen', name: 'Theirs', subject: 'y' });
      return true;
    });
    expect(answer).toMatchObject({
      code: 1,
      out: expect.stringContaining('The installation has changed since the plan was made'),
    });
    expect((await api('GET', '/templates/seen')).subject).toBe('y');
  });
});

describe('over HTTP', () => {
  const run = (key: string, ...argv: string[]) =>
    runCommand([...argv, '--url', server.url], { POSTRIDER_API_KEY: key });

  it('a key that can only read can look, and export', async () => {
    const key = await server.createKey(org.id, { scope: 'read' });
    await writeFile(file, `domains: []\ntemplates:\n${template('a', 'x')}`);
    expect((await run(key, 'apply', '-f', file, '--dry-run', '--prune', '--detailed-exitcode')).code).toBe(2);
    expect((await run(key, 'apply', 'export')).code).toBe(0);
    const refused = await run(key, 'apply', '-f', file, '--yes');
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('use a key of scope full') });
  });

  it('every key that the file does not name is revoked, but for the one that it runs with', async () => {
    const old = await server.createKey(org.id, { scope: 'send' });
    await writeFile(file, 'keys: []\n');
    const { code, out } = await run(org.key, 'apply', '-f', file, '--yes', '--prune-used');
    expect(code).toBe(0);
    expect(out).toContain('it is the key that this runs with');
    const statusWith = async (key: string) =>
      (await server.api('GET', '/organization', undefined, key)).status;
    expect(await statusWith(old)).toBe(401);
    expect(await statusWith(org.key)).toBe(200);
  });

  it('organizations are the operator’s', async () => {
    await writeFile(file, 'organizations: [{ name: Acme }]\n');
    const refused = await run(org.key, 'apply', '-f', file, '--yes');
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('needs the rights of the operator'),
    });
  });

  it('a wrong key, a wrong address and a wrong option are told apart from changes', async () => {
    await writeFile(file, 'domains: []\n');
    const look = ['apply', '-f', file, '--dry-run', '--detailed-exitcode'];
    expect(await run('pr_wrong_wrong_wrong_wrong', ...look)).toMatchObject({
      code: 1,
      err: expect.stringContaining('POSTRIDER_API_KEY'),
    });
    const env = { POSTRIDER_API_KEY: org.key };
    expect((await runCommand([...look, '--url', 'http://127.0.0.1:1'], env)).err).toContain('gave no answer');
    expect((await runCommand([...look, '--url', 'mail'], env)).code).toBe(1);
    expect((await runCommand([...look, '--url', server.url, '--prun'], env)).code).toBe(1);
  });

  it('a run that is killed half way is finished by the next one', async () => {
    const aliases = ['a', 'b', 'c', 'd'];
    await writeFile(file, `templates:\n${aliases.map((alias) => template(alias, alias)).join('')}`);
    const gate = await startGate(server.url, 2);
    const child = spawn(process.execPath, [CLI, 'apply', '-f', file, '--yes', '--url', gate.url], {
      env: { ...process.env, POSTRIDER_API_KEY: org.key },
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = text(child.stderr);
    const gone = once(child, 'exit');
    // The second one was made, and nobody was told.
    expect(await Promise.race([gate.reached, said])).toBe('made');
    child.kill('SIGKILL');
    await gone;
    gate.close();
    expect(await namesOf('/templates', 'alias')).toEqual(['a', 'b']);
    expect((await run(org.key, 'apply', '-f', file, '--yes')).out).toContain('2 to create');
    expect(await namesOf('/templates', 'alias')).toEqual(aliases);
  });

  it('has every setting that the API has', async () => {
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: object };
    const paths = Object.keys(document.paths).flatMap((path) => /\/settings\/(.+)$/.exec(path)?.[1] ?? []);
    expect(SETTING_NAMES.toSorted()).toEqual([...new Set(paths)].toSorted());
    expect(paths.length).toBeGreaterThan(3);
  });
});

describe('an installation', () => {
  const run = (...argv: string[]) =>
    runCommand(argv, { DATABASE_URL: server.database.url, POSTRIDER_SECRET_KEY: TEST_SECRET_KEY });

  it('gets its organizations and what they have', async () => {
    const name = `Made by ${org.id}`;
    const text = `organizations:\n  - name: ${name}\n    daily_limit: 5\n    settings: { auto-validation: { threshold: high } }\n    domains: [{ domain: made.example }]\n`;
    await writeFile(file, text);
    const applied = await run('apply', '-f', file, '--yes');
    expect(applied).toMatchObject({ code: 0, err: '' });
    const find = async () =>
      JSON.parse((await run('org', 'list', '--json')).out).filter(
        (one: { name: string }) => one.name === name,
      );
    const [made] = await find();
    expect(made).toMatchObject({ name, daily_limit: 5 });
    expect((await run('domain', 'list', '--org', made.id)).out).toContain('made.example');
    expect((await run('apply', '-f', file, '--yes')).out).toBe('Nothing to change.');
    await writeFile(file, text.replace('daily_limit: 5', `daily_limit: 6\n    id: ${made.id}`));
    expect((await run('apply', '-f', file, '--yes')).code).toBe(0);
    expect(await find()).toMatchObject([{ daily_limit: 6 }]);
  });

  it('has what was done in its audit log, in the words of the API', async () => {
    const name = `Audited ${org.id}`;
    const text = `organizations:
  - name: ${name}
    settings: { auto-validation: { threshold: high } }
    keys: [{ name: shop, scope: full }]
    templates: [{ alias: a, name: A, subject: x }]
`;
    await writeFile(file, text);
    expect((await run('apply', '-f', file, '--yes')).code).toBe(0);
    await writeFile(
      file,
      text.replace('subject: x', 'subject: y').replace('name: Audited', 'daily_limit: 9\n    name: Audited'),
    );
    expect((await run('apply', '-f', file, '--yes')).code).toBe(0);
    await writeFile(file, text.replace(/\[.*\]/g, '[]'));
    expect((await run('apply', '-f', file, '--yes', '--prune')).code).toBe(0);
    const rows = await server.db.many(
      adHoc<{ action: string; target_name: string | null; details: object }>(
        `SELECT action, target_name, details FROM audit_log
         WHERE organization_id = (SELECT id FROM organizations WHERE name = $1) AND actor_type = 'operator' ORDER BY id`,
      ),
      [name],
    );
    expect(rows).toEqual([
      { action: 'organization.created', target_name: name, details: {} },
      { action: 'settings.auto_validation_changed', target_name: null, details: { threshold: 'high' } },
      { action: 'api_key.created', target_name: 'shop', details: { scope: 'full' } },
      { action: 'template.created', target_name: 'a', details: {} },
      { action: 'organization.limit_changed', target_name: name, details: { daily_limit: 9 } },
      { action: 'template.updated', target_name: 'a', details: {} },
      { action: 'template.deleted', target_name: 'a', details: {} },
      { action: 'api_key.revoked', target_name: 'shop', details: {} },
    ]);
  });

  it('is exported whole, and that changes nothing', async () => {
    await api('POST', '/templates', { alias: 'a', name: 'A', subject: 'x', html: '<p>' });
    expect((await run('apply', 'export', folder)).code).toBe(0);
    expect(await readFile(join(folder, 'templates', org.id, 'a.html'), 'utf8')).toBe('<p>');
    const look = ['--dry-run', '--detailed-exitcode', '--prune'];
    expect(await run('apply', '-f', file, ...look)).toMatchObject({ code: 0, err: '' });
  });

  it('that has several organizations wants to know which one a file is for', async () => {
    await writeFile(file, 'domains: []\n');
    expect(await run('apply', '-f', file, '--yes')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--org'),
    });
  });
});

/** Passes requests on, but for the answer to the `nth` one that makes something. */
async function startGate(target: string, nth: number) {
  let count = 0;
  let reach = () => {};
  const reached = new Promise<string>((resolve) => {
    reach = () => resolve('made');
  });
  const gate = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '', headers } = request;
    const answer = await fetch(target + url, {
      method,
      headers: {
        authorization: String(headers.authorization),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(method === 'POST' ? { body: Buffer.concat(chunks) } : {}),
    });
    const text = await answer.text();
    if (method === 'POST') count += 1;
    if (count === nth) return reach();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  const { port } = gate.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    reached,
    close: () => {
      gate.closeAllConnections();
      gate.close();
    },
  };
}
