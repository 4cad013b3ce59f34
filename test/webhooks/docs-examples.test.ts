/** The examples of docs/api/webhooks.md, run as they stand against a webhook that really came. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { World } from './world.ts';

const page = readFileSync(new URL('../../docs/api/webhooks.md', import.meta.url), 'utf8');
const dir = mkdtempSync(join(tmpdir(), 'postrider-examples-'));

interface Call {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

let world: World;
let real: Call;

beforeAll(async () => {
  world = await World.start();
  const hook = await world.hook('/docs', { event_types: ['email.delivered'] });
  const { secret } = await world.call('POST', `/webhooks/${hook.id}/rotate-secret`);
  await world.send({ subject: 'Größe 🎉' });
  const [told] = await world.receiver.waitFor(1, (one) => one.path === '/docs');
  real = { secret, headers: told?.headers ?? {}, body: told?.text ?? '' };
});
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
  await world.stop();
});

function example(name: string): string {
  const code = new RegExp(`<!-- example: ${name} -->\\s+\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1];
  if (code === undefined) throw new Error(`There is no example ${name}.`);
  return code;
}

const VERIFIERS: Record<string, (call: Call) => Promise<boolean> | boolean> = {
  async node({ secret, headers, body }) {
    const file = join(dir, 'verify.mjs');
    writeFileSync(file, example('node'));
    const { verify } = await import(pathToFileURL(file).href);
    return verify(secret, headers, body);
  },
  python(call) {
    const script = `${example('python')}
import json, sys
call = json.load(sys.stdin)
print(verify(call["secret"], call["headers"], call["body"].encode()))`;
    return execFileSync('python3', ['-c', script], { input: JSON.stringify(call) }).toString() === 'True\n';
  },
  shell({ secret, headers, body }) {
    const file = join(dir, 'body');
    writeFileSync(file, body);
    const env = {
      PATH: process.env.PATH,
      SECRET: secret,
      ID: headers['webhook-id'],
      TIMESTAMP: headers['webhook-timestamp'],
      SIGNATURE: headers['webhook-signature'],
      BODY_FILE: file,
    };
    return execFileSync('sh', ['-c', example('shell')], { env }).toString() === 'verified\n';
  },
};

describe.each(Object.entries(VERIFIERS))('the example for %s', (name, verify) => {
  it('verifies what really came', async () => {
    expect(await verify(real)).toBe(true);
  });

  it('refuses another body, another id and another secret', async () => {
    expect(await verify({ ...real, body: real.body.replace('delivered', 'bounced') })).toBe(false);
    expect(await verify({ ...real, headers: { ...real.headers, 'webhook-id': 'evt_0' } })).toBe(false);
    expect(await verify({ ...real, secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` })).toBe(false);
  });

  it.skipIf(name === 'shell')('refuses what is too old', async () => {
    const old = String(Math.floor(Date.now() / 1000) - 301);
    expect(await verify({ ...real, headers: { ...real.headers, 'webhook-timestamp': old } })).toBe(false);
  });
});

describe('the calls on the page', () => {
  const calls = [...page.matchAll(/```sh\n(curl [\s\S]*?)```/g)].map((match) => match[1] ?? '');
  const run = async (call: string, webhook: string) => {
    const env = {
      ...process.env,
      API: `${world.server.url}/api/v1`,
      API_KEY: world.org.key,
      WEBHOOK: webhook,
    };
    const { stdout } = await promisify(execFile)('sh', ['-c', call.replaceAll('curl ', 'curl -sS ')], {
      env,
    });
    return JSON.parse(stdout).data;
  };

  it('are answered as it shows', async () => {
    const shown = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '').data;
    const made = await run(calls[0] ?? '', '');
    expect(Object.keys(made)).toEqual(Object.keys(shown));
    expect(made).toMatchObject({ url: shown.url, event_types: shown.event_types, enabled: true });
    expect(calls).toHaveLength(3);
    expect(await run(calls[1] ?? '', made.id)).toMatchObject({ type: 'webhook.test', status: 'pending' });
    const rotated = await run(calls[2] ?? '', made.id);
    expect(rotated.secret).not.toBe(made.secret);
  });
});
