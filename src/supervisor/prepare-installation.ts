/** What the database held, or is given, before anything runs. */
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
  /** Why nothing is sent at all; null where mail is. */
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
  // What is made is made there.
  const db = cells[0] as Database;
  try {
    // Before anything is changed; and a key that bootstrap makes is shown once, so nothing may be refused after that.
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

/** Whoever works on a cell that is away now asks it itself, when it is back. */
function orAway<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  return asked.catch((error: unknown) => {
    if (isUnavailable(error)) return otherwise;
    throw error;
  });
}
