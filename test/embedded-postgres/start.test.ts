import { appendFile, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedPostgresUrl } from '../../src/database/embedded/cluster-home.ts';
import { clusterOf, query, Workbench } from './workbench.ts';

const bench = new Workbench();
let dataDir: string;
beforeAll(async () => {
  dataDir = await bench.dataDir();
});
afterAll(() => bench.clear());

describe('the embedded PostgreSQL', () => {
  it('starts in a path with a space, safe against power loss, in Unicode, on loopback only', async () => {
    const server = await bench.start(dataDir);
    const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'server_encoding'];
    const [row] = await query(
      server.url,
      `select ${names.map((name) => `current_setting('${name}') as ${name}`).join()}, upper('ä') as upper`,
    );
    expect(row).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      listen_addresses: '127.0.0.1',
      server_encoding: 'UTF8',
      upper: 'Ä',
    });
    expect(await embeddedPostgresUrl(dataDir)).toBe(server.url);
    await server.stop();
    expect(await server.exited).toBe('exit code 0');
  });

  it('lets nobody in without its password, which only the owner can read', async () => {
    const server = await bench.start(dataDir);
    const guess = server.url.replace(/:[0-9a-f]+@/, ':guess@');
    await expect(query(guess, 'select 1')).rejects.toThrow(/password authentication failed/);
    expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600);
    await server.stop();
  });

  it('comes back on the port it had, and on another when that is taken', async () => {
    const first = await bench.start(dataDir);
    await first.stop();
    const second = await bench.start(dataDir);
    expect(second.port).toBe(first.port);
    await second.stop();
    const squatter = await listen(first.port);
    const third = await bench.start(dataDir);
    expect(third.port).not.toBe(first.port);
    expect(await query(third.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await third.stop();
    squatter.close();
  });

  it('names the variable when the configured port is taken', async () => {
    const squatter = await listen(0);
    const { port } = squatter.address() as { port: number };
    await expect(bench.start(dataDir, port)).rejects.toThrow(new RegExp(`${port}.*POSTRIDER_DATABASE_PORT`));
    squatter.close();
  });

  it('shows the end of its log when it cannot start', async () => {
    const file = join(await clusterOf(dataDir), 'postgresql.conf');
    const good = await readFile(file);
    await appendFile(file, '\nno_such_setting = 1\n');
    await expect(bench.start(dataDir)).rejects.toThrow(/did not start.*no_such_setting/s);
    await writeFile(file, good);
    await (await bench.start(dataDir)).stop();
  });

  it('does not begin anew when its files are gone', async () => {
    const other = await bench.dataDir();
    await (await bench.start(other)).stop();
    await rename(join(other, 'postgres'), join(other, 'elsewhere'));
    await expect(bench.start(other)).rejects.toThrow(/which is gone/);
  });
});

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
