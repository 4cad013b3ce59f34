/**
 * A standby of a PostgreSQL that runs: a copy of its files, made while it writes, that follows its log. The package brings
 * no pg_basebackup, so it is done by hand, as that one does it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { borrowAccount } from '../../src/kit/database/embedded/account.ts';
import { findBinaries, POSTGRES_ENV } from '../../src/kit/database/embedded/binaries.ts';
import { freePort } from '../processes/supervised.ts';

const NAME = 'standby';
const FOLLOWS_WITHIN_MS = 60_000;

export interface Standby {
  readonly port: number;
  /** Becomes the primary; resolves when it writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** From when it resolves on, the primary answers a COMMIT only once the standby has it on its disk. */
export async function followSynchronously(primaryUrl: string, clusterDir: string): Promise<Standby> {
  const primary = new pg.Client({ connectionString: primaryUrl });
  await primary.connect();
  const dir = `${clusterDir}-${NAME}`;
  const port = await freePort();
  await primary.query(`SELECT pg_create_physical_replication_slot('${NAME}', true)`);
  await copy(primary, clusterDir, dir);
  const child = await launch(primaryUrl, clusterDir, dir, port);
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${NAME}'`);
  await primary.query('SELECT pg_reload_conf()');
  await untilItFollows(primary);
  await primary.end();
  return {
    port,
    promote: () => promote(primaryUrl, port),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      await exited;
    },
  };
}

async function copy(primary: pg.Client, from: string, to: string): Promise<void> {
  await primary.query('SELECT pg_backup_start($1, true)', [NAME]);
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The cluster could not be copied: ${stderr}`);
  const { rows } = await primary.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  // What the running server has for itself. The log comes from the primary, from where the label says on.
  for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(to, file), { force: true });
  for (const folder of ['pg_wal', 'pg_replslot']) emptyFolder(join(to, folder));
  giveFile(to, 'backup_label', rows[0]?.labelfile ?? '');
}

function emptyFolder(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
}

/** PostgreSQL reads only what is its own account's. */
function giveFile(clusterDir: string, name: string, text: string): void {
  const file = join(clusterDir, name);
  const { uid, gid } = statSync(clusterDir);
  writeFileSync(file, text, { mode: 0o600 });
  chownSync(file, uid, gid);
}

async function launch(
  primaryUrl: string,
  clusterDir: string,
  dir: string,
  port: number,
): Promise<ChildProcess> {
  const { hostname, port: primaryPort, username, password } = new URL(primaryUrl);
  const conninfo = `host=${hostname} port=${primaryPort} user=${username} password=${password} application_name=${NAME}`;
  giveFile(dir, 'postgresql.auto.conf', `primary_conninfo = '${conninfo}'\nprimary_slot_name = '${NAME}'\n`);
  giveFile(dir, 'standby.signal', '');
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

async function untilItFollows(primary: pg.Client): Promise<void> {
  const deadline = performance.now() + FOLLOWS_WITHIN_MS;
  for (;;) {
    const { rows } = await primary.query('SELECT FROM pg_stat_replication WHERE sync_state = $1', ['sync']);
    if (rows.length > 0) return;
    if (performance.now() > deadline) throw new Error('The standby does not follow.');
    await sleep(100);
  }
}

async function promote(primaryUrl: string, port: number): Promise<void> {
  const client = new pg.Client({ connectionString: Object.assign(new URL(primaryUrl), { port }).href });
  await client.connect();
  await client.query('SELECT pg_promote(true, 60)');
  await client.end();
}

/** The server refuses to write from now on, to sessions that are open too, as one does that is to be relieved. */
export async function letItOnlyRead(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('ALTER SYSTEM SET default_transaction_read_only = on');
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}
