/** The unit in `ops/`, run as systemd runs it: its ExecStart, its settings, and whether an exit starts it again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseEnv } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { freePort } from './supervised.ts';

const UNIT = readFileSync('ops/postrider.service', 'utf8');
const EXAMPLE = readFileSync('ops/postrider.env.example', 'utf8');

let zone: DnsZoneServer;
let folder: string;
beforeAll(async () => {
  zone = await startDnsZone();
});
afterAll(() => zone.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-unit-'));
  for (const name of ['bin', 'credentials', 'state']) mkdirSync(join(folder, name));
  symlinkSync(resolve('scripts/postrider.mjs'), join(folder, 'bin', 'postrider'));
  writeFileSync(join(folder, 'credentials', 'POSTRIDER_SECRET_KEY'), 'k'.repeat(43));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function directives(name: string): string[] {
  return [...UNIT.matchAll(new RegExp(`^${name}=(.+)$`, 'gm'))].map(([, value = '']) => value);
}

/** The environment of the service: `%S` is the folder of states, and a secret is a file in a folder of its own. */
function environment(settings: string, more: Record<string, string>): Record<string, string> {
  const set = directives('Environment').map((line) => line.replace('%S', join(folder, 'state')));
  return {
    PATH: [join(folder, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    ...(parseEnv(set.join('\n')) as Record<string, string>),
    ...(parseEnv(settings) as Record<string, string>),
    CREDENTIALS_DIRECTORY: join(folder, 'credentials'),
    ...more,
  };
}

function launch(env: Record<string, string>) {
  const [program = '', ...args] = directives('ExecStart')[0]?.split(' ') ?? [];
  mkdirSync(join(folder, 'state', 'postrider'), { recursive: true });
  return spawn(program, args, {
    cwd: join(folder, 'state', 'postrider'),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** systemd.service(5): `on-failure` restarts after an exit code other than 0 or a deadly signal, except after those listed. */
function isRestarted(code: number | null, signal: NodeJS.Signals | null): boolean {
  expect(directives('Restart')).toEqual(['on-failure']);
  const prevented = directives('RestartPreventExitStatus').flatMap((line) => line.split(' '));
  if (prevented.includes(String(code))) return false;
  const clean = ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGPIPE'];
  return code === null ? !clean.includes(signal ?? '') : code !== 0;
}

async function ports(): Promise<Record<string, string>> {
  return {
    POSTRIDER_PORT: String(await freePort()),
    POSTRIDER_INBOUND_PORT: String(await freePort()),
    POSTRIDER_SUBMISSION: 'false',
  };
}

describe('the unit of systemd', () => {
  it('starts a sandbox with the example of settings, and is not started again after a stop', async () => {
    const service = launch(environment(EXAMPLE, await ports()));
    for await (const line of createInterface({ input: service.stdout }))
      if (line.startsWith('Postrider is ready. Sandbox mode')) service.kill('SIGTERM');
    if (service.exitCode === null && service.signalCode === null) await once(service, 'exit');
    expect(isRestarted(service.exitCode, service.signalCode)).toBe(false);
  });

  it('is not started again with a host name that has no address, and the log ends with the reason', async () => {
    const filledIn = EXAMPLE.replaceAll(/^#(?=POSTRIDER_(MODE|HOSTNAME|PUBLIC_URL|SUBMISSION)=)/gm, '');
    const env = environment(filledIn, { ...(await ports()), POSTRIDER_DNS_SERVERS: zone.address });
    const service = launch(env);
    let log = '';
    for (const stream of [service.stdout, service.stderr])
      stream.on('data', (text) => {
        log += text;
      });
    const [code, signal] = await once(service, 'close');
    expect(log.trimEnd().split('\n').at(-1)).toContain(
      'The host name mail.example.org has no address in DNS.',
    );
    expect(isRestarted(code, signal)).toBe(false);
  });

  it('is started again where the database is away', async () => {
    const env = environment('', { ...(await ports()), DATABASE_URL: 'postgres://x:y@127.0.0.9:1/z' });
    const service = launch(env);
    service.stdout.resume();
    service.stderr.resume();
    const [code, signal] = await once(service, 'close');
    expect(isRestarted(code, signal)).toBe(true);
  });
});
