/** The real worker in this process, for tests that observe it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MailWorker, type WorkerDeps } from '../../src/processes/mail-worker.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { createLog } from '../../src/runtime/log.ts';
import type { TestDatabase } from './database.ts';
import { TEST_SECRET_KEY } from './secret-key.ts';

export interface TestWorker {
  stop(): Promise<void>;
}

type Env = Readonly<Record<string, string>>;

/** The environment of live mode with receiving servers on this machine: the DNS server, and the port that the servers share. */
export function liveEnv(dns: { readonly address: string }, port: number): Env {
  return {
    POSTRIDER_MODE: 'live',
    POSTRIDER_HOSTNAME: 'mail.sender.test',
    POSTRIDER_DNS_SERVERS: dns.address,
    POSTRIDER_MX_PORT: String(port),
    POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true',
  };
}

export function createMailWorker(
  database: TestDatabase,
  env: Env & { readonly POSTRIDER_DATA_DIR: string },
  more: Partial<WorkerDeps> = {},
): MailWorker {
  const { db, url } = database.worker ?? database;
  return new MailWorker({
    config: parseConfig({ POSTRIDER_SECRET_KEY: TEST_SECRET_KEY, ...env }),
    log: createLog('test', 'silent'),
    clock: systemClock,
    db,
    databaseUrl: url,
    ...more,
  });
}

/** Starts a worker with its own data folder, unless `env` names one. */
export async function startMailWorker(
  database: TestDatabase,
  env: Env = {},
  more: Partial<WorkerDeps> = {},
): Promise<TestWorker> {
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-worker-'));
  const worker = createMailWorker(database, { POSTRIDER_DATA_DIR: dataDir, ...env }, more);
  await worker.start();
  return {
    async stop() {
      await worker.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
