/** Data folders and servers for one test file, all cleared away at its end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Account } from '../../src/database/embedded/account.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../src/database/embedded-postgres.ts';

export interface Held {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly port: number;
  readonly url: string;
}

export class Workbench {
  readonly #folders: string[] = [];
  readonly #servers: EmbeddedPostgres[] = [];
  readonly #children: ChildProcess[] = [];

  /** A folder that anyone may enter, unless told otherwise. */
  async folder(mode = 0o755): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'post rider '));
    this.#folders.push(folder);
    await chmod(folder, mode);
    return folder;
  }

  /** A path for a data folder that does not exist yet. */
  async dataDir(mode = 0o755): Promise<string> {
    return join(await this.folder(mode), 'data');
  }

  async start(
    dataDir: string,
    port?: number,
    more: Partial<EmbeddedPostgresOptions> = {},
  ): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ dataDir, port, log: () => undefined, ...more });
    this.#servers.push(server);
    return server;
  }

  /** A server started by another process, which holds it until killed. */
  async hold(dataDir: string, env: NodeJS.ProcessEnv = process.env, account?: Account): Promise<Held> {
    const script = fileURLToPath(new URL('./hold-server.mjs', import.meta.url));
    const child = spawn(process.execPath, [script, dataDir], {
      ...account,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#children.push(child);
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (data: Buffer) => resolve(String(data)));
      child.once('exit', (code) => reject(new Error(`hold-server ended with ${code}`)));
    });
    return { child, ...(JSON.parse(line) as Omit<Held, 'child'>) };
  }

  /** Stands in for an initdb whose parent was killed: makes files in the folder for as long as that is there. */
  keepWriting(folder: string): ChildProcess {
    const script = 'n=0; while :; do [ -d "$1" ] && : > "$1/$n"; n=$((n+1)); done 2> /dev/null';
    const child = spawn('/bin/sh', ['-c', script, 'sh', folder], { stdio: 'ignore' });
    this.#children.push(child);
    return child;
  }

  async clear(): Promise<void> {
    for (const child of this.#children.splice(0)) child.kill('SIGKILL');
    await Promise.all(this.#servers.splice(0).map((server) => server.stop()));
    for (const folder of this.#folders.splice(0)) await removeWithCluster(folder);
  }
}

export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export async function clusterOf(dataDir: string): Promise<string> {
  return (JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8')) as { cluster: string }).cluster;
}

/** Under root the cluster of a closed folder lives outside it. */
async function removeWithCluster(folder: string): Promise<void> {
  const cluster = await clusterOf(join(folder, 'data')).catch(() => undefined);
  if (cluster !== undefined && dirname(cluster) === '/var/lib/postrider-clusters') {
    await rm(cluster, { recursive: true, force: true });
    await rm(`${cluster}.txt`, { force: true });
  }
  await rm(folder, { recursive: true, force: true });
}
