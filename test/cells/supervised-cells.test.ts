/** Everything on one machine with three cells: the first, another database, and a schema beside the first. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { freePort, Supervised } from '../processes/supervised.ts';
import { runCommand } from '../support/command-line.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import type { Parsed } from '../support/two-cells.ts';

const START = fileURLToPath(new URL('../../dist/processes/start.js', import.meta.url));
const CELLS = ['main', 'two', 'three'] as const;

let dataDir: string;
let main: TestDatabase;
let two: TestDatabase;
let env: Record<string, string>;
let supervised: Supervised;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-cells-'));
  [main, two] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
  env = {
    DATABASE_URL: main.url,
    POSTRIDER_CELLS: `two=${two.url} three=${main.url}${main.url.includes('?') ? '&' : '?'}schema=three`,
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
    POSTRIDER_DATA_DIR: dataDir,
    POSTRIDER_INBOUND_PORT: String(await freePort()),
    POSTRIDER_SUBMISSION_PORT: String(await freePort()),
    POSTRIDER_PORT: String(await freePort()),
    POSTRIDER_METRICS_PORT: String(await freePort()),
  };
  supervised = await Supervised.start([], env, START);
  await supervised.says(/is ready/);
}, 120_000);
afterAll(async () => {
  await supervised?.clear();
  await Promise.all([main?.drop(), two?.drop()]);
  await rm(dataDir, { recursive: true, force: true });
});

async function json(...argv: string[]): Promise<Parsed> {
  const { code, out, err } = await runCommand([...argv, '--json'], env);
  expect({ code, err }, argv.join(' ')).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

async function call(key: string, method: string, path: string, body?: unknown): Promise<Parsed> {
  const response = await fetch(`http://127.0.0.1:${supervised.port}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

/** An organization in that cell that may send, and its key. */
async function organizationIn(cell: string): Promise<{ readonly key: string; readonly domain: string }> {
  const { id } = await json('org', 'create', `In ${cell}`, '--cell', cell);
  const domain = `${cell}.test`;
  await json('domain', 'add', domain, '--org', id);
  await json('domain', 'verify', domain, '--org', id);
  const { key } = await json('key', 'create', '--org', id, '--name', 'k', '--scope', 'full');
  return { key, domain };
}

async function deliverFrom({ key, domain }: { key: string; domain: string }): Promise<void> {
  const sent = await call(key, 'POST', '/emails/send', {
    from: { email: `a@${domain}` },
    to: [{ email: 'someone@example.org' }],
    subject: 'Hello',
    text: 'Hello',
  });
  expect(sent.error).toBeUndefined();
  const status = async () => (await call(key, 'GET', `/emails/${sent.data.message_id}`)).data?.status;
  await expect.poll(status, { timeout: 30_000 }).toBe('delivered');
}

const workersOf = async (): Promise<string[]> => {
  const page = await (await fetch(`http://127.0.0.1:${env.POSTRIDER_METRICS_PORT}/metrics`)).text();
  return [...page.matchAll(/^postrider_process_up\{role="worker",process="([^"]+)"\} 1$/gm)].map(
    ([, name = '']) => name,
  );
};

describe('a supervisor with several cells', () => {
  it('brings each up to date, makes the schema of one, and has workers for every one', async () => {
    expect(supervised.output).toMatch(/Database schema brought up to date \(\d+ migrations\)/);
    for (const cell of ['two', 'three'])
      expect(supervised.output).toMatch(new RegExp(`Schema of the cell ${cell} brought up to date`));
    await expect.poll(workersOf).toEqual(['worker', 'worker of two', 'worker of three']);
    const { cells, workers } = await json('status');
    expect(cells.map((one: Parsed) => one.cell)).toEqual(CELLS);
    expect(workers.map((one: Parsed) => one.cell)).toEqual(CELLS);
  });

  it('delivers mail of organizations in every cell, each from its own', async () => {
    for (const cell of CELLS) await deliverFrom(await organizationIn(cell));
    const counted = await Promise.all([
      main.db.one(adHoc<{ count: number }>('SELECT count(*) FROM emails')),
      two.db.one(adHoc<{ count: number }>('SELECT count(*) FROM emails')),
      main.db.one(adHoc<{ count: number }>('SELECT count(*) FROM three.emails')),
    ]);
    expect(counted.map(({ count }) => count)).toEqual([1, 1, 1]);
  });

  it('replaces the workers of all cells, and goes on delivering', async () => {
    const org = await organizationIn('three');
    supervised.child.kill('SIGHUP');
    await supervised.says(/Restarted the worker of two\./);
    await supervised.says(/Restarted the worker of three\./);
    await supervised.says(/Restarted\. This is Postrider/);
    await deliverFrom(org);
  });
});
