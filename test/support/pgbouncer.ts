/** A real PgBouncer in front of a test's PostgreSQL, with its own folder. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../processes/supervised.ts';
import { until } from './until.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

/** Why PgBouncer cannot run on this machine; null if it can. */
export function whyNoPgBouncer(): string | null {
  return existsSync(PROGRAM) ? null : 'pgbouncer is not installed (apt-get install pgbouncer)';
}

/** Whether this PgBouncer supports prepared statements, as since version 1.21. */
export function keepsStatements(): boolean {
  if (whyNoPgBouncer() !== null) return false;
  const [, major = 0, minor = 0] =
    /(\d+)\.(\d+)/.exec(execFileSync(PROGRAM, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

export class PgBouncer {
  readonly #folder: string;
  readonly #target: URL;
  readonly #port: number;
  #child: ChildProcess | undefined;

  private constructor(folder: string, target: URL, port: number) {
    this.#folder = folder;
    this.#target = target;
    this.#port = port;
  }

  /** `settings`: further lines of the `[pgbouncer]` section. */
  static async start(databaseUrl: string, settings: readonly string[] = []): Promise<PgBouncer> {
    const folder = mkdtempSync(join(tmpdir(), 'postrider-pgbouncer-'));
    chmodSync(folder, 0o755);
    const target = new URL(databaseUrl);
    const port = await freePort();
    writeFileSync(join(folder, 'pgbouncer.ini'), iniOf(target, port, settings));
    const bouncer = new PgBouncer(folder, target, port);
    await bouncer.run();
    return bouncer;
  }

  /** The URL of the same database through PgBouncer. */
  get url(): string {
    const url = new URL(this.#target);
    url.hostname = '127.0.0.1';
    url.port = String(this.#port);
    return url.toString();
  }

  async run(): Promise<void> {
    // PgBouncer refuses to run as root.
    const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    this.#child = spawn(PROGRAM, [...account, join(this.#folder, 'pgbouncer.ini')], { stdio: 'ignore' });
    await until(() => this.#answers());
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<boolean> {
    if (this.#child?.exitCode !== null) throw new Error('PgBouncer has ended.');
    const client = new pg.Client({ connectionString: this.url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('SELECT 1');
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => {});
    }
  }
}

function iniOf(
  { hostname, port: target, username, password }: URL,
  port: number,
  settings: readonly string[],
): string {
  const secret = decodeURIComponent(password);
  return `[databases]
* = host=${hostname} port=${target} user=${decodeURIComponent(username)}${secret === '' ? '' : ` password='${secret}'`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 10
max_client_conn = 200
${settings.join('\n')}
`;
}
