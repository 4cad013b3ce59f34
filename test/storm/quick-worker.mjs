/**
 * The built worker, but for its patience: servers get seconds, and the waits between two attempts run faster, so that an
 * hour of bad manners takes half a minute.
 */

import { waitForSchema } from '../../dist/processes/check-cells.js';
import { MailWorker } from '../../dist/processes/mail-worker.js';
import { openRoleDatabase } from '../../dist/processes/role.js';
import { exitWhenAsked } from '../../dist/processes/stop-signals.js';
import { systemClock } from '../../dist/runtime/clock.js';
import { loadConfig } from '../../dist/runtime/config.js';
import { createLog } from '../../dist/runtime/log.js';

const TIMEOUT_MS = 8_000;
const SPEED = 120;
const PHASES = ['connect', 'banner', 'ehlo', 'startTls', 'tls', 'auth', 'mail', 'rcpt', 'data', 'dot'];

const config = loadConfig(process.env);
const log = createLog('worker', config.logLevel);
const { db, url } = openRoleDatabase('worker', config, log);
const worker = new MailWorker({
  config,
  log,
  clock: systemClock,
  db,
  databaseUrl: url,
  speed: SPEED,
  deadlines: Object.fromEntries(
    [...PHASES, 'bodyBlock', 'bodyTotal', 'epilogue'].map((phase) => [`${phase}Ms`, TIMEOUT_MS]),
  ),
  onBroken: () => process.exit(1),
});
exitWhenAsked({
  stop: async () => {
    await worker.stop();
    await db.close();
  },
});
await waitForSchema(db, log);
await worker.start();
