/** The code that the dashboard shows to newcomers, run as they would run it. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, type Language, snippet } from '../../dashboard/src/features/first-steps/snippets.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';

/** What runs each, and the name of the file it wants. A language whose program is not installed is skipped. */
const RUNS: Readonly<Record<Language, { program: string; file: string; args?: readonly string[] }>> = {
  curl: { program: '/bin/bash', file: 'send.sh' },
  node: { program: process.execPath, file: 'send.mjs' },
  python: { program: '/usr/bin/python3', file: 'send.py' },
  php: { program: '/usr/bin/php', file: 'send.php' },
  ruby: { program: '/usr/bin/ruby', file: 'send.rb' },
  go: { program: '/usr/bin/go', file: 'send.go', args: ['run'] },
};

let server: TestApi;
let org: TestOrganization;
let folder: string;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  folder = await mkdtemp(path.join(tmpdir(), 'postrider-snippets-'));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

describe('the code for newcomers', () => {
  for (const { key, label } of LANGUAGES) {
    const { program, file, args = [] } = RUNS[key];
    it.skipIf(!existsSync(program))(
      `sends an email in ${label}`,
      async () => {
        const to = `${key}@example.org`;
        const place = path.join(folder, file);
        await writeFile(place, snippet(key, { origin: server.url, from: `hello@${org.domain}`, to }));
        const env = { ...process.env, POSTRIDER_API_KEY: org.key, GOCACHE: path.join(folder, 'go') };
        const { stdout } = await promisify(execFile)(program, [...args, place], { env, cwd: folder });
        const { body } = await server.api('GET', `/emails?to=${to}`, undefined, org.key);
        expect(body.data).toMatchObject([{ subject: `Hello from ${label}` }]);
        expect(stdout).toContain(body.data[0].id);
      },
      120_000,
    );
  }
});
