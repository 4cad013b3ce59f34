/** What every role does before its own work: open the database it was given, and see that it fits. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../kit/database/database.ts';
import { isUnavailable } from '../kit/database/errors.ts';
import { checkSchema } from '../kit/database/migrate.ts';
import type { Config } from '../kit/runtime/config.ts';
import type { Log } from '../kit/runtime/log.ts';

const RETRY_MS = 500;

export function openRoleDatabase(role: string, config: Config, log: Log): { db: Database; url: string } {
  const url = config.databaseUrl;
  if (url === undefined) {
    throw new Error(
      `DATABASE_URL is not set: the ${role} alone needs the PostgreSQL to use. \`npx postrider start\` brings its own.`,
    );
  }
  // A supervisor has said so already.
  if (process.send === undefined) for (const warning of config.warnings) log.warn(warning);
  const { preparedStatements } = config;
  return { url, db: new Database({ url, log, applicationName: `postrider-${role}`, preparedStatements }) };
}

/** Where lists, statistics and events are read; nowhere of its own unless a setting says where. */
export function openStandby(config: Config, log: Log): Database | undefined {
  const { databaseReadUrl: url, preparedStatements } = config;
  if (url === undefined) return undefined;
  return new Database({
    url,
    wanted: 'standby',
    log,
    applicationName: 'postrider-reads',
    preparedStatements,
  });
}

/** A database that is away is waited for; one that does not fit is refused at once. */
export async function waitForSchema(db: Database, log: Log): Promise<void> {
  for (;;) {
    try {
      return await checkSchema(db);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      log.warn({ err: error }, 'the database does not answer yet, waiting for it');
      await sleep(RETRY_MS);
    }
  }
}
