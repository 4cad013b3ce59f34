/**
 * Debian's Patroni with its PostgreSQL and etcd: three hosts with the settings of `ops/patroni/`, and one etcd that all of
 * them reach, unless they are cut off. Patroni decides who is the primary; here hosts are only harmed and asked.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Account, borrowAccount } from '../../../src/database/embedded/account.ts';
import { giveTo } from '../../../src/database/embedded/cluster-home.ts';
import { writableUrl } from '../../../src/database/host-finder.ts';
import { freePort } from '../../processes/supervised.ts';
import { onServer } from '../../support/standby.ts';
import { until } from '../../support/until.ts';
import { runningProcesses, signal } from '../processes.ts';
import type { DatabaseCluster } from './cluster.ts';
import { type Host, type Hosts, layHosts, whyNoNetworks } from './hosts.ts';

const [PATRONI, ETCD, SERVERS] = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/lib/postgresql'];
const EXAMPLE = 'ops/patroni/patroni.yml';
const ADMIN = 'postgres:CHANGE-ME-SUPERUSER';
const REST = 'patroni:CHANGE-ME-REST';
const USER = 'postrider';
const PASSWORD = 'secret';
const DATABASE = 'postrider';
const REST_PORT = 8008;
const NAMES = ['pg1', 'pg2', 'pg3'];

/** Null where it is installed. */
export function whyNoPatroni(): string | null {
  try {
    for (const file of [PATRONI, ETCD, SERVERS]) accessSync(file);
    return whyNoNetworks();
  } catch {
    return "Debian's patroni, etcd-server and postgresql are needed";
  }
}

interface Node extends Host {
  readonly dir: string;
  readonly url: string;
  child: ChildProcess | undefined;
}

export async function startPatroniCluster(dataDir: string): Promise<DatabaseCluster> {
  const account = await borrowAccount(undefined);
  const cluster = new PatroniCluster(dataDir, await layHosts(NAMES), account);
  await cluster.start().catch(async (error: unknown) => {
    await cluster.stop();
    throw error;
  });
  return cluster;
}

class PatroniCluster implements DatabaseCluster {
  readonly about: string;
  readonly url: string;
  readonly #dataDir: string;
  readonly #hosts: Hosts;
  readonly #account: Account | undefined;
  readonly #nodes: readonly Node[];
  #etcd: { readonly child: ChildProcess; readonly port: number } | undefined;

  constructor(dataDir: string, hosts: Hosts, account: Account | undefined) {
    this.#dataDir = dataDir;
    this.#hosts = hosts;
    this.#account = account;
    this.#nodes = hosts.all.map((host) => ({
      ...host,
      dir: join(dataDir, `patroni-${host.name}`),
      url: `postgres://${USER}:${PASSWORD}@${host.address}:${host.port}/${DATABASE}`,
      child: undefined,
    }));
    const all = hosts.all.map(({ address, port }) => `${address}:${port}`).join(',');
    this.url = `postgres://${USER}:${PASSWORD}@${all}/${DATABASE}?target_session_attrs=read-write`;
    const version = execFileSync(PATRONI, ['--version'], { encoding: 'utf8' }).trim();
    this.about = `${version}, PostgreSQL ${newestServer()}, three hosts`;
  }

  async start(): Promise<void> {
    this.#etcd = await this.#startEtcd();
    for (const node of this.#nodes) {
      mkdirSync(node.dir, { mode: 0o700 });
      await giveTo(this.#account, node.dir);
      writeFileSync(`${node.dir}.yml`, this.#settings(node));
      this.#launch(node);
    }
    const admin = this.url
      .replace(`${USER}:${PASSWORD}@`, `${ADMIN}@`)
      .replace(`/${DATABASE}?`, '/postgres?');
    const found = await until(() => writableUrl(admin).catch(() => null));
    await this.#untilFollowed();
    await onServer(found ?? '', async (client) => {
      await client.query(`CREATE ROLE ${USER} LOGIN PASSWORD '${PASSWORD}'`);
      await client.query(`CREATE DATABASE ${DATABASE} OWNER ${USER}`);
    });
  }

  async killPrimary(): Promise<void> {
    const primary = await this.#followedPrimary();
    this.#kill(primary);
    await this.#untilAnotherThan(primary);
  }

  async switchOver(): Promise<void> {
    const primary = await this.#followedPrimary();
    const response = await fetch(`http://${primary.address}:${REST_PORT}/switchover`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(REST).toString('base64')}` },
      body: JSON.stringify({ leader: primary.name }),
    });
    if (!response.ok) throw new Error(`Patroni does not switch over: ${await response.text()}`);
    await this.#untilAnotherThan(primary);
  }

  async cutOffPrimary(): Promise<void> {
    const primary = await this.#followedPrimary();
    primary.cutOff();
    await this.#untilAnotherThan(primary);
  }

  async loseStandbys(): Promise<void> {
    const primary = await this.#primary();
    for (const node of this.#nodes) if (node !== primary) this.#kill(node);
  }

  async restore(): Promise<void> {
    for (const node of this.#nodes) {
      node.reconnect();
      if (node.child === undefined) this.#launch(node);
    }
  }

  async stop(): Promise<void> {
    for (const node of this.#nodes) this.#kill(node);
    const etcd = this.#etcd?.child;
    if (etcd !== undefined && etcd.exitCode === null) {
      const exited = once(etcd, 'exit');
      etcd.kill('SIGKILL');
      await exited;
    }
    this.#hosts.end();
  }

  async #startEtcd(): Promise<{ child: ChildProcess; port: number }> {
    const [port, peerPort] = [await freePort(), await freePort()];
    const client = `http://${this.#hosts.address}:${port}`;
    const peer = `http://127.0.0.1:${peerPort}`;
    const args = [
      ...['--name', 'storm', '--data-dir', join(this.#dataDir, 'etcd')],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', `storm=${peer}`],
    ];
    const env = { PATH: process.env.PATH, ETCD_UNSUPPORTED_ARCH: process.arch };
    return { child: this.#spawn([ETCD, ...args], 'etcd.log', env), port };
  }

  /** `ops/patroni/patroni.yml` as it is, but for names, addresses and folders. */
  #settings({ name, address, port, dir }: Node): string {
    const changes: readonly (readonly [string, string])[] = [
      ['name: pg1', `name: ${name}`],
      ['connect_address: pg1:8008', `connect_address: ${address}:${REST_PORT}`],
      ['connect_address: pg1:5432', `connect_address: ${address}:${port}`],
      ['hosts: [pg1:2379, pg2:2379, pg3:2379]', `hosts: ['${this.#hosts.address}:${this.#etcd?.port}']`],
      ['data_dir: /var/lib/postgresql/postrider', `data_dir: ${dir}/data`],
      [
        'bin_dir: /usr/lib/postgresql/15/bin',
        `bin_dir: ${SERVERS}/${newestServer()}/bin\n  parameters: { unix_socket_directories: '${dir}' }`,
      ],
    ];
    return changes.reduce(
      (text, [from, to]) => {
        if (!text.includes(from)) throw new Error(`${EXAMPLE} does not say: ${from}`);
        return text.replace(from, to);
      },
      readFileSync(EXAMPLE, 'utf8'),
    );
  }

  #launch(node: Node): void {
    const { uid, gid } = this.#account ?? {};
    const as =
      uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'];
    const env = { PATH: `${process.env.PATH}`, LC_ALL: 'C.UTF-8', HOME: node.dir };
    node.child = this.#spawn(
      [...node.at, ...as, PATRONI, `${node.dir}.yml`],
      `patroni-${node.name}.log`,
      env,
    );
  }

  #spawn(command: readonly string[], logName: string, env: NodeJS.ProcessEnv): ChildProcess {
    const [program = '', ...args] = command;
    const log = openSync(join(this.#dataDir, logName), 'a');
    const child = spawn(program, args, { cwd: '/', env, stdio: ['ignore', log, log] });
    closeSync(log);
    return child;
  }

  /** Patroni first, so that nothing is started again. PostgreSQL's processes run in the files of the node. */
  #kill(node: Node): void {
    const patroni = node.child?.pid;
    node.child = undefined;
    if (patroni === undefined) return;
    const ours = new Set([patroni]);
    for (const { pid, command } of runningProcesses()) if (command.includes(`${node.dir}/`)) ours.add(pid);
    const all = runningProcesses();
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid);
    for (const pid of ours) signal(pid, 'SIGSTOP');
    for (const pid of ours) signal(pid, 'SIGKILL');
  }

  async #primary(): Promise<Node> {
    const url = await writableUrl(this.url);
    const found = this.#nodes.find(({ address }) => url.includes(address));
    if (found === undefined) throw new Error('There is no primary.');
    return found;
  }

  /** Nobody else may take over who does not have every commit. */
  async #followedPrimary(): Promise<Node> {
    await this.#untilFollowed();
    return this.#primary();
  }

  async #untilFollowed(): Promise<void> {
    await until(
      () => this.#synchronous(),
      (names) => names.length > 0,
      200,
    );
  }

  async #untilAnotherThan(before: Node): Promise<void> {
    await until(
      () => this.#primary().catch(() => before),
      (primary) => primary !== before,
      200,
    );
  }

  /** Whom commits wait for, as Patroni sees it. */
  async #synchronous(): Promise<string[]> {
    const response = await fetch(`http://${this.#nodes[0]?.address}:${REST_PORT}/cluster`).catch(() => null);
    if (response === null || !response.ok) return [];
    const { members } = (await response.json()) as { members: { name: string; role: string }[] };
    return members.filter(({ role }) => role === 'sync_standby').map(({ name }) => name);
  }
}

function newestServer(): number {
  return Math.max(...readdirSync(SERVERS).map(Number).filter(Number.isFinite));
}
