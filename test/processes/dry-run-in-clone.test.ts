/** `npx postrider migrate --dry-run` in the folder of a running installation whose sources are newer than its programs. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

it('reads the migrations of the new sources and leaves the built programs alone', async () => {
  const clone = await mkdtemp(join(tmpdir(), 'postrider-clone-'));
  onTestFinished(() => rm(clone, { recursive: true, force: true }));
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  for (const name of ['scripts', 'package.json', 'package-lock.json']) {
    await cp(name, join(clone, name), { recursive: true });
  }
  for (const name of ['src', 'migrations', 'node_modules']) await symlink(resolve(name), join(clone, name));
  await mkdir(join(clone, 'dist'));
  await writeFile(join(clone, 'dist', '.built-from'), 'older sources');

  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [join(clone, 'scripts', 'postrider.mjs'), 'migrate', '--dry-run'],
    { cwd: clone, env: { PATH: process.env.PATH, DATABASE_URL: database.url } },
  );

  expect([stdout, stderr]).toEqual(['The schema is up to date.\n', '']);
  expect(await readdir(join(clone, 'dist'))).toEqual(['.built-from']);
  expect(await readFile(join(clone, 'dist', '.built-from'), 'utf8')).toBe('older sources');
});
