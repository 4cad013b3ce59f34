import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { createLog } from '../../src/runtime/log.ts';
import { clusterOf, query, Workbench } from '../embedded-postgres/workbench.ts';
import { runCommand } from '../support/command-line.ts';
import { seedMail } from '../support/seed-mail.ts';
import { until } from '../support/until.ts';
import { isAlive, Supervised } from './supervised.ts';

const bench = new Workbench();
let dataDir: string;
let running: Supervised | undefined;
beforeAll(async () => {
  dataDir = await bench.dataDir();
});
afterEach(() => running?.clear());
afterAll(() => bench.clear());

async function start(): Promise<Supervised> {
  running = await Supervised.start(['api.mjs'], { POSTRIDER_DATA_DIR: dataDir, DATABASE_URL: '' });
  await running.says(/is ready/);
  return running;
}

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(join(await clusterOf(dataDir), 'postmaster.pid'), 'utf8'), 10);
}

describe('the PostgreSQL that the supervisor runs', () => {
  it('is migrated, is what the roles get, and ends with the supervisor', async () => {
    const supervised = await start();
    const { databaseUrl } = await supervised.api();
    expect(await query(databaseUrl, 'select count(*) > 0 as migrated from schema_migrations')).toEqual([
      { migrated: true },
    ]);
    const pid = await postmasterPid();
    supervised.child.kill('SIGINT');
    expect(await supervised.exited()).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });

  it('is started again at the same address after kill -9', async () => {
    const supervised = await start();
    const { databaseUrl } = await supervised.api();
    const pid = await postmasterPid();
    process.kill(pid, 'SIGKILL');
    await supervised.says(/PostgreSQL is running again/);
    expect(await query(databaseUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is taken over by the next start when the supervisor was killed', async () => {
    const first = await start();
    const pid = await postmasterPid();
    first.child.kill('SIGKILL');
    await first.exited();
    const second = await start();
    expect(await postmasterPid()).toBe(pid);
    second.child.kill('SIGTERM');
    expect(await second.exited()).toBe(0);
    await until(() => !isAlive(pid));
  });

  it('is started for a moment to throw away live mail that keeps the sandbox from starting', async () => {
    const first = await start();
    const { databaseUrl } = await first.api();
    const db = new Database({ url: databaseUrl, log: createLog('test', 'silent'), applicationName: 'test' });
    await seedMail(db, { organizationId: 'org_a', domain: 'there.test', count: 3 });
    await db.close();
    first.child.kill('SIGINT');
    expect(await first.exited()).toBe(0);
    const command = ['queue', 'discard', '--mode', 'live', '--yes'];
    const { code, out, err } = await runCommand(command, { POSTRIDER_DATA_DIR: dataDir });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/Deliveries of live mail that were discarded: 3\.$/);
    await expect(query(databaseUrl, 'select 1')).rejects.toThrow('ECONNREFUSED');
  });
});
