/** PostgreSQL refuses root, and an install may lack its library links: the ways around both. */
import { execFile } from 'node:child_process';
import { chmod, cp, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { borrowAccount, canEnter } from '../../src/database/embedded/account.ts';
import { findBinaries, findPackage } from '../../src/database/embedded/binaries.ts';
import { clusterOf, query, Workbench } from './workbench.ts';

const isRoot = process.getuid?.() === 0;
const bench = new Workbench();
afterAll(() => bench.clear());

/** The package as npm leaves it when install scripts are off: without a single link. */
async function packageWithoutLinks(mode: number): Promise<string> {
  const folder = await bench.folder(mode);
  const copy = join(folder, 'package');
  await cp(findPackage(), copy, { recursive: true, verbatimSymlinks: true });
  const libraries = join(copy, 'native', 'lib');
  for (const name of await readdir(libraries)) {
    const file = join(libraries, name);
    if ((await lstat(file)).isSymbolicLink()) await rm(file);
  }
  return copy;
}

describe('the programs of PostgreSQL', () => {
  it('run after an install without scripts', async () => {
    const packageDir = await packageWithoutLinks(0o755);
    const { postgres } = await findBinaries(await borrowAccount(undefined), await bench.folder(), packageDir);
    expect(postgres).toContain(packageDir);
    const { stdout } = await promisify(execFile)(postgres, ['--version']);
    expect(stdout).toMatch(/^postgres \(PostgreSQL\) \d+/);
  });

  it.runIf(isRoot)('are copied to where the account can reach them (needs root)', async () => {
    const packageDir = await packageWithoutLinks(0o700);
    const reachable = await bench.folder();
    const { postgres } = await findBinaries(await borrowAccount(undefined), reachable, packageDir);
    expect(postgres).toContain(reachable);
  });
});

describe.runIf(isRoot)('under root (these need root)', () => {
  it('a data folder that only root may enter keeps its database elsewhere, for good', async () => {
    const dataDir = await bench.dataDir(0o700);
    const first = await bench.start(dataDir);
    await query(first.url, 'create table kept as select 42 as n');
    await first.stop();
    expect(await clusterOf(dataDir)).not.toContain(dataDir);
    const second = await bench.start(dataDir);
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 42 }]);
    await second.stop();
  });

  it('an account is found without one named postgres', async () => {
    const nobody = await borrowAccount(undefined, ['no-such-account', 'nobody']);
    expect(nobody?.uid).toBeGreaterThan(0);
    await expect(borrowAccount(undefined, ['no-such-account'])).rejects.toThrow(/DATABASE_URL/);
  });

  it('an ordinary user runs it too, whatever locale and PG* variables are inherited', async (context) => {
    const user = await borrowAccount(undefined, ['nobody']);
    if (user === undefined || !(await canEnter(process.cwd(), user))) {
      context.skip('this checkout is closed to other users');
      return;
    }
    const folder = await bench.folder();
    await chmod(folder, 0o777);
    await mkdir(join(folder, 'tmp'), { mode: 0o777 });
    await chmod(join(folder, 'tmp'), 0o777);
    const hostile = { LC_ALL: 'xx_YY.UTF-8', PGDATA: '/nowhere', PGPORT: '1', PGSSLMODE: 'require' };
    const env = { ...process.env, HOME: '/nonexistent', TMPDIR: join(folder, 'tmp'), ...hostile };
    const held = await bench.hold(join(folder, 'data'), env, user);
    expect(await query(held.url, "select current_setting('lc_collate', true) as c, 1 as one")).toMatchObject([
      { one: 1 },
    ]);
    held.child.kill('SIGKILL');
    process.kill(held.pid, 'SIGINT');
  });
});
