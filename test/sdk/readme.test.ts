/** Every example of the README, run as it stands with the built package. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildPackage } from '../../sdk/scripts/package-folder.ts';
import { Postrider } from '../../sdk/src/index.ts';
import { WebhookFixture } from '../webhooks/fixture.ts';

const run = promisify(execFile);

let fixture: WebhookFixture;
let client: Postrider;
let project: string;
let env: Record<string, string>;
beforeAll(async () => {
  fixture = await WebhookFixture.start();
  await fixture.server.addVerifiedDomain(fixture.org.id, 'sandbox.test');
  client = new Postrider({ apiKey: fixture.org.key, baseUrl: fixture.server.url });
  env = { POSTRIDER_URL: fixture.server.url, POSTRIDER_API_KEY: fixture.org.key };
  project = mkdtempSync(path.join(tmpdir(), 'postrider-readme-'));
  mkdirSync(path.join(project, 'node_modules', '@postrider'), { recursive: true });
  buildPackage(path.join(project, 'node_modules', '@postrider', 'sdk'));
  const readme = readFileSync('sdk/README.md', 'utf8');
  for (const [, name, code = ''] of readme.matchAll(/<!-- example: (\w+) -->\s+```js\n([\s\S]*?)```/g))
    writeFileSync(path.join(project, `${name}.mjs`), code);
});
afterAll(async () => {
  rmSync(project, { recursive: true, force: true });
  await fixture.stop();
});

async function output(example: string): Promise<string> {
  return (await run(process.execPath, [`${example}.mjs`], { cwd: project, env })).stdout;
}

it('sends', async () => {
  expect(await output('send')).toMatch(/^(queued|delivered) [1-3]\n$/);
});

it('sends what is written with React', async () => {
  for (const name of ['@react-email', 'react', 'react-dom'])
    symlinkSync(path.resolve('node_modules', name), path.join(project, 'node_modules', name));
  expect(await output('react')).toContain('Your order A-1234 is on its way.');
});

it('says what to install for it', async () => {
  const script = `import { Postrider } from '@postrider/sdk';
const postrider = new Postrider({ apiKey: 'pr_x', baseUrl: 'http://127.0.0.1:9' });
await postrider.emails.send({ react: {} }).catch(({ message }) => console.log(message));`;
  const elsewhere = mkdtempSync(path.join(tmpdir(), 'postrider-no-react-'));
  try {
    buildPackage(path.join(elsewhere, 'node_modules', '@postrider', 'sdk'));
    writeFileSync(path.join(elsewhere, 'send.mjs'), script);
    const { stdout } = await run(process.execPath, ['send.mjs'], { cwd: elsewhere });
    expect(stdout).toBe(
      'To send `react`, install @react-email/render beside react and react-dom: npm install @react-email/render\n',
    );
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
  }
});

it('reads everything', async () => {
  const { message_id: id } = await client.emails.send({
    from: { email: 'hello@sandbox.test' },
    to: [{ email: 'ada@example.org' }],
    subject: 'Everything',
    text: 'Hi',
  });
  expect(id).toBeDefined();
  expect(await output('all')).toMatch(/^\d{4}-\S+Z (queued|delivered) Everything$/m);
});

it('tests mail', async () => {
  expect(await output('testing')).toBe('482913 https://acme.example/sign-in?t=1\n');
});

it('follows what happens', async () => {
  const example = spawn(process.execPath, ['follow.mjs'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(example, 'exit');
  const lines = createInterface({ input: example.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('following');
  // It may not be connected yet, so there is mail until it has heard of some.
  const line = lines.next();
  const more = setInterval(() => void fixture.send({ to: [{ email: 'grace@example.org' }] }), 250);
  try {
    expect((await line).value).toMatch(/^\w+ grace@example\.org$/);
    expect(await ended).toEqual([0, null]);
  } finally {
    clearInterval(more);
    example.kill();
  }
});

it('tells what is wrong', async () => {
  expect(await output('errors')).toMatch(/^to\[0\]\.email: .*no dot/);
});

it('takes options', async () => {
  expect(await output('options')).toMatch(/^\d+\n$/);
});

it('receives webhooks, and refuses what is not from us', async () => {
  // The secret comes with the webhook and the port with the example, so the webhook moves. What is still sent to its
  // first address fails there and is sent again.
  fixture.receiver.reply = () => 500;
  const hook = await client.webhooks.create({ url: fixture.receiver.url, event_types: ['email.bounced'] });
  const child = spawn(process.execPath, ['webhook.mjs'], {
    cwd: project,
    env: { ...env, WEBHOOK_SECRET: hook.secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const port = /^listening on (\d+)$/.exec((await lines.next()).value)?.[1];
    const url = `http://127.0.0.1:${port}/`;
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    await client.webhooks.update(hook.id, { url });
    await client.emails.send({
      from: { email: 'hello@sandbox.test' },
      to: [{ email: 'bounced@simulator.test' }],
      subject: 'Bounce',
      text: 'Hi',
    });
    expect((await lines.next()).value).toBe('bounced@simulator.test bounced: unknown_recipient');
  } finally {
    child.kill();
  }
});
