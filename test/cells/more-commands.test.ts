/** Commands on an installation of two cells that commands.test.ts does not try, for an organization that is in the second; some need its API. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/run.ts';
import { adHoc } from '../../src/database/sql.ts';
import { type OpenCells, openCells } from '../../src/processes/cells.ts';
import { reviewCanaries } from '../../src/routing/canary/control.ts';
import { addCanaryCounts } from '../../src/routing/canary/counts.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { createLog } from '../../src/runtime/log.ts';
import { type Person, signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { TEST_OPERATOR } from '../support/command-line.ts';
import type { TestDatabase } from '../support/database.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { seedMail } from '../support/seed-mail.ts';
import { createTwoCells, type Parsed, type TwoCells } from '../support/two-cells.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const SITE = 'mx.y.test';

let dataDir: string;
let cells: TwoCells;
let opened: OpenCells;
let api: TestApi;
let owner: Person;
let worker: TestWorker;
let hook: WebhookReceiver;
let first: string;
let there: string;
let key: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-cells-'));
  [cells, hook] = await Promise.all([createTwoCells(dataDir), startWebhookReceiver()]);
  first = (await json('org', 'create', 'First')).id;
  there = (await json('org', 'create', 'There', '--cell', 'two')).id;
  await json('domain', 'add', 'there.test', '--org', there);
  await json('domain', 'verify', 'there.test', '--org', there);
  key = (await json('key', 'create', '--org', there, '--name', 'k', '--scope', 'full')).key;
  const log = createLog('test', 'silent');
  opened = openCells(parseConfig(cells.env), cells.main.url, { log, applicationName: 'test' });
  await opened.directory?.start();
  api = await startApi({ database: { ...cells.main, db: opened.db } as TestDatabase });
  owner = await signUpOwner(api);
  const two = opened.db.cells.find(({ name }) => name === 'two');
  if (two !== undefined)
    worker = await startMailWorker({ db: two.db, url: cells.two.url, drop: async () => {} });
}, 240_000);
afterAll(async () => {
  await worker?.stop();
  await api?.stop();
  await opened?.close();
  await hook?.close();
  await cells?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const json = (...argv: string[]): Promise<Parsed> => cells.json(argv);
const counted = async (of: TestDatabase, text: string) =>
  (await of.db.one(adHoc<{ count: number }>(text))).count;

/** Runs until `enough`; resolves when it has said something like that. */
async function following(argv: string[], pattern: RegExp) {
  const enough = new AbortController();
  const said: string[] = [];
  const ended = runCli(argv, {
    loadConfig: () => parseConfig(cells.env),
    clock: systemClock,
    out: (text) => said.push(text),
    err: (text) => said.push(text),
    operator: TEST_OPERATOR,
    become: async () => {},
    enough: enough.signal,
    onKey: () => () => {},
  });
  await until(
    async () => said.join('\n'),
    (text) => pattern.test(text),
  );
  const stop = async () => {
    enough.abort();
    return ended;
  };
  return { said, stop };
}

const send = async (): Promise<string> => {
  const body = {
    ...{ from: { email: 'a@there.test' }, to: [{ email: 'someone@example.org' }] },
    ...{ subject: 'Hello', text: 'Hello' },
  };
  const { status, body: answer } = await api.api('POST', '/emails/send', body, key);
  expect(status, JSON.stringify(answer)).toBe(201);
  return answer.data.message_id;
};

async function delivered(): Promise<string> {
  const id = await send();
  await until(
    async () => (await api.api('GET', `/emails/${id}`, undefined, key)).body.data?.status,
    (status) => status === 'delivered',
  );
  return id;
}

describe('what happens in the second cell', () => {
  it('is forwarded by `listen`', async () => {
    const to = ['--forward-to', hook.url, '--url', api.url, '--key', key];
    const { said, stop } = await following(['listen', ...to], /^Following/m);
    await delivered();
    await until(
      async () => hook.received.map(({ body }) => body.type),
      (types) => types.includes('email.delivered'),
    );
    await stop();
    expect(said.join('\n')).toContain('email.delivered');
  });

  it('is followed by `events --follow`', async () => {
    const { said, stop } = await following(
      ['events', '--org', there, '--follow', '--last', '1'],
      /delivered/,
    );
    const id = await delivered();
    await until(
      async () => said.join('\n'),
      (text) => text.includes(id),
    );
    expect(await stop()).toBe(0);
  });

  it('is looked up and sent by agents over `mcp`', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const env = { PATH: process.env.PATH ?? '', POSTRIDER_API_KEY: key };
    const args = ['--import', 'tsx', 'src/processes/cli.ts', 'mcp', '--url', api.url];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    const given = {
      ...{ from: { email: 'a@there.test' }, to: [{ email: 'agent@example.org' }] },
      ...{ subject: 'From an agent', text: 'Hi' },
    };
    const before = await counted(cells.two, 'SELECT count(*) FROM emails');
    const { isError } = await client.callTool({ name: 'send_email', arguments: given });
    await client.close();
    expect(isError ?? false).toBe(false);
    expect(await counted(cells.two, 'SELECT count(*) FROM emails')).toBe(before + 1);
    expect(await counted(cells.main, 'SELECT count(*) FROM emails')).toBe(0);
  });

  it('is proved, and `verify-proof` believes it', async () => {
    const id = await delivered();
    const { status, body } = await api.api('GET', `/emails/${id}/proof`, undefined, key);
    expect(status).toBe(200);
    const file = join(dataDir, 'proof.json');
    await writeFile(file, JSON.stringify(body.data ?? body));
    const checked = await cells.run(['verify-proof', file]);
    expect(checked, checked.err).toMatchObject({ code: 0 });
  });
});

describe('files of an organization in the second cell', () => {
  it('are pushed as templates, and pulled', async () => {
    const [from, to] = [join(dataDir, 'from'), join(dataDir, 'to')];
    await mkdir(from);
    await writeFile(
      join(from, 'hello.html'),
      '---\nsubject: Hello {{ name }}\n---\n<p>Hello {{ name }}</p>\n',
    );
    const pushed = await cells.run(['templates', 'push', from, '--org', there]);
    expect(pushed, pushed.err + pushed.out).toMatchObject({ code: 0 });
    const pulled = await cells.run(['templates', 'pull', to, '--org', there]);
    expect(pulled, pulled.err + pulled.out).toMatchObject({ code: 0 });
    expect((await readdir(to)).some((name) => name.startsWith('hello'))).toBe(true);
    const text = 'SELECT count(*) FROM templates';
    expect([await counted(cells.main, text), await counted(cells.two, text)]).toEqual([0, 1]);
  });

  it('are exported and applied to it again, without a change', async () => {
    const folder = join(dataDir, 'exported');
    const exported = await cells.run(['apply', 'export', folder, '--org', there]);
    expect(exported, exported.err).toMatchObject({ code: 0 });
    expect(await readFile(join(folder, 'postrider.yaml'), 'utf8')).toContain('there.test');
    const again = ['apply', '-f', join(folder, 'postrider.yaml'), '--org', there, '--dry-run'];
    const applied = await cells.run([...again, '--detailed-exitcode']);
    expect(applied, applied.err + applied.out).toMatchObject({ code: 0 });
  });
});

describe('the queue', () => {
  beforeAll(async () => {
    await worker.stop();
    const learned = `INSERT INTO site_domains (domain, site, provider) VALUES ('y.test', '${SITE}', 'other')`;
    await cells.two.db.exec(adHoc(learned));
    const later = { domain: 'y.test', from: 'a@there.test', count: 3, attempt: 1, dueInMs: 3_600_000 };
    await seedMail(cells.two.db, { organizationId: there, ...later });
  });

  it('is paused, tried and resumed for a site that only the second cell knows', async () => {
    expect(await json('queue', 'pause', SITE)).toEqual({ site: SITE, paused: true, waiting: 3 });
    const states = async () =>
      (await json('queue')).filter((one: Parsed) => one.site === SITE).map((one: Parsed) => one.state);
    expect(await states()).toEqual(['paused']);
    expect(await json('queue', 'try-now', SITE)).toEqual({ site: SITE, paused: true, tried: true });
    expect(await json('queue', 'resume', SITE)).toEqual({ site: SITE, resumed: true });
    expect(await states()).toEqual(['open']);
    expect((await cells.run(['queue', 'pause', 'mx.nobody.test'])).code).toBe(1);
  });

  it('is flushed for a site, and for an organization, wherever they are', async () => {
    expect(await json('queue', 'flush', SITE)).toEqual({ flushed: 3 });
    await cells.two.db.exec(adHoc(`UPDATE outbox SET due_at = now() + interval '1 hour'`));
    expect(await json('queue', 'flush', '--org', first)).toEqual({ flushed: 0 });
    expect(await json('queue', 'flush', '--org', there)).toEqual({ flushed: 3 });
  });

  it('is held by domain, and what is held is discarded', async () => {
    const { id } = await json('hold', 'domain', 'there.test', '--org', there, '--reason', 'Wrong');
    expect(await counted(cells.two, 'SELECT count(*) FROM holds')).toBe(1);
    const unsure = await cells.run(['discard', id, '--reason', 'Wrong']);
    expect(unsure.err).toContain('Add --yes to confirm');
    const done = await cells.run(['discard', id, '--reason', 'Wrong', '--yes']);
    expect(done, done.err).toMatchObject({ code: 0 });
    const failed = `SELECT count(*) FROM emails WHERE status = 'failed'`;
    expect(await counted(cells.two, failed)).toBe(3);
  });
});

describe('an incident in the second cell', () => {
  it('is shown and taken back', async () => {
    const window = ['--from', '2026-01-01T00:00Z', '--to', '2026-01-01T01:00Z', '--org', there];
    expect((await cells.run(['incident', ...window])).out).toBe('Nothing bounced.');
    const undone = await cells.run(['undo', ...window, '--reason', 'A test', '--yes']);
    expect(undone.err).not.toContain('cell');
  });
});

describe('what is the installation’s', () => {
  it('tells the first organization of canaries', async () => {
    const put = {
      transports: [{ name: 'pool', kind: 'direct', sources: [{ address: '192.0.2.7' }] }],
      rules: [{ steps: [{ choices: [{ transport: 'default' }] }], canary: { name: 'new', to: 'pool' } }],
    };
    const { key: own } = await json('key', 'create', '--org', first, '--name', 'k', '--scope', 'full');
    const wanted = { url: hook.url, event_types: ['canary.stepped'] };
    expect((await api.api('POST', '/webhooks', wanted, own)).status).toBe(201);
    const got = await owner.api('GET', '/routes');
    expect(got.status, JSON.stringify(got.body)).toBe(200);
    const { version } = got.body.data;
    expect((await owner.api('PUT', '/routes', { version, ...put })).status).toBe(200);
    await addCanaryCounts(opened.db, [
      { canary: 'new', provider: 'google', way: 'old', sent: 200, deferred: 3, bounced: 0, complained: 0 },
    ]);
    const deps = { db: opened.db, clock: systemClock, log: createLog('test', 'silent') };
    await reviewCanaries(deps, new AbortController().signal);
    for (const argv of [
      ['pause', 'new'],
      ['resume', 'new'],
      ['show', 'new'],
      ['back', 'new'],
      ['finish', 'new'],
    ]) {
      const ran = await cells.run(['canary', ...argv]);
      expect(ran, ran.err).toMatchObject({ code: 0 });
    }
    const deliveryCount = `SELECT count(*) FROM webhook_deliveries WHERE organization_id = '${first}'`;
    expect(await counted(cells.main, deliveryCount)).toBeGreaterThan(3);
  });

  it('is set up, shown and changed as with one database', async () => {
    expect((await cells.run(['dkim'])).err).not.toContain('cell');
    expect((await cells.run(['setup-link'])).err).toContain('user');
    expect((await json('user', 'list')).map((one: Parsed) => one.email)).toEqual(['owner@example.org']);
    const link = await cells.run(['user', 'link', 'owner@example.org']);
    expect(link).toMatchObject({ code: 0 });
    expect((await cells.run(['user', 'totp-off', 'owner@example.org'])).err).not.toContain('cell');
  });
});

describe('the end of what an organization has', () => {
  it('is in its cell', async () => {
    await json('domain', 'remove', 'there.test', '--org', there);
    expect(await counted(cells.two, `SELECT count(*) FROM domains`)).toBe(0);
    const [{ id }] = await json('key', 'list', '--org', there);
    expect((await cells.run(['key', 'revoke', id])).code).toBe(0);
  });
});
