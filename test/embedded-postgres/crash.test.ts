/** What is found after something was killed: adopted if it lives, recovered if not, and never started twice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childrenOf, signal } from '../storm/processes.ts';
import { clusterOf, query, Workbench } from './workbench.ts';

const bench = new Workbench();
let dataDir: string;
beforeAll(async () => {
  dataDir = await bench.dataDir();
});
afterAll(() => bench.clear());

/** Makes PostgreSQL recover, as often as it takes to stop what recovers in the middle of it. Returns whom it stopped. */
async function crashUntilStopped(postmaster: number): Promise<number> {
  for (;;) {
    const children = childrenOf(postmaster);
    const startup = children.find(({ command }) => command.startsWith('postgres: startup'));
    if (startup !== undefined && signal(startup.pid, 'SIGSTOP')) return startup.pid;
    const writer = children.find(({ command }) => command.startsWith('postgres: walwriter'));
    if (writer !== undefined) signal(writer.pid, 'SIGKILL');
    await breathe();
  }
}

/** PostgreSQL does not mind a process of another account. */
async function owner(file: string): Promise<{ uid: number; gid: number }> {
  const { uid, gid } = await stat(file);
  return { uid, gid };
}

describe('an embedded PostgreSQL whose first start was killed', () => {
  it('is made anew while what makes it for the killed one still writes', async () => {
    const fresh = await bench.dataDir();
    const cluster = join(fresh, 'postgres');
    await mkdir(`${cluster}.unfinished`, { recursive: true });
    await chmod(fresh, 0o755);
    await writeFile(join(fresh, 'postgres.json'), JSON.stringify({ cluster, password: 'chosen-before' }));
    const orphan = bench.keepWriting(`${cluster}.unfinished`);
    const server = await bench.start(fresh);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();

    orphan.kill('SIGKILL');
    await once(orphan, 'exit');
    await (await bench.start(fresh)).stop();
    expect((await readdir(fresh)).filter((name) => name.includes('unfinished'))).toEqual([]);
  });
});

describe('an embedded PostgreSQL after a crash', () => {
  it('has every acknowledged row after kill -9, on the same port', async () => {
    const first = await bench.start(dataDir);
    await query(first.url, 'create table kept (n int)');
    await query(first.url, 'insert into kept select generate_series(1, 300)');
    process.kill(first.pid, 'SIGKILL');
    expect(await first.exited).toBe('signal SIGKILL');

    const second = await bench.start(dataDir, first.port);
    expect(second.port).toBe(first.port);
    expect(await query(second.url, 'select count(*)::int as n from kept')).toEqual([{ n: 300 }]);
    await second.stop();
  });

  it.skipIf(process.platform !== 'linux')('is ended when its recovery comes to a stand', async () => {
    const server = await bench.start(dataDir, undefined, { stillMs: 1_000 });
    // Enough to recover that it takes a moment.
    await query(server.url, 'create table redone as select generate_series(1, 300000) as n');
    const startup = await crashUntilStopped(server.pid);
    await server.exited;
    expect(() => process.kill(startup, 0)).toThrow(/ESRCH/);
    const next = await bench.start(dataDir);
    expect(await query(next.url, 'select count(*)::int as n from redone')).toEqual([{ n: 300_000 }]);
    await next.stop();
  });

  it('starts again although another process has its number now, as in a container that was killed', async () => {
    const first = await bench.start(dataDir);
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const file = join(await clusterOf(dataDir), 'postmaster.pid');
    const other = spawn('sleep', ['600'], { ...(await owner(file)), stdio: 'ignore' });
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^\d+/, String(other.pid)));
    try {
      const second = await bench.start(dataDir, undefined, { timeoutMs: 30_000 });
      expect(await query(second.url, 'select count(*)::int as n from kept')).toEqual([{ n: 300 }]);
      await second.stop();
    } finally {
      other.kill();
    }
  });

  it('is adopted while it runs on without the process that started it, and stopped at the end', async () => {
    const held = await bench.hold(dataDir);
    held.child.kill('SIGKILL');
    await once(held.child, 'exit');

    const adopted = await bench.start(dataDir);
    expect(adopted).toMatchObject({ pid: held.pid, port: held.port, adopted: true });
    await adopted.stop();
    await expect(readFile(join(await clusterOf(dataDir), 'postmaster.pid'))).rejects.toThrow(/ENOENT/);
  });

  it('says so when an adopted server ends', async () => {
    const held = await bench.hold(dataDir);
    held.child.kill('SIGKILL');
    await once(held.child, 'exit');
    const adopted = await bench.start(dataDir);
    process.kill(held.pid, 'SIGQUIT');
    expect(await adopted.exited).toMatch(/went away/);
  });

  it('is not started a second time while another process holds the data folder', async () => {
    const held = await bench.hold(dataDir);
    await expect(bench.start(dataDir)).rejects.toThrow(/already running.*POSTRIDER_DATA_DIR/s);
    expect(await query(held.url, 'select 1 as still')).toEqual([{ still: 1 }]);
    held.child.kill('SIGKILL');
    await once(held.child, 'exit');
    await (await bench.start(dataDir)).stop();
  });

  it.skipIf(process.platform !== 'linux')(
    'is started anew when it runs on, answers nobody and is nobody’s',
    async () => {
      const held = await bench.hold(dataDir);
      held.child.kill('SIGKILL');
      await once(held.child, 'exit');
      // As good as one that got stuck in its recovery: it is there, and stays as it is.
      process.kill(held.pid, 'SIGSTOP');
      const server = await bench.start(dataDir, undefined, { timeoutMs: 100 });
      expect(server.pid).not.toBe(held.pid);
      expect(await query(server.url, 'select count(*)::int as n from kept')).toEqual([{ n: 300 }]);
      await server.stop();
    },
  );

  it('is ended, to be started anew, when it runs and lets nobody in any more', async () => {
    const server = await bench.start(dataDir, undefined, {
      timeoutMs: 300,
      log: (line) => void (/has not accepted connections/.test(line) && process.kill(server.pid, 'SIGCONT')),
    });
    const client = new pg.Client(server.url);
    client.on('error', () => undefined);
    await client.connect();
    process.kill(server.pid, 'SIGSTOP');
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'postrider-start'`,
    );
    expect(await server.exited).toMatch(/exit code/);
    await (await bench.start(dataDir)).stop();
  });

  it.skipIf(process.platform !== 'linux')(
    'is left alone when it answers nobody but somebody looks after it',
    async () => {
      const held = await bench.hold(dataDir);
      process.kill(held.pid, 'SIGSTOP');
      await expect(bench.start(dataDir, undefined, { timeoutMs: 100 })).rejects.toThrow(/does not answer/);
      process.kill(held.pid, 'SIGCONT');
      expect(await query(held.url, 'select 1 as still')).toEqual([{ still: 1 }]);
      held.child.kill('SIGKILL');
      await once(held.child, 'exit');
      await (await bench.start(dataDir)).stop();
    },
  );

  it.skipIf(process.platform !== 'linux')('starts past a killed server that nobody has reaped', async () => {
    const held = await bench.hold(dataDir);
    // A stopped parent does not reap: the killed server stays a zombie, as under a container's first process.
    held.child.kill('SIGSTOP');
    process.kill(held.pid, 'SIGKILL');
    const server = await bench.start(dataDir);
    expect(server.adopted).toBe(false);
    expect(await query(server.url, 'select count(*)::int as n from kept')).toEqual([{ n: 300 }]);
    held.child.kill('SIGKILL');
    await server.stop();
  });
});
