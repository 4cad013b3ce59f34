/** Prepares the database before the roles start, and reports what it contained. */
import { hasUsers } from '../accounts/users/store.ts';
import { unconfiguredCells } from '../cells/unconfigured-cells.ts';
import type { Database } from '../database/database.ts';
import { isUnavailable } from '../database/errors.ts';
import { reasonAllIsHeld } from '../interventions/holds/reason-to-wait.ts';
import { type Bootstrapped, bootstrap } from '../operations/bootstrap.ts';
import { openCells } from '../processes/cells.ts';
import { databaseProblems } from '../processes/going-live.ts';
import { ownDkimLines } from '../processes/own-dkim.ts';
import { requireOwner } from '../processes/owner.ts';
import { refuseOtherKey } from '../processes/refuse-other-key.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';
import { changeMode } from './mode-change.ts';

export type PreparedInstallation = Bootstrapped & {
  readonly hasUsers: boolean;
  /** The reason why all mail is held; null when mail is sent. */
  readonly heldFor: string | null;
};

interface Starting {
  readonly config: Config;
  readonly log: Log;
  readonly say: (line: string) => void;
}

export async function prepareInstallation(
  { config, log, say }: Starting,
  databaseUrl: string,
): Promise<PreparedInstallation> {
  const opened = openCells(config, databaseUrl, {
    ...{ log, applicationName: 'postrider-start', maxConnections: 1 },
  });
  const cells = opened.db.cells.map((cell) => cell.db);
  // New rows are created in the first database.
  const db = cells[0] as Database;
  try {
    // Checked before anything changes: a bootstrap key is shown only once, so no refusal may follow.
    await refuseOtherKey(db, config);
    const unnamed = await unconfiguredCells(opened.db);
    if (unnamed !== null) say(`Warning: ${unnamed}`);
    await requireOwner({ db, config });
    for (const one of cells)
      for (const line of await orAway(changeMode(one, config.mode, systemClock), [])) say(line);
    for (const line of await databaseProblems({ db: opened.db, config })) say(line);
    for (const line of await ownDkimLines({ db, config, clock: systemClock })) say(line);
    const first = await bootstrap(db, config, systemClock);
    sayGivenKey(first, config.bootstrapApiKeyName, say);
    return { ...first, hasUsers: await hasUsers(db), heldFor: await holdReason(cells) };
  } finally {
    await opened.close();
  }
}

function sayGivenKey({ givenKey, created }: Bootstrapped, name: string, say: (line: string) => void): void {
  if (givenKey === 'added' && !created)
    say(`${name} holds a new key; it was added to the first organization.`);
  if (givenKey === 'revoked' || givenKey === 'expired')
    say(`${name} holds a key that is ${givenKey}; it does not work.`);
}

async function holdReason(cells: readonly Database[]): Promise<string | null> {
  for (const one of cells) {
    const why = await orAway(reasonAllIsHeld(one), null);
    if (why !== null) return why;
  }
  return null;
}

/** An unavailable cell is checked later by its own worker. */
function orAway<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  return asked.catch((error: unknown) => {
    if (isUnavailable(error)) return otherwise;
    throw error;
  });
}
