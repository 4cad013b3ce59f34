/**
 * A Citus coordinator with two workers, and cells in schemas. `POSTRIDER_TEST_CITUS_BIN` names the folder with the programs of a
 * PostgreSQL that has the extension.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { Database } from '../../src/database/database.ts';
import { borrowAccount } from '../../src/database/embedded/account.ts';
import { POSTGRES_ENV } from '../../src/database/embedded/binaries.ts';
import { type MigrateOptions, migrate } from '../../src/database/migrate.ts';
import { commandsIn } from '../../src/database/sql-script.ts';
import { createLog } from '../../src/runtime/log.ts';
import { freePort } from '../processes/supervised.ts';
import { admin } from './database.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/** Undefined if the tests of Citus are skipped. */
export const CITUS_BIN = process.env.POSTRIDER_TEST_CITUS_BIN;

/** The settings that docs/scale/cells.md requires of a node. */
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

/** Compares the tables of a schema with the shards on its node (`emails_102012`), and selects the differences. */
const DIFFERENT = `
  WITH described AS (
    SELECT regexp_replace(c.relname, '_\\d{6,}$', '') AS name, c.relname ~ '_\\d{6,}$' AND c.relname !~ '_p\\d{8}$' AS has_rows,
      (SELECT string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull), ', ' ORDER BY a.attname)
       FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
      (SELECT count(*) FROM pg_index i WHERE i.indrelid = c.oid AND i.indisvalid) AS indexes,
      (SELECT string_agg(k.contype::text, '' ORDER BY k.contype) FROM pg_constraint k WHERE k.conrelid = c.oid) AS rules,
      (SELECT count(*) FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal AND g.tgname !~ '^truncate_trigger') AS triggers
    FROM pg_class c WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p')
  ), shown AS (SELECT * FROM described WHERE NOT has_rows), kept AS (SELECT * FROM described WHERE has_rows)
  SELECT coalesce(shown.name, kept.name) || ': ' || concat_ws(' | ', shown.columns, shown.indexes, shown.rules, shown.triggers)
    || ' instead of ' || concat_ws(' | ', kept.columns, kept.indexes, kept.rules, kept.triggers) AS what
  FROM shown FULL JOIN kept USING (name)
  WHERE (shown.columns, shown.indexes, shown.rules, shown.triggers)
    IS DISTINCT FROM (kept.columns, kept.indexes, kept.rules, kept.triggers)`;

/** The commands of docs/scale/cells.md for an operator, before and after the tables are created. */
const [BEFORE_TABLES = '', AFTER_TABLES = ''] = (
  /```sql\n(CREATE ROLE cell_1 [\s\S]*?)```/.exec(readFileSync('docs/scale/cells.md', 'utf8'))?.[1] ?? ''
).split(/^-- npx postrider migrate.*$/m);

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

  /** Runs a statement on the coordinator as superuser. */
  ask(text: string): Promise<void> {
    return admin(urlOf(this.#nodes[0] as Node), text);
  }

  /** Moves the schema to the other worker. Returns the duration in milliseconds. */
  async move(schema: string, mode: 'block_writes' | 'force_logical' = 'block_writes'): Promise<number> {
    const here = await this.#nodeOf(schema);
    const there = this.#nodes.slice(1).find((node) => node !== here) as Node;
    await until(() => this.#hasCleanedUp());
    const began = performance.now();
    await this.ask(`SELECT citus_schema_move('${schema}', '127.0.0.1', ${there.port}, '${mode}')`);
    return performance.now() - began;
  }

  /** The differences between a schema's tables and their shards on its node. */
  async differences(schema: string): Promise<string[]> {
    const client = new pg.Client({ connectionString: urlOf(await this.#nodeOf(schema)) });
    await client.connect();
    try {
      await client.query('SET citus.override_table_visibility = off');
      return (await client.query<{ what: string }>(DIFFERENT, [schema])).rows.map(({ what }) => what);
    } finally {
      await client.end();
    }
  }

  /** Whether Citus has removed the leftovers of a move on the source node, which would block the next move. */
  async #hasCleanedUp(): Promise<boolean> {
    await this.ask('CALL citus_cleanup_orphaned_resources()');
    const left = await this.#rows('SELECT FROM pg_dist_cleanup');
    return left.length === 0;
  }

  async #rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: urlOf(this.#nodes[0] as Node) });
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  async #nodeOf(schema: string): Promise<Node> {
    const rows = await this.#rows<{ port: number }>(
      `SELECT DISTINCT nodeport AS port FROM citus_shards WHERE table_name::text LIKE $1 || '.%'`,
      [schema],
    );
    if (rows.length !== 1) throw new Error(`${schema} is on ${rows.length} nodes`);
    return this.#nodes.find(({ port }) => port === rows[0]?.port) as Node;
  }

  /** Creates the tables of a cell in a schema of their own. The `search_path` of its role leads to the schema on every node. */
  async createCell(name: string, options: MigrateOptions = {}): Promise<CitusCell> {
    const cell = await this.createSchema(name, options);
    await this.#tell(AFTER_TABLES, name);
    return cell;
  }

  /** Creates the schema without distributing it. */
  async createSchema(name: string, options: MigrateOptions = {}): Promise<CitusCell> {
    await this.#tell(BEFORE_TABLES, name);
    const url = urlOf(this.#nodes[0] as Node, name);
    await migrate(url, options);
    const db = new Database({ url, log: createLog('test', 'silent'), applicationName: 'test' });
    this.#cells.push({ url, db });
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

  async #tell(texts: string, name: string): Promise<void> {
    for (const text of commandsIn(texts)) await this.ask(text.replaceAll('cell_1', name));
  }

  async #join(): Promise<void> {
    for (const node of this.#nodes) await admin(urlOf(node), 'CREATE EXTENSION citus');
    await this.ask(`SELECT citus_set_coordinator_host('127.0.0.1', ${this.#nodes[0]?.port})`);
    for (const { port } of this.#nodes.slice(1))
      await this.ask(`SELECT citus_add_node('127.0.0.1', ${port})`);
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
