/**
 * A coordinator and two workers of Citus, and cells in schemas of theirs. `POSTRIDER_TEST_CITUS_BIN` names the folder with the
 * programs of a PostgreSQL that has the extension.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Database } from '../../src/kit/database/database.ts';
import { borrowAccount } from '../../src/kit/database/embedded/account.ts';
import { POSTGRES_ENV } from '../../src/kit/database/embedded/binaries.ts';
import { migrate } from '../../src/kit/database/migrate.ts';
import { createLog } from '../../src/kit/runtime/log.ts';
import { freePort } from '../processes/supervised.ts';
import { dropControl } from './celled-database.ts';
import { admin } from './database.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/** Undefined where its tests are skipped. */
export const CITUS_BIN = process.env.POSTRIDER_TEST_CITUS_BIN;

/** What docs/operations/cells.md says a node needs. */
const SETTINGS: Readonly<Record<string, string>> = {
  shared_preload_libraries: 'citus',
  'citus.allow_nested_distributed_execution': 'on',
  'citus.enable_unsafe_triggers': 'on',
  wal_level: 'logical',
  max_prepared_transactions: '100',
  max_connections: '200',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
};

/** Runs on the node that has the schema, and is not sent there with it because it refers to a table. */
const SENT_BY_HAND = 'claim_deliveries(bigint, text[], uuid[], smallint[])';

interface Node {
  readonly port: number;
  readonly child: ChildProcess;
}

export interface CitusCell {
  readonly url: string;
  readonly db: Database;
}

export class Citus {
  readonly #folder: string;
  readonly #nodes: readonly Node[];
  readonly #cells: CitusCell[] = [];

  private constructor(folder: string, nodes: readonly Node[]) {
    this.#folder = folder;
    this.#nodes = nodes;
  }

  static async start(bin: string): Promise<Citus> {
    const folder = await mkdtemp(join(tmpdir(), 'postrider-citus-'));
    await chmod(folder, 0o755);
    const nodes = await Promise.all([0, 1, 2].map((number) => startNode(bin, join(folder, String(number)))));
    const citus = new Citus(folder, nodes);
    await citus.#join();
    return citus;
  }

  /** The addresses of the workers, the way Citus is told them. */
  get workers(): readonly string[] {
    return this.#nodes.slice(1).map(({ port }) => `'127.0.0.1', ${port}`);
  }

  /** On the coordinator, as its superuser. */
  ask(text: string): Promise<void> {
    return admin(urlOf(this.#nodes[0] as Node), text);
  }

  /** The tables of a cell in a schema of their own, of a role whose connections find it by themselves, on any node. */
  async createCell(name: string): Promise<CitusCell> {
    for (const text of [
      `CREATE ROLE ${name} LOGIN`,
      `ALTER ROLE ${name} SET search_path = ${name}`,
      `CREATE SCHEMA ${name} AUTHORIZATION ${name}`,
    ])
      await this.ask(text);
    const url = urlOf(this.#nodes[0] as Node, name);
    await migrate(url);
    const db = new Database({ url, log: createLog('test', 'silent'), applicationName: 'test' });
    this.#cells.push({ url, db });
    await dropControl(db);
    await this.ask(`SELECT citus_schema_distribute('${name}')`);
    await this.ask(`SELECT create_distributed_function('${name}.${SENT_BY_HAND}')`);
    return { url, db };
  }

  async stop(): Promise<void> {
    for (const { db } of this.#cells) await db.close();
    await Promise.all(
      this.#nodes.map(async ({ child }) => {
        const exited = once(child, 'exit');
        if (child.kill('SIGINT')) await exited;
      }),
    );
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #join(): Promise<void> {
    for (const node of this.#nodes) await admin(urlOf(node), 'CREATE EXTENSION citus');
    await this.ask(`SELECT citus_set_coordinator_host('127.0.0.1', ${this.#nodes[0]?.port})`);
    for (const worker of this.workers) await this.ask(`SELECT citus_add_node(${worker})`);
  }
}

function urlOf({ port }: Pick<Node, 'port'>, user = 'postgres'): string {
  return `postgres://${user}@127.0.0.1:${port}/postgres`;
}

async function startNode(bin: string, dir: string): Promise<Node> {
  const account = await borrowAccount(undefined);
  const terms = { ...account, cwd: '/', env: POSTGRES_ENV };
  await mkdir(dir, { mode: 0o700 });
  if (account) await chown(dir, account.uid, account.gid);
  await run(
    join(bin, 'initdb'),
    ['-D', dir, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    terms,
  );
  const port = await freePort();
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(bin, 'postgres'), ['-D', dir, '-p', String(port), ...settings], {
    ...terms,
    stdio: 'ignore',
  });
  const answers = () =>
    admin(urlOf({ port }), 'SELECT 1').then(
      () => true,
      () => undefined,
    );
  await until(answers);
  return { port, child };
}
