/** Prepares the database before the roles start, and reports what it contained. */

import { setTimeout as sleep } from 'node:timers/promises';
import { hasUsers } from '../accounts/users/store.ts';
import { unconfiguredCells } from '../cells/directory.ts';
import { type Database, MAIN_CELL } from '../database/database.ts';
import { isUnavailable } from '../database/errors.ts';
import type { Sql } from '../database/sql.ts';
import { SANDBOX_DOMAIN } from '../domains/sandbox-domain.ts';
import type { EndedVerification } from '../domains/store.ts';
import { reasonAllIsHeld } from '../interventions/holds/store.ts';
import { type Bootstrapped, bootstrap } from '../operations/bootstrap.ts';
import { enterMode } from '../operations/enter-mode.ts';
import { queuedInMode } from '../outbox/status.ts';
import { openCells } from '../processes/cells.ts';
import { databaseProblems } from '../processes/going-live.ts';
import { type MigratedCell, migrateAgain } from '../processes/migrate-cells.ts';
import { ownDkimLines } from '../processes/own-dkim.ts';
import { requireOwner } from '../processes/owner.ts';
import { refuseOtherKey } from '../processes/refuse-other-key.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Config, Mode } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';

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

/** At most this many are listed by name at a start; the rest is counted. */
const MAX_NAMED = 20;

/**
 * Handles a start with existing data in another mode. Mail belongs to the mode it was accepted in. A live
 * start cancels what the sandbox had queued. A sandbox does not start while live mail is queued: after a
 * forgotten POSTRIDER_MODE, the day's mail would be "delivered" into an inbox that nobody reads.
 *
 * Call before the roles start. Returns notices for the operator; throws when the start must be refused.
 */
export async function changeMode(db: Sql, mode: Mode, clock: Clock): Promise<string[]> {
  if (mode === 'sandbox') {
    const live = await queuedInMode(db, 'live');
    if (live > 0) throw new Error(refusal(live));
  }
  const ended = await enterMode(db, mode, clock);
  const left = mode === 'live' ? await queuedInMode(db, 'sandbox') : 0;
  return [...unverified(ended.filter(({ domain }) => domain !== SANDBOX_DOMAIN)), ...withdrawn(left)];
}

function unverified(ended: readonly EndedVerification[]): string[] {
  if (ended.length === 0) return [];
  const commands = ended
    .slice(0, MAX_NAMED)
    .map((one) => `  npx postrider domain verify ${one.domain} --org ${one.organization_id}`);
  const rest = ended.length > MAX_NAMED ? [`  and ${ended.length - MAX_NAMED} more`] : [];
  const whose = ended.length === 1 ? 'A domain was' : `${ended.length} domains were`;
  return [
    `${whose} verified by the sandbox only, and cannot send before DNS shows the records. To see what is missing:`,
    ...commands,
    ...rest,
  ];
}

function withdrawn(count: number): string[] {
  if (count === 0) return [];
  const are = count === 1 ? 'is' : 'are';
  return [
    `${deliveries(count)} of the sandbox ${are} withdrawn from the queue: nothing that the sandbox accepted is sent.`,
  ];
}

function refusal(count: number): string {
  return (
    `${deliveries(count)} of live mail ${count === 1 ? 'is' : 'are'} still in the queue, and the sandbox must not capture them. ` +
    'Set POSTRIDER_MODE=live to send them; or discard them with: npx postrider queue discard --mode live; ' +
    'or give the sandbox data of its own: POSTRIDER_DATA_DIR=./sandbox-data npx postrider start (with DATABASE_URL, another database).'
  );
}

function deliveries(count: number): string {
  return count === 1 ? '1 delivery' : `${count.toLocaleString('en-US')} deliveries`;
}

const TRY_AGAIN_MS = 5_000;

/** Reports the schema of each cell at a start, and migrates cells later that were unavailable. */
export function migratedLines(cells: readonly MigratedCell[]): string[] {
  return cells.flatMap((one) => {
    if (one.away !== null)
      return [
        `Warning: the cell ${one.cell} does not answer (${one.away}). Mail of its organizations waits until it does; others do not notice.`,
      ];
    const count = one.applied.length;
    if (count === 0) return [];
    const which = one.cell === MAIN_CELL ? 'Database schema' : `Schema of the cell ${one.cell}`;
    return [`${which} brought up to date (${count} migrations).`];
  });
}

interface Later {
  readonly config: Config;
  readonly databaseUrl: string;
  /** Cells that did not answer. */
  readonly away: readonly MigratedCell[];
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** The cells' workers wait meanwhile. Resolves when all cells have answered, or at a stop. */
export async function migrateLater({ config, databaseUrl, away, say, signal }: Later): Promise<void> {
  const left = new Map(away.map((one) => [one.cell, one.away]));
  while (left.size > 0) {
    await sleep(TRY_AGAIN_MS, null, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    for (const [cell, said] of left) {
      const problem = await migrateAgain(config, databaseUrl, cell).then(
        ({ away }) => away,
        (error: Error) => error.message,
      );
      if (problem !== null) {
        if (problem !== said) say(`Warning: the cell ${cell} cannot be used yet: ${problem}`);
        left.set(cell, problem);
        continue;
      }
      left.delete(cell);
      say(`The cell ${cell} answers, and its schema is up to date.`);
    }
  }
}

/** Attributes connection errors of the first database to its address. */
export function explainStart(error: unknown, { databaseUrl }: Config): unknown {
  if (databaseUrl === undefined || !isConnectionProblem(error)) return error;
  // The error from trying several addresses of a host has a code but no message.
  const words = error.message === '' ? (error as NodeJS.ErrnoException).code : error.message;
  return new Error(
    `The database that DATABASE_URL names cannot be used: ${words}. Check that it runs, and that the address and the password are right.`,
    { cause: error },
  );
}

/**
 * A connection error has a code such as ECONNREFUSED from Node, or five characters from PostgreSQL: 28P01,
 * 3D000.
 */
function isConnectionProblem(error: unknown): error is Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^E[A-Z_]+$|^(08|28|3D|57P)/.test(code);
}
