/**
 * The installation that a bench measures: an embedded PostgreSQL with fsync on in its own folder, the built API in its own
 * process, and an organization with a key and a verified domain.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Database } from '../../src/database/database.ts';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { bootstrap } from '../../src/operations/bootstrap.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { createLog } from '../../src/runtime/log.ts';
import { nodeFlags } from '../../src/supervisor/node-settings.ts';
import { waitFor, within } from './wait.ts';

const KEY = 'bench_key_0123456789abcdef';

export interface Installation {
  readonly databaseUrl: string;
  readonly databasePid: number;
  readonly db: Database;
  readonly organizationId: string;
  readonly apiPort: number;
  readonly apiPid: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Sends one request, for setup. Throws unless it succeeds. */
  api(method: string, path: string, body?: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

export async function addDomain({ api }: Installation, domain: string): Promise<void> {
  await unlessTooBusy(() => api('POST', '/domains', { domain }));
}

/** Repeats a request that is answered 429: on a busy machine a DKIM key takes longer to make than a request may take. */
export async function unlessTooBusy(ask: () => Promise<unknown>): Promise<void> {
  const isDone = () =>
    ask().then(
      () => true,
      (error: Error) => {
        if (!error.message.includes(' answered 429')) throw error;
        return false;
      },
    );
  await waitFor('a request that is not answered 429', isDone);
}

/** `program`: the program of the API. */
export async function startInstallation(
  env: Readonly<Record<string, string>> = {},
  program = 'api',
): Promise<Installation> {
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-bench-'));
  chmodSync(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  await migrate(postgres.url);
  const db = new Database({ url: postgres.url, log: createLog('bench', 'silent'), applicationName: 'bench' });
  const { organizationId } = await bootstrap(db, parseConfig({ POSTRIDER_API_KEY: KEY }), systemClock);
  const apiPort = await freePort();
  const child = startRole(program, {
    DATABASE_URL: postgres.url,
    POSTRIDER_DATA_DIR: dataDir,
    POSTRIDER_PORT: String(apiPort),
    POSTRIDER_RATE_LIMIT: '10000000',
    POSTRIDER_LOG_LEVEL: 'warn',
    ...env,
  });
  const headers = { authorization: `Bearer ${KEY}` };
  await untilReady(apiPort, child);
  return {
    databaseUrl: postgres.url,
    databasePid: postgres.pid,
    db,
    organizationId,
    apiPort,
    apiPid: child.pid ?? 0,
    headers,
    api: (method, path, body) => request(apiPort, headers, method, path, body),
    async stop() {
      await end(child);
      await db.close();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts a role as in production: the built code, with the same flags. */
export function startRole(name: string, env: Readonly<Record<string, string>>): ChildProcess {
  const script = fileURLToPath(new URL(`../../dist/processes/${name}.js`, import.meta.url));
  return spawn(process.execPath, [...nodeFlags(name, process.env), script], {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await within(`process ${child.pid} to end after SIGTERM`, once(child, 'exit'));
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

export async function untilReady(port: number, child: ChildProcess): Promise<void> {
  await waitFor(`the server on port ${port} to be ready`, async () => {
    if (child.exitCode !== null) throw new Error('The server ended before it was ready.');
    return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok;
  });
}

async function request(
  port: number,
  headers: Readonly<Record<string, string>>,
  method: string,
  path: string,
  body: unknown,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: unknown };
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer.data;
}
