/** The Python client: generated from the API as it is, and run against a real installation. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderClient } from '../../clients/python/scripts/render-client.ts';
import { operationsOf } from '../../clients/scripts/methods.ts';
import { BY_HAND, SURFACE } from '../../clients/scripts/surface.ts';
import { apiDocument } from '../../sdk/scripts/api-document.ts';
import { WebhookFixture } from '../webhooks/fixture.ts';

const FOLDER = path.resolve('clients/python');
const run = promisify(execFile);
const hasPython = spawnSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)']).status === 0;
const hasMypy = spawnSync('/usr/bin/mypy', ['--version']).status === 0;

it('is generated from the API as it is', async () => {
  for (const [name, text] of Object.entries(renderClient(await apiDocument()))) {
    const committed = readFileSync(`${FOLDER}/postrider/_generated/${name}`, 'utf8');
    expect(committed, 'stale: run `npx tsx clients/python/scripts/generate.ts`').toBe(text);
  }
});

it('has a method for everything that a key may do, and for nothing else', async () => {
  const named = Object.values(SURFACE).flatMap(({ methods }) =>
    Object.values(methods).map((plan) => (typeof plan === 'string' ? plan : plan.operation)),
  );
  const document = await apiDocument();
  const allowed = operationsOf(document)
    .filter(([, { security = document.security }]) => security?.some((one) => 'bearer' in one))
    .map(([operation]) => operation);
  expect(allowed.length).toBeGreaterThan(50);
  expect([...new Set([...named, ...BY_HAND])].toSorted()).toEqual(allowed);
});

it('lists every method in its README, and has the version of the others', () => {
  const readme = readFileSync(`${FOLDER}/README.md`, 'utf8');
  for (const [resource, { methods }] of Object.entries(SURFACE)) {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${resource}\``)) ?? '';
    for (const name of Object.keys(methods)) expect(row).toContain(`\`${name}\``);
  }
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(readFileSync(`${FOLDER}/pyproject.toml`, 'utf8')).toContain(`\nversion = "${version}"\n`);
  expect(readFileSync(`${FOLDER}/postrider/_settings.py`, 'utf8')).toContain(`\nVERSION = "${version}"\n`);
});

describe.skipIf(!hasPython)('with Python (needs python3)', () => {
  let fixture: WebhookFixture;
  let project: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    fixture = await WebhookFixture.start();
    await fixture.server.addVerifiedDomain(fixture.org.id, 'sandbox.test');
    env = {
      PATH: process.env.PATH ?? '',
      PYTHONPATH: FOLDER,
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONWARNINGS: 'error',
      POSTRIDER_URL: fixture.server.url,
      POSTRIDER_API_KEY: fixture.org.key,
    };
    project = mkdtempSync(path.join(tmpdir(), 'postrider-python-'));
    const readme = readFileSync(`${FOLDER}/README.md`, 'utf8');
    for (const [, name, code = ''] of readme.matchAll(/<!-- example: (\w+) -->\s+```python\n([\s\S]*?)```/g))
      writeFileSync(path.join(project, `example_${name}.py`), code);
  });
  afterAll(async () => {
    rmSync(project, { recursive: true, force: true });
    await fixture.stop();
  });

  const output = async (...args: string[]) => (await run('python3', args, { cwd: project, env })).stdout;
  const example = (name: string) => output(`example_${name}.py`);
  const script = (...lines: string[]) =>
    output(
      '-c',
      [
        'import os, postrider',
        'client = postrider.Postrider(api_key=os.environ["POSTRIDER_API_KEY"], base_url=os.environ["POSTRIDER_URL"])',
        'letter = {"from": {"email": "a@sandbox.test"}, "to": [{"email": "ada@example.org"}], "subject": "Grüße", "text": "Hi"}',
        ...lines,
      ].join('\n'),
    );

  it('passes the tests of its own', async () => {
    const { stderr } = await run('python3', ['-m', 'unittest', 'discover', '-t', '.', '-s', 'tests'], {
      cwd: FOLDER,
      env,
    });
    expect(stderr).toMatch(/Ran \d\d tests[\s\S]*\nOK\n$/);
  });

  it.skipIf(!hasMypy)('is typed, and its examples are typed right (needs mypy)', async () => {
    const names = readdirSync(project).filter((name) => name.endsWith('.py'));
    expect(names.length).toBeGreaterThan(5);
    const options = ['--strict', '--python-version', '3.9', '--cache-dir', path.join(project, 'types')];
    const checked = [
      `${FOLDER}/postrider`,
      `${FOLDER}/tests`,
      ...names.map((name) => path.join(project, name)),
    ];
    const { stdout } = await run('/usr/bin/mypy', [...options, ...checked], {
      cwd: FOLDER,
      env: { PATH: env.PATH ?? '' },
    });
    expect(stdout).toMatch(/^Success/);
  });

  it('sends, as its README does', async () => {
    expect(await example('send')).toMatch(/^(queued|delivered) [1-3]\n$/);
  });

  it('reads everything, page by page', async () => {
    await script(
      'for n in range(3): client.emails.send({**letter, "subject": f"Page {n}"})',
      'some = [one["subject"] for one in client.emails.all(search="Page", limit=1)]',
      'assert sorted(some) == ["Page 0", "Page 1", "Page 2"], some',
      'assert len({one["id"] for one in client.events.all(limit=2)}) >= 3',
    );
    expect(await example('all')).toMatch(/^\d{4}-\S+Z (queued|delivered) Page 0$/m);
  });

  it('follows what happens', async () => {
    expect(await example('follow')).toBe('delivered ada@example.org\n');
    const printed = await script(
      'import asyncio',
      'async def first():',
      '    async with postrider.AsyncPostrider(api_key=os.environ["POSTRIDER_API_KEY"], base_url=os.environ["POSTRIDER_URL"]) as client:',
      '        events = client.events.follow(recipient="bell@example.org")',
      '        waiting = asyncio.ensure_future(events.__anext__())',
      '        while not waiting.done():',
      '            await client.emails.send({**letter, "to": [{"email": "bell@example.org"}]})',
      '            await asyncio.wait([waiting], timeout=1)',
      '        print(waiting.result()["recipient"])',
      '        await events.aclose()',
      'asyncio.run(first())',
    );
    expect(printed).toBe('bell@example.org\n');
  });

  it('waits for an import', async () => {
    const printed = await script(
      'made = client.suppressions.import_list("email\\nzoe@example.org\\nyan@example.org\\n")',
      'states = []',
      'done = client.suppressions.wait_for_import(made["id"], on_progress=states.append, interval=0.05)',
      'print(done["status"], len(states) > 0)',
    );
    expect(printed).toBe('done True\n');
  });

  it('does the same with asyncio', async () => {
    expect(await example('asyncio')).toBe('20\nNews\n');
  });

  it('tests mail', async () => {
    expect(await example('testing')).toBe('482913 https://acme.example/sign-in?t=1\n');
  });

  it('says what arrived instead of the mail that is waited for', async () => {
    const printed = await script(
      'client.emails.send({**letter, "to": [{"email": "grace@example.org"}]})',
      'client.sandbox.wait_for(to="grace@example.org")',
      'try: client.sandbox.wait_for(to="grace@example.org", subject="code", timeout=0.5)',
      'except postrider.MailNotReceivedError as error: print(error)',
    );
    expect(printed).toMatch(
      /^No mail to grace@example.org with "code" in its subject arrived within 0.5 s\.\n/,
    );
    expect(printed).toMatch(/An email to them, "Grüße", is \w+ \(/);
  });

  it('tells what is wrong, by status and field', async () => {
    expect(await example('errors')).toMatch(/^to\[0\]\.email: .*no dot/);
    const printed = await script(
      'try: client.emails.get("msg_none")',
      'except postrider.NotFoundError as error: print(error.code, error.status, bool(error.request_id))',
      'stranger = postrider.Postrider(api_key="pr_wrong", base_url=os.environ["POSTRIDER_URL"])',
      'try: stranger.domains.list()',
      'except postrider.AuthenticationError as error: print(error.code)',
    );
    expect(printed).toBe('NOT_FOUND 404 True\nUNAUTHORIZED\n');
  });

  it('sends once for one key, and takes options', async () => {
    const printed = await script(
      'ids = {client.emails.send(letter, idempotency_key="order-1")["message_id"] for _ in range(3)}',
      'print(len(ids))',
    );
    expect(printed).toBe('1\n');
    expect(await example('options')).toMatch(/^\d+\n$/);
  });

  it('works with domains, templates, suppressions, webhooks and everything else by name', async () => {
    const printed = await script(
      'import datetime',
      'domain = client.domains.create("python.example.org")',
      'assert client.domains.get(domain["id"])["domain"] == "python.example.org"',
      'client.domains.delete(domain["id"])',
      'template = client.templates.create({"name": "Python", "subject": "Hi {{name}}", "text": "Hi {{name}}"})',
      'print(client.templates.preview(template["id"], {"data": {"name": "Ada"}})["subject"])',
      'client.suppressions.create({"email": "no@example.org", "reason": "manual"})',
      'print("no@example.org" in [one["email"] for one in client.suppressions.all()])',
      'assert "no@example.org" in client.suppressions.export()',
      'tomorrow = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)',
      'later = client.emails.send({**letter, "scheduled_at": tomorrow})["message_id"]',
      'client.emails.cancel(later)',
      'print(client.emails.get(later)["status"])',
      'print(client.emails.dry_run(letter).keys() >= {"message"})',
      'client.stats.overview(range="7d")',
      'print(sorted(client.request("GET /settings/retention")))',
    );
    expect(printed).toBe("Hi Ada\nTrue\nfailed\nTrue\n['data']\n");
  });

  it('receives webhooks, and refuses what is not from us', async () => {
    // The secret comes with the webhook and the port with the example, so the webhook moves. What is still sent to
    // its first address fails there and is sent again.
    fixture.receiver.reply = () => 500;
    const hook = await fixture.hook('/hook', { event_types: ['email.bounced'] });
    const child = spawn('python3', ['example_webhook.py'], {
      cwd: project,
      env: { ...env, WEBHOOK_SECRET: hook.secret, PORT: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const port = /^listening on (\d+)$/.exec((await lines.next()).value)?.[1];
      const url = `http://127.0.0.1:${port}/`;
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
      await fixture.call('PATCH', `/webhooks/${hook.id}`, { url });
      await fixture.send({ to: [{ email: 'bounced@simulator.test' }] });
      expect((await lines.next()).value).toBe('bounced@simulator.test bounced: unknown_recipient');
    } finally {
      child.kill();
    }
  });
});
