/** The worker process: `node dist/processes/worker.js`, against DATABASE_URL. Any number may run side by side. */

import { DatabaseClock } from '../database/database-clock.ts';
import { isUnavailable, outageOf } from '../database/errors.ts';
import { loadConfig } from '../runtime/config.ts';
import { createLog } from '../runtime/log.ts';
import type { Outage } from '../runtime/log-outages.ts';
import { mapStacks } from '../runtime/mapped-stacks.ts';
import { startExitCode } from '../runtime/refused-start.ts';
import { afterSetBack } from './after-set-back.ts';
import { waitForCell } from './check-cells.ts';
import { refuseUnwritable } from './data-folders.ts';
import { goLive } from './going-live.ts';
import { MailWorker } from './mail-worker.ts';
import { announceReady } from './ready.ts';
import { openWorkerDatabase, serveMetrics, startTracing } from './role.ts';
import { exitWhenAsked } from './stop-signals.ts';
import { waitForGo } from './wait-for-go.ts';
import { printWaiting } from './waiting-message.ts';

try {
  await run();
} catch (error) {
  giveUp(error);
}

function giveUp(error: unknown): never {
  createLog('worker').fatal(error instanceof Error ? error.message : String(error));
  process.exit(startExitCode(error));
}

/** A worker tries everything again. Each of its lines says which cell it serves, and what fails is that one or control. */
function whatPasses(error: unknown): Outage | null {
  const outage = outageOf(error, isUnavailable);
  return outage && { ...outage, cell: undefined };
}

async function run(): Promise<void> {
  mapStacks();
  const config = loadConfig(await waitForGo());
  const log = createLog('worker', config.logLevel, { outageOf: whatPasses, cell: config.cell });
  // Under a supervisor it was looked at before: a worker that is started again must not stop mail for it.
  if (process.send === undefined) {
    await refuseUnwritable(config.dataDir);
    await goLive(config, (line) => log.warn(line));
  }
  const { cells, db, url, close } = openWorkerDatabase(config, log);
  const clock = new DatabaseClock({ db, log, onSetBack: (byMs) => afterSetBack(db, byMs) });
  const tracer = await startTracing('worker', config, log);
  const worker = new MailWorker({
    config,
    log,
    clock,
    db,
    databaseUrl: url,
    metrics: await serveMetrics('worker', config, log),
    tracer,
    onBroken: () => process.exit(1),
    onRefused: giveUp,
  });
  exitWhenAsked({
    drain: (enough) => worker.drain(enough, printWaiting(log)),
    stop: async () => {
      await worker.stop();
      await tracer?.stop();
      await clock.stop();
      await close();
    },
  });
  await waitForCell(db, cells, log);
  await clock.start();
  await worker.start();
  log.info({ mode: config.mode }, 'delivering');
  announceReady();
}
