/** Wakes a worker on new mail. */
import type { Database } from '../database/database.ts';
import { Listener, type ListenOptions, PollingNotifier } from '../database/listen.ts';
import { WAKE_CHANNEL } from '../outbox/wake.ts';
import type { Config } from '../runtime/config.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';

const NO_NOTIFICATIONS =
  'DATABASE_URL leads through a pooler in transaction mode, where LISTEN receives nothing: this worker polls for new mail ten ' +
  'times a second; set DATABASE_DIRECT_URL to the address of PostgreSQL itself';

interface WakeListenerDeps {
  readonly config: Config;
  readonly db: Database;
  readonly databaseUrl: string;
  readonly log: Log;
}

export function createWakeListener(
  { config, db, databaseUrl, log }: WakeListenerDeps,
  onNotify: ListenOptions['onNotify'],
): Service {
  // The setting is for the first cell; other cells have addresses without a pooler, or are polled.
  const databaseDirectUrl = config.cell === undefined ? config.databaseDirectUrl : undefined;
  if (databaseDirectUrl === undefined && db.pooling?.mode === 'transaction') {
    log.warn(NO_NOTIFICATIONS);
    return new PollingNotifier(onNotify);
  }
  return new Listener({ url: databaseDirectUrl ?? databaseUrl, channel: WAKE_CHANNEL, log, onNotify });
}
