/**
 * A standby of a running PostgreSQL: a copy of its files, made while it writes, that follows its log. The package has no
 * pg_basebackup, so this module performs the same steps.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { borrowAccount } from '../../src/database/embedded/account.ts';
import { findBinaries, POSTGRES_ENV } from '../../src/database/embedded/binaries.ts';
import { freePort } from '../processes/supervised.ts';
import { until } from './until.ts';

const NAME = 'standby';

export interface Standby {
  readonly port: number;
  readonly url: string;
  /** Makes the standby the primary. Resolves when it accepts writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
  /** Starts the server again after `stop`; does nothing if it runs. */
  start(): Promise<void>;
}

/** Once this resolves, the primary confirms a COMMIT only after the standby has written it to its disk. */
export async function followSynchronously(primaryUrl: string, clusterDir: string): Promise<Standby> {
  const standby = await follow(primaryUrl, clusterDir);
  await onServer(primaryUrl, async (primary) => {
    await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${NAME}'`);
    await primary.query('SELECT pg_reload_conf()');
  });
  await untilItFollows(primaryUrl, 'sync');
  return standby;
}

/** Starts an asynchronous standby. */
export async function follow(primaryUrl: string, clusterDir: string): Promise<Standby> {
  const dir = `${clusterDir}-${NAME}`;
  const port = await freePort();
  const url = Object.assign(new URL(primaryUrl), { port }).href;
  const launch = () => launchPostgres(clusterDir, dir, port);
  await onServer(primaryUrl, async (primary) => {
    await primary.query(`SELECT pg_create_physical_replication_slot('${NAME}', true)`);
    await copyCluster(primary, clusterDir, dir);
    followFrom(primaryUrl, dir);
  });
  let child = await launch();
  await untilItFollows(primaryUrl, 'async');
  return {
    port,
    url,
    promote: async () => {
      await until(() =>
        onServer(url, (client) => client.query('SELECT pg_promote(true, 60)')).then(
          () => true,
          () => false, // the server is still starting
        ),
      );
    },
    async stop() {
      if (hasEnded(child)) return;
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      await exited;
    },
    async start() {
      if (hasEnded(child)) child = await launch();
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

export async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

export async function copyCluster(primary: pg.Client, from: string, to: string): Promise<void> {
  await primary.query('SELECT pg_backup_start($1, true)', [NAME]);
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The cluster could not be copied: ${stderr}`);
  const { rows } = await primary.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  // Removes the files of the running server. The log comes from the primary, from the position in the backup label on.
  for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(to, file), { force: true });
  for (const folder of ['pg_wal', 'pg_replslot']) emptyFolder(join(to, folder));
  giveFile(to, 'backup_label', rows[0]?.labelfile ?? '');
}

function emptyFolder(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
}

/** Writes a file that belongs to PostgreSQL's account, because PostgreSQL reads no other. */
export function giveFile(clusterDir: string, name: string, text: string): void {
  const file = join(clusterDir, name);
  const { uid, gid } = statSync(clusterDir);
  writeFileSync(file, text, { mode: 0o600 });
  chownSync(file, uid, gid);
}

function followFrom(primaryUrl: string, dir: string): void {
  const { hostname, port, username, password } = new URL(primaryUrl);
  const conninfo = `host=${hostname} port=${port} user=${username} password=${password} application_name=${NAME}`;
  giveFile(dir, 'postgresql.auto.conf', `primary_conninfo = '${conninfo}'\nprimary_slot_name = '${NAME}'\n`);
  giveFile(dir, 'standby.signal', '');
}

async function launchPostgres(clusterDir: string, dir: string, port: number): Promise<ChildProcess> {
  const account = await borrowAccount(clusterDir);
  const { postgres } = await findBinaries(account, dirname(clusterDir));
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories='].flatMap((one) => ['-c', one]);
  const log = openSync(`${dir}.log`, 'a');
  try {
    return spawn(postgres, ['-D', dir, '-p', String(port), ...settings], {
      ...account,
      cwd: '/',
      env: POSTGRES_ENV,
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}

async function untilItFollows(primaryUrl: string, how: 'sync' | 'async'): Promise<void> {
  await onServer(primaryUrl, (primary) =>
    until(async () => {
      const { rows } = await primary.query('SELECT FROM pg_stat_replication WHERE sync_state = $1', [how]);
      return rows.length > 0;
    }),
  );
}

/** Makes the server read-only, also for open sessions, like a primary before a switchover. */
export async function letItOnlyRead(url: string): Promise<void> {
  await onServer(url, async (client) => {
    await client.query('ALTER SYSTEM SET default_transaction_read_only = on');
    await client.query('SELECT pg_reload_conf()');
  });
}
