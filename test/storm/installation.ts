/**
 * A whole installation as users run it: the built supervisor with its own PostgreSQL, live mode, mail led to the sink.
 * When the supervisor is killed it is started again, as systemd would.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  type WriteStream,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Database } from '../../src/database/database.ts';
import { embeddedCluster } from '../../src/database/embedded/cluster-home.ts';
import { createLog } from '../../src/runtime/log.ts';
import { freePort } from '../processes/supervised.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { TEST_CERTIFICATE } from '../support/test-certificate.ts';
import type { Outside } from './outside.ts';
import { type RoleProcess, rolesOf } from './processes.ts';
import { environmentOfTurns } from './turns.ts';

export const KEY = 'storm_key_0123456789abcdef';
/** As long as a start may take on a machine that is busy, with a database that recovers. */
const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 30_000;
const RESTART_AFTER_MS = 250;

export interface Installation {
  readonly url: string;
  /** Undefined where nobody takes mail over SMTP. */
  readonly smtpPort?: number;
  readonly db: Database;
  readonly databaseUrl: string;
  /** Where PostgreSQL has its files. */
  readonly clusterDir: string;
  readonly dataDir: string;
  /** Null where the roles run without one. */
  readonly supervisorPid: number | null;
  roles(): RoleProcess[];
  ready(): Promise<void>;
  /** The files of the journal that hold something. */
  journals(): string[];
  /** False when it did not end by itself, or not well. */
  stop(): Promise<boolean>;
}

export interface InstallationOptions {
  readonly dataDir: string;
  readonly workers: number;
  readonly outside: Pick<Outside, 'at'>;
  readonly env?: Readonly<Record<string, string>>;
  /** Where it writes what it says; in its data folder unless given. */
  readonly logFile?: string;
  /** Instead of the built supervisor of this checkout. */
  readonly program?: string;
}

/** What every process of the storm is given, wherever it runs. */
export function environmentOf(
  dataDir: string,
  port: number,
  { at }: Pick<Outside, 'at'>,
): Record<string, string> {
  mkdirSync(dataDir, { recursive: true });
  const certificate = join(dataDir, 'receiver.pem');
  writeFileSync(certificate, TEST_CERTIFICATE);
  return {
    POSTRIDER_MODE: 'live',
    POSTRIDER_HOST: '127.0.0.1',
    POSTRIDER_PORT: String(port),
    POSTRIDER_DATA_DIR: dataDir,
    POSTRIDER_API_KEY: KEY,
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
    POSTRIDER_HOSTNAME: 'mail.storm.test',
    POSTRIDER_DNS_SERVERS: at.dnsAddress,
    POSTRIDER_MX_PORT: String(at.smtpPort),
    POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true',
    POSTRIDER_RATE_LIMIT: '10000000',
    POSTRIDER_LOG_LEVEL: 'warn',
    // Some of its receivers never answer, and a stop must not wait ten minutes for them.
    POSTRIDER_STOP_TIMEOUT: '5',
    NODE_EXTRA_CA_CERTS: certificate,
    NODE_ENV: 'production',
    ...environmentOfTurns(),
  };
}

export class SupervisedInstallation implements Installation {
  readonly url: string;
  readonly smtpPort: number;
  readonly #env: NodeJS.ProcessEnv;
  #dataDir: string;
  readonly #log: WriteStream;
  readonly #program: string;
  #child: ChildProcess;
  #stopping = false;
  #place: { url: string; clusterDir: string } | undefined;
  #db: Database | undefined;

  private constructor(
    dataDir: string,
    port: number,
    { logFile, program }: { logFile: string; program: string },
    env: Readonly<Record<string, string>>,
  ) {
    this.#dataDir = dataDir;
    this.url = `http://127.0.0.1:${port}`;
    this.smtpPort = Number(env.POSTRIDER_SUBMISSION_PORT);
    this.#env = { ...process.env, ...env };
    this.#log = createWriteStream(logFile, { flags: 'a' });
    this.#program = program;
    this.#child = this.#launch();
  }

  static async start(options: InstallationOptions): Promise<SupervisedInstallation> {
    const installation = await SupervisedInstallation.launch(options);
    try {
      await installation.open();
      return installation;
    } catch (error) {
      await installation.stop();
      throw error;
    }
  }

  /** It has begun to start. */
  static async launch({
    dataDir,
    workers,
    outside,
    env,
    logFile = join(dataDir, 'storm.log'),
    program = fileURLToPath(new URL('../../dist/processes/start.js', import.meta.url)),
  }: InstallationOptions): Promise<SupervisedInstallation> {
    const port = await freePort();
    return new SupervisedInstallation(
      dataDir,
      port,
      { logFile, program },
      {
        ...environmentOf(dataDir, port, outside),
        POSTRIDER_INBOUND_HOST: '127.0.0.1',
        POSTRIDER_INBOUND_PORT: String(await freePort()),
        POSTRIDER_SUBMISSION_PORT: String(await freePort()),
        POSTRIDER_WORKERS: String(workers),
        ...env,
      },
    );
  }

  /** Waits until it is ready; then it is known where its database is. */
  async open(): Promise<void> {
    await this.ready();
    this.#place = await embeddedCluster(this.dataDir);
    this.#db = new Database({
      url: this.databaseUrl,
      log: createLog('storm', 'silent'),
      applicationName: 'storm',
      maxConnections: 3,
    });
  }

  get db(): Database {
    if (this.#db === undefined) throw new Error('The installation is not ready yet.');
    return this.#db;
  }

  get dataDir(): string {
    return this.#dataDir;
  }

  get databaseUrl(): string {
    return this.#place?.url ?? '';
  }

  get clusterDir(): string {
    return this.#place?.clusterDir ?? '';
  }

  get supervisorPid(): number {
    return this.#child.pid ?? 0;
  }

  /** From its next start on it runs on a copy of its folder. The copy's database has the port of the original. */
  moveTo(dataDir: string): void {
    this.#dataDir = dataDir;
    this.#env.POSTRIDER_DATA_DIR = dataDir;
    if (this.#place !== undefined) this.#place = { ...this.#place, clusterDir: join(dataDir, 'postgres') };
  }

  roles(): RoleProcess[] {
    return rolesOf(this.dataDir);
  }

  ready(): Promise<void> {
    return untilReady(this.url);
  }

  journals(): string[] {
    return journalsIn(this.dataDir);
  }

  async stop(): Promise<boolean> {
    if (this.#stopping) return true;
    this.#stopping = true;
    await this.#db?.close();
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return false;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    const [code] = await exited;
    clearTimeout(timer);
    this.#log.end();
    return code === 0 && this.roles().length === 0;
  }

  #launch(): ChildProcess {
    const child = spawn(process.execPath, [this.#program], {
      env: this.#env,
      cwd: this.dataDir,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => void this.#log.write(data));
    child.once('exit', () => {
      if (this.#stopping) return;
      setTimeout(() => {
        if (!this.#stopping) this.#child = this.#launch();
      }, RESTART_AFTER_MS);
    });
    return child;
  }
}

export async function untilReady(url: string): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    if (answer?.ok) return;
    if (performance.now() > deadline) throw new Error(`${url}/readyz never said that it is ready.`);
    await sleep(100);
  }
}

export function journalsIn(dataDir: string): string[] {
  const folder = join(dataDir, 'journal');
  try {
    return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).length > 0);
  } catch {
    return [];
  }
}
