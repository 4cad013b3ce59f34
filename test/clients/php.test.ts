/** The PHP client: generated from the API as it is, and run against a real installation. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camel, renderClient } from '../../clients/php/scripts/render-client.ts';
import { namesIn } from '../../clients/php/scripts/render-types.ts';
import { SURFACE } from '../../clients/scripts/surface.ts';
import { apiDocument } from '../../sdk/scripts/api-document.ts';
import { WebhookFixture } from '../webhooks/fixture.ts';
import { ScriptedServer } from './scripted-server.ts';

const FOLDER = path.resolve('clients/php');
const run = promisify(execFile);
const hasPhp =
  spawnSync('php', ['-r', 'exit(PHP_VERSION_ID >= 80100 && extension_loaded("curl") ? 0 : 1);']).status === 0;
const hasPhpUnit = hasPhp && spawnSync('phpunit', ['--version']).status === 0;
const hasComposer = hasPhp && spawnSync('composer', ['--version']).status === 0;

it('is generated from the API as it is', async () => {
  const files = renderClient(await apiDocument());
  expect(readdirSync(`${FOLDER}/src/Generated`).toSorted()).toEqual(Object.keys(files).toSorted());
  for (const [name, text] of Object.entries(files)) {
    const committed = readFileSync(`${FOLDER}/src/Generated/${name}`, 'utf8');
    expect(committed, 'stale: run `npx tsx clients/php/scripts/generate.ts`').toBe(text);
  }
});

it('has a shape for every name that a shape or a method uses', async () => {
  const files = renderClient(await apiDocument());
  const shapes = [...(files['Shapes.php'] ?? '').matchAll(/@phpstan-type (\w+) (.*)\n/g)];
  const known = new Set(shapes.map(([, name]) => name));
  expect(known.size).toBeGreaterThan(100);
  const imported = Object.values(files).flatMap((text) =>
    [...text.matchAll(/@phpstan-import-type (\w+) from Shapes/g)].map(([, name = '']) => name),
  );
  const used = [...imported, ...shapes.flatMap(([, , shape = '']) => namesIn(shape))];
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

it('lists every method in its README, and has the version of the others', () => {
  const readme = readFileSync(`${FOLDER}/README.md`, 'utf8');
  for (const [resource, { methods }] of Object.entries(SURFACE)) {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${camel(resource)}\``)) ?? '';
    for (const name of Object.keys(methods)) expect(row).toContain(`\`${camel(name)}\``);
  }
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(JSON.parse(readFileSync(`${FOLDER}/composer.json`, 'utf8')).version).toBe(version);
  expect(readFileSync(`${FOLDER}/src/Postrider.php`, 'utf8')).toContain(`VERSION = '${version}'`);
});

describe.skipIf(!hasPhp)('with PHP (needs php and its curl extension)', () => {
  let fixture: WebhookFixture;
  let project: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    fixture = await WebhookFixture.start();
    await fixture.server.addVerifiedDomain(fixture.org.id, 'sandbox.test');
    env = {
      PATH: process.env.PATH ?? '',
      HOME: tmpdir(),
      POSTRIDER_URL: fixture.server.url,
      POSTRIDER_API_KEY: fixture.org.key,
    };
    project = mkdtempSync(path.join(tmpdir(), 'postrider-php-'));
    mkdirSync(path.join(project, 'vendor'));
    writeFileSync(
      path.join(project, 'vendor/autoload.php'),
      `<?php require '${FOLDER}/tests/bootstrap.php';`,
    );
    const readme = readFileSync(`${FOLDER}/README.md`, 'utf8');
    for (const [, name, code = ''] of readme.matchAll(/<!-- example: (\w+) -->\s+```php\n([\s\S]*?)```/g))
      writeFileSync(path.join(project, `${name}.php`), code);
  });
  afterAll(async () => {
    rmSync(project, { recursive: true, force: true });
    await fixture.stop();
  });

  // What PHP only warns of is a failure here.
  const STRICT = ['-d', 'error_reporting=-1', '-d', 'display_errors=stderr', '-d', 'zend.assertions=1'];
  const output = async (args: readonly string[], environment = env) => {
    const { stdout, stderr } = await run('php', [...STRICT, ...args], { cwd: project, env: environment });
    expect(stderr).toBe('');
    return stdout;
  };
  const example = (name: string) => output([`${name}.php`]);
  const script = (...lines: string[]) => scriptAgainst(fixture.server.url, ...lines);
  const scriptAgainst = (url: string, ...lines: string[]) =>
    output(
      [
        '-r',
        [
          'require "vendor/autoload.php";',
          'use Postrider\\Postrider; use Postrider\\Exception\\{MailNotReceivedException, NotFoundException, AuthenticationException, PostriderException, TimedOutException};',
          '$client = new Postrider(getenv("POSTRIDER_API_KEY"), getenv("POSTRIDER_URL"));',
          '$letter = ["from" => ["email" => "a@sandbox.test"], "to" => [["email" => "ada@example.org"]], "subject" => "Grüße", "text" => "Hi"];',
          ...lines,
        ].join('\n'),
      ],
      { ...env, POSTRIDER_URL: url },
    );

  it.skipIf(!hasPhpUnit)('passes the tests of its own (needs phpunit)', async () => {
    const { stdout } = await run('phpunit', ['--do-not-cache-result'], { cwd: FOLDER, env });
    expect(stdout).toMatch(/\nOK \(\d\d tests/);
  });

  it('can be loaded class by class', async () => {
    const files = readdirSync(`${FOLDER}/src`, { recursive: true, encoding: 'utf8' });
    const classes = files
      .filter((name) => name.endsWith('.php'))
      .map((name) => `Postrider\\${name.slice(0, -4).replaceAll('/', '\\')}`);
    const printed = await script(
      `foreach (json_decode('${JSON.stringify(classes).replaceAll('\\', '\\\\')}') as $one) if (!class_exists($one) && !interface_exists($one)) echo "$one\\n";`,
    );
    expect(classes.length).toBeGreaterThan(40);
    expect(printed).toBe('');
  });

  it.skipIf(!hasComposer)('is installed by Composer, without anything else (needs composer)', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'postrider-composer-'));
    try {
      const repositories = [{ type: 'path', url: FOLDER, options: { symlink: false } }, { packagist: false }];
      const manifest = { repositories, require: { 'postrider/postrider': '*' } };
      writeFileSync(path.join(folder, 'composer.json'), JSON.stringify(manifest));
      await run('composer', ['install', '--no-interaction', '--no-plugins'], {
        cwd: folder,
        env: { ...env, COMPOSER_HOME: folder, COMPOSER_ALLOW_SUPERUSER: '1' },
      });
      expect(readdirSync(path.join(folder, 'vendor')).toSorted()).toEqual([
        'autoload.php',
        'composer',
        'postrider',
      ]);
      writeFileSync(path.join(folder, 'send.php'), readFileSync(path.join(project, 'send.php')));
      const { stdout } = await run('php', ['send.php'], { cwd: folder, env });
      expect(stdout).toMatch(/^(queued|delivered) [1-3]\n$/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('sends, as its README does', async () => {
    expect(await example('send')).toMatch(/^(queued|delivered) [1-3]\n$/);
  });

  it('reads everything, page by page', async () => {
    const printed = await script(
      'for ($n = 0; $n < 3; $n++) $client->emails->send(["subject" => "Page $n"] + $letter);',
      '$some = array_column(iterator_to_array($client->emails->all(["search" => "Page", "limit" => 1]), false), "subject");',
      'sort($some); echo implode(", ", $some), "\\n";',
      'echo count(array_unique(array_column(iterator_to_array($client->events->all(["limit" => 2]), false), "id"))) >= 3 ? "yes" : "no";',
    );
    expect(printed).toBe('Page 0, Page 1, Page 2\nyes');
    expect(await example('all')).toMatch(/^\d{4}-\S+Z (queued|delivered) Page 0$/m);
  });

  it('follows what happens', async () => {
    expect(await example('follow')).toBe('delivered ada@example.org\n');
  });

  it('goes on where a stream broke, and gives each event once', async () => {
    const event = (id: string) =>
      `id: ${id}\ndata: {"id":"${id}","type":"delivered","recipient":"a@b.example"}\n\n`;
    const server = await ScriptedServer.start([
      { json: { data: [{ id: 'a' }], pagination: { next_cursor: null } } },
      { stream: event('a') + event('b') },
      'hang up',
      { stream: event('b') + event('c') },
    ]);
    try {
      const printed = await scriptAgainst(
        server.url,
        'foreach ($client->events->follow() as $n => $event) { echo $event["id"]; if ($event["id"] === "c") break; }',
      );
      expect(printed).toBe('bc');
      expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual([
        undefined,
        'a',
        'b',
        'b',
      ]);
    } finally {
      await server.stop();
    }
  });

  it('repeats a send whose answer was lost with the same key, over as few connections as can be', async () => {
    const server = await ScriptedServer.start([
      'hang up',
      { status: 503 },
      { json: { data: {} } },
      { json: { data: {} } },
    ]);
    try {
      await scriptAgainst(server.url, '$client->emails->send($letter); $client->emails->send($letter);');
      const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
      expect([keys.length, new Set(keys.slice(0, 3)).size, new Set(keys).size]).toEqual([4, 1, 2]);
      expect(server.connections).toBe(2);
    } finally {
      await server.stop();
    }
  });

  it('sends once what has no key, and gives up in time', async () => {
    const server = await ScriptedServer.start(['hang up', 'silence']);
    try {
      const printed = await scriptAgainst(
        server.url,
        'try { $client->apiKeys->create(["name" => "x"]); } catch (PostriderException $error) { echo "$error->errorCode $error->attempts\\n"; }',
        'try { $client->emails->send($letter, ["timeout" => 0.3, "max_retries" => 0]); } catch (TimedOutException $error) { echo $error->getMessage(); }',
      );
      expect(printed).toBe('CONNECTION_FAILED 1\nNo answer within 0.3 s.');
      expect(server.requests).toHaveLength(2);
    } finally {
      await server.stop();
    }
  });

  it('tests mail', async () => {
    expect(await example('testing')).toBe('482913 https://acme.example/sign-in?t=1\n');
  });

  it('says what arrived instead of the mail that is waited for', async () => {
    const printed = await script(
      '$client->emails->send(["to" => [["email" => "grace@example.org"]]] + $letter);',
      '$client->sandbox->waitFor(to: "grace@example.org");',
      'try { $client->sandbox->waitFor(to: "grace@example.org", subject: "code", timeout: 0.5); }',
      'catch (MailNotReceivedException $error) { echo $error->getMessage(); }',
    );
    expect(printed).toMatch(
      /^No mail to grace@example.org with "code" in its subject arrived within 0.5 s\.\n/,
    );
    expect(printed).toMatch(/An email to them, "Grüße", is \w+ \(/);
  });

  it('tells what is wrong, by status and field', async () => {
    expect(await example('errors')).toMatch(/^to\[0\]\.email: .*no dot/);
    const printed = await script(
      'try { $client->emails->get("msg_none"); } catch (NotFoundException $error) { echo "$error->errorCode $error->status ", $error->requestId !== null ? "known" : "", "\\n"; }',
      '$stranger = new Postrider("pr_wrong", getenv("POSTRIDER_URL"));',
      'try { $stranger->domains->list(); } catch (AuthenticationException $error) { echo $error->errorCode; }',
    );
    expect(printed).toBe('NOT_FOUND 404 known\nUNAUTHORIZED');
  });

  it('sends once for one key, and takes options', async () => {
    const printed = await script(
      'for ($n = 0; $n < 3; $n++) $ids[] = $client->emails->send($letter, ["idempotency_key" => "order-1"])["message_id"];',
      'echo count(array_unique($ids)), "\\n";',
      'try { $client->emails->send($letter, ["idempotencyKey" => "x"]); } catch (InvalidArgumentException $error) { echo $error->getMessage(); }',
    );
    expect(printed).toBe('1\nThere is no option `idempotencyKey`: timeout, max_retries, idempotency_key.');
    expect(await example('options')).toMatch(/^\d+\n$/);
  });

  it('works with domains, templates, suppressions, schedules and everything else by name', async () => {
    const printed = await script(
      '$domain = $client->domains->create("php.example.org");',
      'echo $client->domains->get($domain["id"])["domain"], "\\n";',
      '$client->domains->delete($domain["id"]);',
      '$template = $client->templates->create(["name" => "PHP", "subject" => "Hi {{name}}", "text" => "Hi {{name}}"]);',
      'echo $client->templates->preview($template["id"], ["data" => ["name" => "Ada"]])["subject"], "\\n";',
      '$made = $client->suppressions->importList("email\\nno@example.org\\n");',
      'echo $client->suppressions->waitForImport($made["id"], interval: 0.05)["status"], "\\n";',
      'echo str_contains($client->suppressions->export(), "no@example.org") ? "exported" : "", "\\n";',
      '$later = $client->emails->send(["scheduled_at" => new DateTimeImmutable("+1 day")] + $letter)["message_id"];',
      '$client->emails->reschedule($later, new DateTimeImmutable("+2 days"));',
      '$client->emails->cancel($later);',
      'echo $client->emails->get($later)["status"], "\\n";',
      'echo isset($client->emails->dryRun($letter)["message"]) ? "dry" : "", "\\n";',
      'echo implode(",", array_keys($client->request("GET /settings/retention")));',
    );
    expect(printed).toBe('php.example.org\nHi Ada\ndone\nexported\nfailed\ndry\ndata');
  });

  it('receives webhooks, and refuses what is not from us', async () => {
    // The secret comes with the webhook and the port with the example, so the webhook moves. What is still sent to
    // its first address fails there and is sent again.
    fixture.receiver.reply = () => 500;
    const hook = await fixture.hook('/hook', { event_types: ['email.bounced'] });
    const child = spawn('php', ['-S', '127.0.0.1:0', 'webhook.php'], {
      cwd: project,
      env: { ...env, WEBHOOK_SECRET: hook.secret },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      const url = `http://127.0.0.1:${await portOf(child)}/`;
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
      await fixture.call('PATCH', `/webhooks/${hook.id}`, { url });
      const printed = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      await fixture.send({ to: [{ email: 'bounced@simulator.test' }] });
      expect((await printed.next()).value).toBe('bounced@simulator.test bounced: unknown_recipient');
    } finally {
      child.kill();
    }
  });
});

/** PHP's server says where it listens among its log. */
async function portOf(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('There is no log.');
  for await (const line of createInterface({ input: child.stderr })) {
    const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port !== undefined) return port;
  }
  throw new Error('PHP ended.');
}
