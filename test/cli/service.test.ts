/** Commands that are typed beside the service of a machine: they examine and set up the installation that the service runs. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/run.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { loadCommandConfig, loadConfig } from '../../src/runtime/config.ts';
import { TEST_OPERATOR } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const KEY = 'k'.repeat(43);

let database: TestDatabase;
let root: string;
beforeAll(async () => {
  database = await createTestDatabase();
  root = mkdtempSync(join(tmpdir(), 'postrider-beside-'));
  for (const folder of ['etc/systemd/system/postrider.service.d', 'etc/postrider', 'home'])
    mkdirSync(join(root, folder), { recursive: true });
  put('etc/systemd/system/postrider.service', readFileSync('ops/postrider.service', 'utf8'));
  put(
    'etc/systemd/system/postrider.service.d/database.conf',
    '[Service]\nLoadCredential=DATABASE_URL:/etc/postrider/database-url\n',
  );
  put('etc/postrider/postrider.env', 'POSTRIDER_PUBLIC_URL=https://mail.service.example\n');
  put('etc/postrider/secret-key', KEY);
  put('etc/postrider/database-url', database.url);
});
afterAll(async () => {
  await database.drop();
  rmSync(root, { recursive: true, force: true });
});

function put(file: string, text: string): void {
  writeFileSync(join(root, file), text, { mode: 0o600 });
}

async function type(...argv: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const home = join(root, 'home');
  const code = await runCli(argv, {
    loadConfig: ({ besideService }) =>
      besideService ? loadCommandConfig({}, home, root) : loadConfig({}, home),
    clock: systemClock,
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    operator: TEST_OPERATOR,
    become: async (program) => void out.push(`becomes ${program}`),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

describe('beside a service', () => {
  it('the link for the first user is that of the service', async () => {
    const { code, out, err } = await type('setup-link');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^https:\/\/mail\.service\.example\//);
  });

  it('commands are about its database, and the schema', async () => {
    expect(await type('migrate', '--dry-run')).toMatchObject({ code: 0, out: 'The schema is up to date.' });
  });

  it('a start of a person is an installation of its own', async () => {
    expect((await type('start')).out).toBe('becomes start');
  });
});
