/** The programs of docs/track/verify-webhooks.md, run as they stand against a webhook that really came. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GO_CACHE, isInstalled, PROGRAMS } from '../docs/languages/programs.ts';
import { WebhookFixture } from './fixture.ts';

const page = readFileSync(new URL('../../docs/track/verify-webhooks.md', import.meta.url), 'utf8');
const dir = mkdtempSync(join(tmpdir(), 'postrider-examples-'));

interface Call {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

let fixture: WebhookFixture;
let real: Call;

beforeAll(async () => {
  fixture = await WebhookFixture.start();
  const hook = await fixture.hook('/docs', { event_types: ['email.delivered'] });
  const { secret } = await fixture.call('POST', `/webhooks/${hook.id}/rotate-secret`);
  await fixture.send({ subject: 'Größe 🎉' });
  const [received] = await fixture.receiver.waitFor(1, (one) => one.path === '/docs');
  real = { secret, headers: received?.headers ?? {}, body: received?.text ?? '' };
});
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
  await fixture.stop();
});

function example(name: string): string {
  const code = new RegExp(
    `<!-- example: ${name} -->\\s+\`\`\`\\w+(?: \\[\\w+\\])?\\n([\\s\\S]*?)\`\`\``,
  ).exec(page)?.[1];
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
  php(call) {
    const file = join(dir, 'verify.php');
    writeFileSync(
      file,
      `${example('php')}
$call = json_decode(file_get_contents('php://stdin'), true);
echo json_encode(verify($call['secret'], $call['headers'], $call['body']));`,
    );
    return execFileSync(PROGRAMS.PHP, [file], { input: JSON.stringify(call) }).toString() === 'true';
  },
  ruby(call) {
    const script = `${example('ruby')}
require 'json'
call = JSON.parse($stdin.read)
print verify(call['secret'], call['headers'], call['body'])`;
    return execFileSync(PROGRAMS.Ruby, ['-e', script], { input: JSON.stringify(call) }).toString() === 'true';
  },
  go(call) {
    const file = join(dir, 'verify.go');
    writeFileSync(file, goProgram(example('go')));
    const env = { ...process.env, GOCACHE: GO_CACHE };
    const printed = execFileSync(PROGRAMS.Go, ['run', file], { input: JSON.stringify(call), env });
    return printed.toString() === 'true';
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

/** A whole program needs a main function and more imports than the function of the page. */
function goProgram(code: string): string {
  return `${code.replace('import (', 'import (\n\t"encoding/json"\n\t"fmt"\n\t"os"')}
func main() {
	var call struct {
		Secret  string
		Headers map[string]string
		Body    string
	}
	json.NewDecoder(os.Stdin).Decode(&call)
	headers := http.Header{}
	for name, value := range call.Headers {
		headers.Set(name, value)
	}
	fmt.Print(verify(call.Secret, headers, []byte(call.Body)))
}
`;
}

const NEEDS: Readonly<Record<string, Parameters<typeof isInstalled>[0]>> = {
  python: 'Python',
  php: 'PHP',
  ruby: 'Ruby',
  go: 'Go',
};
const RUNNABLE = Object.entries(VERIFIERS).filter(([name]) => {
  const language = NEEDS[name];
  return language === undefined || isInstalled(language);
});

it('is there in six languages', () => {
  const named = [...page.matchAll(/<!-- example: (\w+) -->/g)].map(([, name]) => name);
  expect(named).toEqual(['node', 'python', 'php', 'ruby', 'go', 'shell']);
  expect(Object.keys(VERIFIERS).toSorted()).toEqual(named.toSorted());
});

describe.each(RUNNABLE)('the example for %s', (_name, verify) => {
  it('verifies what really came', async () => {
    expect(await verify(real)).toBe(true);
  });

  it('refuses another body, another id and another secret', async () => {
    expect(await verify({ ...real, body: real.body.replace('delivered', 'bounced') })).toBe(false);
    expect(await verify({ ...real, headers: { ...real.headers, 'webhook-id': 'evt_0' } })).toBe(false);
    expect(await verify({ ...real, secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` })).toBe(false);
  });
});

/** The shell's shows how a signature is made, and leaves the time to the reader. */
const TIMED = RUNNABLE.filter(([name]) => name !== 'shell');

it.each(TIMED)('the example for %s refuses what is too old', async (_name, verify) => {
  const old = String(Math.floor(Date.now() / 1000) - 301);
  expect(await verify({ ...real, headers: { ...real.headers, 'webhook-timestamp': old } })).toBe(false);
});
