/**
 * An installation whose roles run apart, as on several machines: workers with data folders and host names of their own,
 * one shared PostgreSQL, and something between them and it that a scenario holds in its hand.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Database } from '../../src/database/database.ts';
import { embeddedCluster } from '../../src/database/embedded/cluster-home.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { bootstrap } from '../../src/operations/bootstrap.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { createLog } from '../../src/runtime/log.ts';
import { nodeFlags } from '../../src/supervisor/node-settings.ts';
import { freePort } from '../processes/supervised.ts';
import { environmentOf, type Installation, journalsIn, KEY, untilReady } from './installation.ts';
import type { Outside } from './outside.ts';
import { type RoleProcess, rolesOf } from './processes.ts';

const RESTART_AFTER_MS = 250;
const STOP_WITHIN_MS = 20_000;

export interface ApartOptions {
  readonly dataDir: string;
  readonly workers: number;
  readonly outside: Outside;
  /** Returns the port under which the roles reach PostgreSQL; its own unless given. */
  readonly between?: (databasePort: number) => Promise<number>;
  /** Instead of the built worker. */
  readonly workerScript?: string;
  /** What a role is given besides, by the name of its host: `api`, `worker-1`, … */
  readonly env?: (host: string) => Readonly<Record<string, string>>;
  /** The data folder of a role, by the name of its host; one of its own unless given. */
  readonly folder?: (host: string) => string;
  readonly postgresEnv?: Readonly<Record<string, string>>;
  /** Instead of a PostgreSQL of its own; whoever gave it ends it. */
  readonly databaseUrl?: string;
  /** Whether mail comes in over SMTP, too. */
  readonly takesSmtp?: boolean;
}

interface Part {
  readonly script: string;
  readonly flags: readonly string[];
  readonly host: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  child: ChildProcess;
}

interface ApartDatabase {
  readonly postgres?: EmbeddedPostgres;
  readonly clusterDir: string;
  /** For the roles. */
  readonly url: string;
  /** For the accounting. */
  readonly lookAt: string;
}

export class ApartInstallation implements Installation {
  readonly supervisorPid = null;
  readonly dataDir: string;
  readonly url: string;
  smtpPort?: number;
  readonly databaseUrl: string;
  readonly clusterDir: string;
  readonly db: Database;
  readonly #postgres: EmbeddedPostgres | undefined;
  readonly #log: WriteStream;
  readonly #parts: Part[] = [];
  #stopping = false;

  private constructor(
    dataDir: string,
    port: number,
    { postgres, clusterDir, lookAt: databaseUrl }: Omit<ApartDatabase, 'url'>,
  ) {
    this.dataDir = dataDir;
    this.url = `http://127.0.0.1:${port}`;
    this.databaseUrl = databaseUrl;
    this.clusterDir = clusterDir;
    this.#postgres = postgres;
    this.#log = createWriteStream(join(dataDir, 'storm.log'), { flags: 'a' });
    const log = createLog('storm', 'silent');
    this.db = new Database({ url: databaseUrl, log, applicationName: 'storm', maxConnections: 3 });
  }

  static async start(options: ApartOptions): Promise<ApartInstallation> {
    const { dataDir, workers, outside, workerScript, databaseUrl, takesSmtp = false } = options;
    const { env: envOf = () => ({}), folder: folderOf = (host) => host } = options;
    if (databaseUrl !== undefined) await migrate(databaseUrl);
    const database =
      databaseUrl === undefined
        ? await startDatabase(options)
        : { url: databaseUrl, lookAt: databaseUrl, clusterDir: '' };
    const port = await freePort();
    const installation = new ApartInstallation(dataDir, port, database);
    await bootstrap(installation.db, parseConfig({ POSTRIDER_API_KEY: KEY }), systemClock);
    const ingresses = takesSmtp ? ['api', 'submission'] : ['api'];
    if (takesSmtp) installation.smtpPort = await freePort();
    const smtp = takesSmtp ? { POSTRIDER_SUBMISSION_PORT: String(installation.smtpPort) } : {};
    const names = [...ingresses, ...Array.from({ length: workers }, (_, i) => `worker-${i + 1}`)];
    for (const name of names) {
      const folder = folderOf(name);
      const common = environmentOf(join(dataDir, folder), port, outside);
      const env = { ...common, ...smtp, DATABASE_URL: database.url, ...envOf(name) };
      const role = name.replace(/-\d+$/, '');
      installation.#start(role, { host: name, folder, env }, role === 'worker' ? workerScript : undefined);
    }
    await installation.ready().catch(async (error: unknown) => {
      await installation.stop();
      throw error;
    });
    return installation;
  }

  roles(): RoleProcess[] {
    return rolesOf(this.dataDir);
  }

  ready(): Promise<void> {
    return untilReady(this.url);
  }

  journals(): string[] {
    return [...new Set(this.#parts.map(({ folder }) => folder))].flatMap((folder) =>
      journalsIn(join(this.dataDir, folder)).map((name) => `${folder}/${name}`),
    );
  }

  async stop(): Promise<boolean> {
    if (this.#stopping) return true;
    this.#stopping = true;
    await this.db.close();
    const codes = await Promise.all(this.#parts.map(({ child }) => end(child)));
    await this.#postgres?.stop();
    this.#log.end();
    return codes.every((code) => code === 0);
  }

  #start(role: string, place: Pick<Part, 'host' | 'folder' | 'env'>, other?: string): void {
    const script = other ?? fileURLToPath(new URL(`../../dist/processes/${role}.js`, import.meta.url));
    const part = { script, flags: nodeFlags(role, process.env), ...place };
    this.#parts.push({ ...part, child: this.#launch(part) });
  }

  #launch(part: Omit<Part, 'child'>): ChildProcess {
    const [program, ...args] = onHost(part.host, [process.execPath, ...part.flags, part.script]);
    const child = spawn(program as string, args, {
      env: { ...process.env, ...part.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => void this.#log.write(`${part.host}: ${data}`));
    child.once('exit', () => setTimeout(() => this.#again(child), RESTART_AFTER_MS));
    return child;
  }

  #again(child: ChildProcess): void {
    const part = this.#parts.find((one) => one.child === child);
    if (!this.#stopping && part !== undefined) part.child = this.#launch(part);
  }
}

async function startDatabase(options: ApartOptions): Promise<ApartDatabase> {
  const { dataDir, between = async (port: number) => port, postgresEnv = {} } = options;
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, env: postgresEnv });
  await migrate(postgres.url);
  const clusterDir = (await embeddedCluster(dataDir))?.clusterDir ?? '';
  const address = new URL(postgres.url);
  address.port = String(await between(postgres.port));
  return { postgres, clusterDir, url: address.href, lookAt: postgres.url };
}

const canName = spawnSync('unshare', ['--uts', 'true']).status === 0;

/** The same process under another host name, where that may be done: workers tell by it who is on their machine. */
function onHost(host: string, command: readonly string[]): readonly string[] {
  return canName
    ? ['unshare', '--uts', 'sh', '-c', `hostname ${host} && exec "$@"`, 'sh', ...command]
    : command;
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  const [code] = await exited;
  clearTimeout(timer);
  return code as number | null;
}
