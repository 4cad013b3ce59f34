/**
 * Three servers of the PostgreSQL that Postrider brings along: a primary, and two standbys of which one must have every
 * commit on its disk. Whoever would watch over them is played here: when the primary is lost, the standby that has the
 * most takes over, and the other follows that one.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, borrowAccount } from '../../../src/database/embedded/account.ts';
import { type Binaries, findBinaries, POSTGRES_ENV } from '../../../src/database/embedded/binaries.ts';
import { giveTo } from '../../../src/database/embedded/cluster-home.ts';
import { copyCluster, giveFile, letItOnlyRead, onServer } from '../../support/standby.ts';
import { until } from '../../support/until.ts';
import { childrenOf, signal } from '../processes.ts';
import type { DatabaseCluster } from './cluster.ts';
import { type Host, type Hosts, layHosts } from './hosts.ts';

const USER = 'postrider';
const DATABASE = 'postrider';
const NAMES = ['one', 'two', 'three'];
/** How long whoever watches takes to notice that the primary is gone. */
const NOTICED_AFTER_MS = 2_000;
/** A primary that is to be relieved refuses to write for so long before it goes. */
const ONLY_READS_MS = 4_000;

interface Node extends Host {
  readonly dir: string;
  readonly url: string;
  child: ChildProcess | undefined;
}

export async function startPlainCluster(dataDir: string): Promise<DatabaseCluster> {
  const account = await borrowAccount(undefined);
  const binaries = await findBinaries(account, dataDir);
  const hosts = await layHosts(NAMES);
  const cluster = new PlainCluster(dataDir, hosts, account, binaries);
  await cluster.start().catch(async (error: unknown) => {
    await cluster.stop();
    throw error;
  });
  return cluster;
}

class PlainCluster implements DatabaseCluster {
  readonly about = 'three servers, of which one standby must have every commit';
  readonly url: string;
  readonly #hosts: Hosts;
  readonly #account: Account | undefined;
  readonly #binaries: Binaries;
  readonly #nodes: readonly Node[];
  /** Those that were the primary. */
  readonly #relieved = new Set<Node>();
  #primary: Node;

  constructor(dataDir: string, hosts: Hosts, account: Account | undefined, binaries: Binaries) {
    this.#hosts = hosts;
    this.#account = account;
    this.#binaries = binaries;
    this.#nodes = hosts.all.map((host) => ({
      ...host,
      dir: join(dataDir, `postgres-${host.name}`),
      url: `postgres://${USER}@${host.address}:${host.port}/${DATABASE}`,
      child: undefined,
    }));
    this.#primary = this.#nodes[0] as Node;
    const all = hosts.all.map(({ address, port }) => `${address}:${port}`).join(',');
    this.url = `postgres://${USER}@${all}/${DATABASE}?target_session_attrs=read-write`;
  }

  async start(): Promise<void> {
    const primary = this.#primary;
    await this.#create(primary);
    this.#launch(primary);
    await this.#untilUp(primary);
    await onServer(this.#adminUrl(primary), (client) => client.query(`CREATE DATABASE ${DATABASE}`));
    for (const node of this.#standbys) {
      await onServer(primary.url, (client) => copyCluster(client, primary.dir, node.dir));
      this.#follow(node, primary);
      this.#launch(node);
    }
    const names = `ANY 1 (${NAMES.join(', ')})`;
    for (const node of this.#nodes) {
      appendFileSync(join(node.dir, 'postgresql.conf'), `synchronous_standby_names = '${names}'\n`);
      await this.#untilUp(node);
      await onServer(node.url, (client) => client.query('SELECT pg_reload_conf()'));
    }
    await this.#untilFollowedBy(2);
  }

  async killPrimary(): Promise<void> {
    killAll(this.#primary);
    await this.#replacePrimary();
  }

  async switchOver(): Promise<void> {
    await letItOnlyRead(this.#primary.url);
    await sleep(ONLY_READS_MS);
    await end(this.#primary);
    await this.#replacePrimary();
  }

  async cutOffPrimary(): Promise<void> {
    this.#primary.cutOff();
    await this.#replacePrimary();
  }

  async loseStandbys(): Promise<void> {
    for (const node of this.#standbys) killAll(node);
  }

  /** A primary that was replaced stays as it is: to follow the new one, its files would have to be made anew. */
  async restore(): Promise<void> {
    for (const node of this.#nodes) {
      node.reconnect();
      if (node.child === undefined && this.#isStandby(node)) this.#launch(node);
    }
  }

  async stop(): Promise<void> {
    for (const node of this.#nodes) killAll(node);
    this.#hosts.end();
  }

  get #standbys(): Node[] {
    return this.#nodes.filter((node) => this.#isStandby(node));
  }

  #isStandby(node: Node): boolean {
    return node !== this.#primary && !this.#relieved.has(node);
  }

  async #replacePrimary(): Promise<void> {
    await sleep(NOTICED_AFTER_MS);
    const found = await Promise.all(
      this.#standbys.map(async (node) => ({ node, received: await receivedBy(node) })),
    );
    const [best, ...others] = found.toSorted((a, b) => (a.received < b.received ? 1 : -1));
    if (best === undefined) throw new Error('There is no standby left.');
    this.#relieved.add(this.#primary);
    this.#primary = best.node;
    await onServer(best.node.url, (client) => client.query('SELECT pg_promote(true, 60)'));
    for (const { node } of others) {
      this.#follow(node, best.node);
      await onServer(node.url, (client) => client.query('SELECT pg_reload_conf()'));
    }
  }

  async #create(node: Node): Promise<void> {
    mkdirSync(node.dir, { mode: 0o700 });
    await giveTo(this.#account, node.dir);
    const settings = [
      'wal_keep_size=512MB',
      'wal_retrieve_retry_interval=500ms',
      'listen_addresses=*',
      'unix_socket_directories=',
      'max_connections=100',
    ];
    const set = settings.map((one) => `--set=${one}`);
    execFileSync(this.#binaries.initdb, ['-D', node.dir, `--username=${USER}`, '--auth=trust', ...set], {
      ...this.#account,
      cwd: '/',
      env: POSTGRES_ENV,
    });
    const anybody = ['all', 'replication'].map((what) => `host ${what} all 10.213.0.0/16 trust\n`).join('');
    appendFileSync(join(node.dir, 'pg_hba.conf'), anybody);
  }

  #follow(node: Node, primary: Node): void {
    const conninfo = `host=${primary.address} port=${primary.port} user=${USER} application_name=${node.name}`;
    giveFile(node.dir, 'postgresql.auto.conf', `primary_conninfo = '${conninfo}'\n`);
    giveFile(node.dir, 'standby.signal', '');
  }

  #launch(node: Node): void {
    const { uid, gid } = this.#account ?? {};
    const as =
      uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'];
    const [program = '', ...args] = [...node.at, ...as, this.#binaries.postgres];
    const log = openSync(`${node.dir}.log`, 'a');
    node.child = spawn(program, [...args, '-D', node.dir, '-p', String(node.port)], {
      cwd: '/',
      env: { ...POSTGRES_ENV, PATH: `${POSTGRES_ENV.PATH}:/usr/sbin:/sbin` },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
  }

  #adminUrl(node: Node): string {
    return node.url.replace(new RegExp(`/${DATABASE}$`), '/postgres');
  }

  async #untilUp(node: Node): Promise<void> {
    await until(() =>
      onServer(this.#adminUrl(node), (client) => client.query('SELECT 1')).then(
        () => true,
        () => false,
      ),
    );
  }

  async #untilFollowedBy(count: number): Promise<void> {
    await onServer(this.#primary.url, (client) =>
      until(async () => {
        const { rows } = await client.query("SELECT FROM pg_stat_replication WHERE sync_state = 'quorum'");
        return rows.length === count;
      }),
    );
  }
}

/** Everything of it at once. */
function killAll(node: Node): void {
  const postmaster = node.child?.pid;
  node.child = undefined;
  if (postmaster === undefined) return;
  signal(postmaster, 'SIGSTOP');
  const pids = [postmaster, ...childrenOf(postmaster).map(({ pid }) => pid)];
  for (const pid of pids) signal(pid, 'SIGKILL');
}

async function end(node: Node): Promise<void> {
  const { child } = node;
  if (child === undefined) return;
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  await exited;
  node.child = undefined;
}

async function receivedBy(node: Node): Promise<bigint> {
  let received = 0n;
  await onServer(node.url, async (client) => {
    const { rows } = await client.query<{ bytes: string }>(
      `SELECT (coalesce(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0')::text AS bytes`,
    );
    received = BigInt(rows[0]?.bytes ?? 0);
  });
  return received;
}
