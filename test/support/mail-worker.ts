/** The real worker in this process, for tests that watch what it does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/kit/runtime/clock.ts';
import { parseConfig } from '../../src/kit/runtime/config.ts';
import { createLog } from '../../src/kit/runtime/log.ts';
import { MailWorker, type WorkerDeps } from '../../src/processes/mail-worker.ts';
import type { TestDatabase } from './database.ts';
import { TEST_SECRET_KEY } from './secret-key.ts';

export interface TestWorker {
  stop(): Promise<void>;
}

export async function startMailWorker(
  database: TestDatabase,
  env: Readonly<Record<string, string>> = {},
  more: Partial<Pick<WorkerDeps, 'clock' | 'log'>> = {},
): Promise<TestWorker> {
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-worker-'));
  const worker = new MailWorker({
    config: parseConfig({ POSTRIDER_DATA_DIR: dataDir, POSTRIDER_SECRET_KEY: TEST_SECRET_KEY, ...env }),
    log: createLog('test', 'silent'),
    clock: systemClock,
    db: database.db,
    databaseUrl: database.url,
    ...more,
  });
  await worker.start();
  return {
    async stop() {
      await worker.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
