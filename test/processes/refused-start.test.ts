/** What a start says, and ends with, when it cannot succeed: the built program, as a service manager runs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXIT_CONFIG } from '../../src/runtime/refused-start.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { freePort } from './supervised.ts';

const CLI = resolve('dist/processes/cli.js');

let zone: DnsZoneServer;
let folder: string;
beforeAll(async () => {
  zone = await startDnsZone();
});
afterAll(() => zone.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-refused-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function start(env: Record<string, string>, ...roles: string[]) {
  const child = spawn(process.execPath, [CLI, 'start', ...roles], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      POSTRIDER_PORT: String(await freePort()),
      POSTRIDER_INBOUND_PORT: String(await freePort()),
      POSTRIDER_SUBMISSION: 'false',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

describe('a start that a person has to help', () => {
  it('ends with a code of its own, and one line, when a setting is wrong', async () => {
    expect(await start({ POSTRIDER_PORT: 'x' })).toEqual({
      code: EXIT_CONFIG,
      out: '',
      err: 'The configuration has a problem: POSTRIDER_PORT must be a whole number from 0 to 65535, not "x".\n',
    });
  });

  it('is refused in one line when a secret cannot be read', async () => {
    mkdirSync(join(folder, 'credentials', 'POSTRIDER_SECRET_KEY'), { recursive: true });
    const { code, err } = await start({ CREDENTIALS_DIRECTORY: join(folder, 'credentials') });
    expect(code).toBe(EXIT_CONFIG);
    expect(err).toMatch(/^The configuration has a problem: .*POSTRIDER_SECRET_KEY, which is a folder\.\n$/);
  });

  it.each([[[]], [['worker']]])('is refused when the host of live mode has no address %j', async (roles) => {
    const live = {
      POSTRIDER_MODE: 'live',
      POSTRIDER_HOSTNAME: 'mail.example.org',
      POSTRIDER_DNS_SERVERS: zone.address,
    };
    const { code, out, err } = await start(live, ...roles);
    expect(code).toBe(EXIT_CONFIG);
    expect((out + err).trimEnd().split('\n').at(-1)).toContain(
      'The host name mail.example.org has no address in DNS.',
    );
  });
});

describe('a start that may succeed later', () => {
  it('says in one sentence that the data folder cannot be written to', async () => {
    writeFileSync(join(folder, 'file'), '');
    const { code, err } = await start({ POSTRIDER_DATA_DIR: join(folder, 'file', 'data') });
    expect(code).toBe(1);
    expect(err).toMatch(
      /^Postrider could not start\. The data folder \S+ cannot be written to \(a file stands in its way\)\. .*POSTRIDER_DATA_DIR.*\n$/,
    );
  });

  it('says in one sentence that the database cannot be reached', async () => {
    const { code, err } = await start({ DATABASE_URL: 'postgres://x:y@127.0.0.9:1/z' });
    expect(code).toBe(1);
    expect(err).toMatch(
      /^Postrider could not start\. The database that DATABASE_URL names cannot be used: .*ECONNREFUSED.*\n$/,
    );
  });
});
