import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { enqueue } from '../../src/outbox/enqueue.ts';
import { register } from '../../src/outbox/lease.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { domainName } from '../support/addresses.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { admin, createTestDatabase, withDatabase } from '../support/database.ts';
import { startSubmission } from '../support/submission.ts';

let server: TestApi;
let env: Record<string, string>;
beforeAll(async () => {
  server = await startApi();
  env = { DATABASE_URL: server.database.url, POSTRIDER_PORT: new URL(server.url).port };
});
afterAll(() => server.stop());

const run = (argv: string[], withEnv: Record<string, string> = env) => runCommand(argv, withEnv);

async function json(argv: string[]) {
  const { code, out, err } = await run([...argv, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

describe('organizations', () => {
  it('are created and listed', async () => {
    const created = await json(['org', 'create', 'Büro & Söhne']);
    expect(created).toMatchObject({
      id: expect.stringMatching(/^org_/),
      name: 'Büro & Söhne',
      daily_limit: 0,
      created_at: expect.stringMatching(/Z$/),
    });
    expect(await json(['org', 'list'])).toContainEqual(created);
  });

  it('are shown to people in aligned columns', async () => {
    await json(['org', 'create', 'A rather long name']);
    const lines = (await run(['org', 'list'])).out.split('\n');
    const column = lines[0]?.indexOf('DAILY LIMIT') ?? -1;
    expect(column).toBeGreaterThan(0);
    for (const line of lines.slice(1)) expect(line.slice(column)).toMatch(/^none {9}/);
  });

  it('need a name that can be shown', async () => {
    expect(await run(['org', 'create', ' '])).toMatchObject({ code: 2, out: '' });
    expect((await run(['org', 'create', 'a\u001b[31m'])).err).toContain('U+001B');
    expect((await run(['org', 'create'])).err).toContain('Usage: npx postrider org create NAME');
    expect((await run(['org', 'create', 'two', 'words'])).code).toBe(2);
  });
});

describe('keys', () => {
  it('are made for agents, with a policy', async () => {
    const org = await json(['org', 'create', 'Agents']);
    const argv = ['key', 'create', '--org', org.id, '--name', 'Agent', '--scope', 'agent'];
    const policy = ['--recipients', 'ops@Acme.example,acme.example', '--budget', '5', '--approval'];
    expect((await json([...argv, ...policy])).policy).toEqual({
      ...{ recipients: ['ops@acme.example', 'acme.example'], templates: null, attachments: false },
      ...{ daily_budget: 5, approval: 'required', from: null, read: 'own', inbound: false },
    });
    const fixed = [
      '--templates',
      '*',
      '--from',
      'Acme <a@acme.example>,acme.example',
      '--read',
      'organization',
    ];
    expect((await json([...argv, ...fixed])).policy).toMatchObject({
      ...{ from: ['Acme <a@acme.example>', 'acme.example'], templates: ['*'], read: 'organization' },
    });
    expect((await run([...argv, '--templates', '*'])).err).toContain('--from is required with templates');
    expect((await run([...argv, '--read', 'all'])).err).toContain('--read must be own or organization');
    expect((await run([...argv, '--recipients', 'no@'])).err).toContain('--recipients is no address');
    expect((await run([...argv, '--budget', 'many'])).err).toContain('--budget must be a number');
    const full = ['key', 'create', '--org', org.id, '--name', 'x', '--scope', 'full', '--approval'];
    expect((await run(full)).err).toContain('is for keys of scope send or agent');
  });

  it('are created, and work', async () => {
    const org = await json(['org', 'create', 'Keys']);
    const argv = ['key', 'create', '--org', org.id, '--name', 'CI', '--scope', 'send'];
    const early = await run([...argv, '--domain', 'Mail.Example']);
    expect(early).toMatchObject({ code: 1, out: '' });
    expect(early.err).toContain('--domain: mail.example is not a domain of this organization');
    await server.addVerifiedDomain(org.id, 'mail.example');
    const created = await json([...argv, '--domain', 'Mail.Example', '--expires', '2099-12-31']);
    expect(created).toMatchObject({
      id: expect.stringMatching(/^key_/),
      organization_id: org.id,
      scope: 'send',
      domain: 'mail.example',
      expires_at: '2099-12-31T23:59:59.999Z',
    });
    // 403, not 401: known, but its scope does not go that far.
    expect((await server.api('GET', '/api-keys', undefined, created.key)).status).toBe(403);
  });

  it('are shown once to people, on a line of their own', async () => {
    const org = await json(['org', 'create', 'Once']);
    const { out } = await run(['key', 'create', '--org', org.id, '--name', 'k', '--scope', 'full']);
    const key = /^ {2}(pr_[A-Za-z0-9_-]{43})$/m.exec(out)?.[1] ?? '';
    expect((await server.api('GET', '/api-keys', undefined, key)).status).toBe(200);
    expect((await run(['key', 'list'])).out).not.toContain(key);
  });

  it('are listed, of all organizations or of one', async () => {
    const org = await json(['org', 'create', 'Listed']);
    const key = await json(['key', 'create', '--org', org.id, '--name', 'only', '--scope', 'full']);
    const own = await json(['key', 'list', '--org', org.id]);
    expect(own.map((one: { id: string }) => one.id)).toEqual([key.id]);
    expect((await json(['key', 'list'])).length).toBeGreaterThan(1);
    expect((await run(['key', 'list', '--org', org.id])).out).toMatch(/only .* active$/m);
  });

  it('are revoked by id', async () => {
    const { id: organizationId } = await json(['org', 'create', 'Revoked']);
    const argv = ['key', 'create', '--org', organizationId, '--name', 'gone', '--scope', 'full'];
    const { id, key } = await json(argv);
    expect((await run(['key', 'revoke', id])).out).toContain(id);
    expect((await server.api('GET', '/api-keys', undefined, key)).status).toBe(401);
    expect((await run(['key', 'list', '--org', organizationId])).out).toMatch(/gone .* revoked$/m);
  });

  it('of an unknown id or organization are an error that says where to look', async () => {
    const unknown = await run(['key', 'revoke', 'key_nope']);
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.err).toContain('npx postrider key list');
    const argv = ['key', 'create', '--org', 'org_nope', '--name', 'k', '--scope', 'full'];
    expect((await run(argv)).err).toContain('npx postrider org list');
    expect((await run(['key', 'list', '--org', 'org_nope'])).code).toBe(1);
  });

  it('report every wrong option together', async () => {
    const argv = ['key', 'create', '--org', 'o', '--name', ' ', '--scope', 'all', '--domain', 'x'];
    const { code, err } = await run([...argv, '--expires', '2001-01-01']);
    expect(code).toBe(2);
    for (const option of ['--name', '--scope', '--domain', '--expires']) expect(err).toContain(option);
    const missing = await run(['key', 'create', '--name', 'k']);
    expect(missing.err).toMatch(/Missing: --org, --scope\./);
  });
});

describe('status', () => {
  it('counts the queue and shows the workers', async () => {
    const org = await json(['org', 'create', 'Queue']);
    const epoch = await register(server.db, { host: 'here', machine: 'here', pid: 4242 });
    const now = Date.now();
    const at = (dueAtMs: number) => ({
      organizationId: org.id,
      emailId: uuidv7(now),
      position: 0,
      mode: 'live' as const,
      domain: domainName('x.test'),
      priority: 1,
      size: 100,
      dueAtMs,
      expiresAtMs: now + 1e9,
    });
    await enqueue(server.db, [at(now - 60_000), at(now - 1_000), at(now + 1e8), at(now - 5_000)]);
    await server.db.exec(
      adHoc(`UPDATE outbox SET worker = $1 WHERE email_id = (SELECT max(email_id::text)::uuid FROM outbox)`),
      [epoch],
    );
    const status = await json(['status']);
    expect(status).toMatchObject({
      mode: 'sandbox',
      api: { url: server.url, reachable: true, ready: true },
      database: { kind: 'DATABASE_URL', reachable: true },
      schema: { current: true },
      queue: { waiting: 1, due: 2, claimed: 1 },
      workers: [{ epoch, host: 'here', pid: 4242, alive: true }],
    });
    expect(status.queue.oldest_due_seconds).toBeGreaterThanOrEqual(60);
    const { out } = await run(['status']);
    expect(out).toMatch(/^Queue +1 waiting, 2 due, 1 claimed, oldest due for \d+/m);
    expect(out).toMatch(/worker \d+ on here, pid 4242/);
  });

  it('says whether mail is taken over SMTP', async () => {
    const { out: without } = await run(['status']);
    expect(without).toMatch(/^Submission +none running: no mail is taken over SMTP$/m);
    const submission = await startSubmission(server.database);
    expect(await json(['status'])).toMatchObject({ inbound: { running: 0 }, submission: { running: 1 } });
    expect((await run(['status'])).out).toMatch(/^Submission +1 running$/m);
    await submission.stop();
    const { out: off } = await run(['status'], { ...env, POSTRIDER_SUBMISSION: 'false' });
    expect(off).toMatch(/^Inbound +none running: bounces and complaints do not arrive$/m);
    expect(off).not.toMatch(/^Submission/m);
  });

  it('ends with 1 when the API is not there, and says so', async () => {
    const { code, out } = await run(['status'], { ...env, POSTRIDER_PORT: '1' });
    expect(code).toBe(1);
    expect(out).toMatch(/^API +not reachable at http:\/\/127\.0\.0\.1:1$/m);
  });

  it('never shows the password of the database', async () => {
    const { out } = await run(['status', '--json']);
    const { password } = new URL(server.database.url);
    expect(password).not.toBe('');
    expect(out).not.toContain(password);
  });
});

describe('an installation that is not there', () => {
  it('is named as not running before its first start and after it was stopped', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'postrider-cli-'));
    try {
      const here = { POSTRIDER_DATA_DIR: dataDir, POSTRIDER_PORT: '1' };
      const expected = {
        code: 1,
        out: '',
        err: 'Postrider is not running here; start it with `npx postrider start`.',
      };
      expect(await run(['org', 'list'], here)).toEqual(expected);
      const stopped = { cluster: join(dataDir, 'postgres'), password: 'x', port: 1 };
      await writeFile(join(dataDir, 'postgres.json'), JSON.stringify(stopped));
      for (const argv of [['org', 'list'], ['status'], ['migrate']]) {
        expect(await run(argv, here)).toEqual(expected);
      }
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });

  it('is found through the data folder when it runs', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'postrider-cli-'));
    const { port, password } = new URL(server.database.url);
    try {
      await writeFile(
        join(dataDir, 'postgres.json'),
        JSON.stringify({ cluster: dataDir, password, port: Number(port) }),
      );
      // The server is there, the database `postrider` in it is empty: found, and told what to do.
      const { code, err } = await run(['org', 'list'], { POSTRIDER_DATA_DIR: dataDir });
      expect(code).toBe(1);
      expect(err).toContain('npx postrider migrate');
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });

  it('with DATABASE_URL is told apart, without its password', async () => {
    const { code, err } = await run(['org', 'list'], { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' });
    expect(code).toBe(1);
    expect(err).toContain('DATABASE_URL');
    expect(err).toContain('ECONNREFUSED');
    expect(err).not.toContain('hunter2');
  });
});

describe('migrate', () => {
  it('brings an empty database up to date, says how far it is, and when there is nothing to do', async () => {
    const url = withDatabase(server.database.url, 'cli_migrate');
    await admin(server.database.url, 'CREATE DATABASE cli_migrate');
    try {
      const empty = { DATABASE_URL: url };
      expect((await run(['org', 'list'], empty)).err).toContain('npx postrider migrate');
      const shown: string[] = [];
      const live = { show: (text: string) => void shown.push(text), clear: () => void shown.push('') };
      expect((await runCommand(['migrate'], empty, live)).out).toContain('Applied 0001_organizations');
      expect(shown[0]).toMatch(/^Applying 0001_organizations, 1 of \d+ \(0 %\)$/);
      expect(shown.at(-1)).toBe('');
      expect((await run(['migrate'], empty)).out).toBe('The schema is up to date.');
      expect((await run(['org', 'list'], empty)).code).toBe(0);
    } finally {
      await admin(server.database.url, 'DROP DATABASE cli_migrate WITH (FORCE)');
    }
  });

  it('refuses a database that is newer than the code', async () => {
    const database = await createTestDatabase();
    try {
      await database.db.exec(adHoc(`INSERT INTO schema_migrations (version, name) VALUES (9999, 'later')`));
      for (const argv of [['org', 'list'], ['migrate']]) {
        const { code, err } = await run(argv, { DATABASE_URL: database.url });
        expect(code).toBe(1);
        expect(err).toMatch(/^The database is at schema 9999, newer .* Update Postrider/);
      }
    } finally {
      await database.drop();
    }
  });
});

describe('the command line', () => {
  it('shows its commands, also with a broken environment', async () => {
    for (const argv of [[], ['help'], ['--help']]) {
      const { code, out } = await run(argv, { POSTRIDER_PORT: 'broken' });
      expect(code).toBe(0);
      expect(out).toContain('key create --org ID --name NAME --scope full|read|agent|send');
    }
    expect((await run(['key', 'create', '--help'])).out).toMatch(/^Usage: npx postrider key create /);
  });

  it('tells its version', async () => {
    for (const option of ['--version', '-V'])
      expect(await run([option])).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^\d+\.\d+\.\d+$/m),
      });
  });

  it('explains a command in any environment', async () => {
    const { code, out } = await run(['help', 'key', 'create'], { POSTRIDER_PORT: 'broken' });
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}--domain DOMAIN +the only domain that the key may send from$/m);
    expect(out).toMatch(/^Example:\n {2}npx postrider key create /m);
    expect((await run(['key', 'create', '--help'])).out).toBe(out);
  });

  it('names the command or the option that was probably meant', async () => {
    expect((await run(['statsu'])).err).toContain('Did you mean `status`?');
    expect((await run(['domian', 'list'])).err).toContain('Did you mean `domain list`?');
    expect((await run(['queue', 'paus', 'mx.test'])).err).toContain('Did you mean `queue pause`?');
    expect((await run(['key', 'list', '--ogr', 'x'])).err).toContain(
      'There is no option --ogr. Did you mean --org?',
    );
  });

  it('refuses --json where a command has no answer for programs', async () => {
    const { code, err } = await run(['start', '--json']);
    expect(code).toBe(2);
    expect(err).toMatch(/^There is no option --json\./);
  });

  it('names the problem with the environment when a command needs it', async () => {
    const { code, err } = await run(['status'], { POSTRIDER_PORT: 'broken' });
    expect(code).toBe(1);
    expect(err).toContain('POSTRIDER_PORT');
  });

  it('refuses unknown commands and options on stderr, with exit code 2', async () => {
    expect((await run(['key', 'make'])).err).toContain('`key create` or `key list` or `key revoke`');
    expect(await run(['nonsense'])).toMatchObject({ code: 2, out: '' });
    expect(await run(['org', 'list', '--all'])).toMatchObject({ code: 2, out: '' });
  });

  it('becomes the supervisor, or one role alone', async () => {
    expect(await run(['start'])).toEqual({ code: 0, out: 'becomes start', err: '' });
    expect(await run(['start', 'worker'])).toEqual({ code: 0, out: 'becomes worker', err: '' });
    const wrong = await run(['start', 'mailer']);
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.err).toContain('api, worker, smtp, inbound, submission');
    expect((await run(['start'], { POSTRIDER_PORT: 'broken' })).err).toContain('POSTRIDER_PORT');
  });

  it('is a program', async () => {
    const argv = ['dist/processes/cli.js', 'org', 'list', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, argv, { env: { ...process.env, ...env } });
    expect(Array.isArray(JSON.parse(stdout))).toBe(true);
    const wrong = promisify(execFile)(process.execPath, [...argv, '--wrong'], { env: process.env });
    await expect(wrong).rejects.toMatchObject({ code: 2, stdout: '' });
  });
});
