/**
 * Checks the identity of a role's databases. A database with the wrong schema or identity, or one that
 * refuses this process, is a configuration error and refused at once. An unavailable one stays closed until
 * it answers and passes the checks; organizations in other cells are not affected.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { unconfiguredCells } from '../cells/directory.ts';
import { checkIdentities, OtherCellError } from '../cells/identity.ts';
import { type Cell, type Database, MAIN_CELL } from '../database/database.ts';
import { isUnavailable, SchemaError } from '../database/errors.ts';
import { checkSchema } from '../database/migrate.ts';
import type { Log } from '../runtime/log.ts';
import type { OpenCells } from './cells.ts';

const RETRY_MS = 500;
const LOOK_AGAIN_MS = 2_000;
/** Groups all kinds of unavailability into one log line. */
const AWAY = 'away';

type Looked = Pick<OpenCells, 'db' | 'each' | 'gate'>;

/**
 * Errors found at the start have already been reported. A later error must not stop a supervised process,
 * which would be restarted.
 */
const isSupervised = () => process.send !== undefined;

/** `giveUp` gets the problem of the first cell. */
export async function checkCells(opened: Looked, log: Log, giveUp: (error: unknown) => void): Promise<void> {
  const problems = new Map<string, string>();
  for (const cell of opened.each) {
    const problem = await problemOf(cell, opened, log);
    if (problem === null) continue;
    if (!isUnavailable(problem) && (cell.name === MAIN_CELL || !isSupervised())) throw problem;
    say(log, cell, problem);
    problems.set(cell.name, reasonOf(problem));
    if (cell.name !== MAIN_CELL) opened.gate?.shut(cell.name);
  }
  if (problems.size > 0) void lookAgain(opened, problems, log).catch(giveUp);
}

/** For a worker. `cells` are its own and the first one. */
export async function waitForCell(own: Database, cells: readonly Cell[], log: Log): Promise<void> {
  let said = '';
  for (;;) {
    try {
      await waitForSchema(own, log);
      // Unavailable cells are handled by the code that needs them.
      await checkIdentities(cells, () => undefined);
      return await complainOfUnnamed(own, log).catch(unlessAway);
    } catch (error) {
      const isOther = cells.some(({ name }) => name !== MAIN_CELL);
      if (!isOther || !isSupervised()) throw error;
      const words = wordsOf(error);
      if (words !== said) log.error(words);
      said = words;
      await sleep(LOOK_AGAIN_MS);
    }
  }
}

function unlessAway(error: unknown): void {
  if (!isUnavailable(error)) throw error;
}

/** Waits for an unavailable database; refuses one with the wrong schema at once. */
export async function waitForSchema(db: Database, log: Log): Promise<void> {
  for (;;) {
    try {
      return await checkSchema(db);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      log.warn({ err: error }, 'the database does not answer yet; waiting');
      await sleep(RETRY_MS);
    }
  }
}

/** The outage or the problem; null when the cell can be used. */
async function problemOf(cell: Cell, { db, each }: Looked, log: Log): Promise<Error | null> {
  const away: unknown[] = [];
  try {
    await checkSchema(cell.db);
    // The first database determines the installation's identity.
    const asked = each.filter(({ name }) => name === MAIN_CELL || name === cell.name);
    await checkIdentities(asked, (_, error) => away.push(error));
    if (cell.name === MAIN_CELL && away.length === 0) await complainOfUnnamed(db, log);
  } catch (error) {
    away.push(error);
  }
  return away.length === 0 ? null : named(cell, away[0]);
}

/** Leaves outages, and errors that already name the cell, unchanged. */
function named({ name }: Cell, error: unknown): Error {
  if (
    error instanceof Error &&
    (name === MAIN_CELL || isUnavailable(error) || error instanceof OtherCellError)
  )
    return error;
  if (error instanceof SchemaError)
    return new SchemaError(`The cell ${name}: ${error.message}`, { cause: error });
  const words = `The cell ${name}: ${wordsOf(error)}.`;
  return new Error(`${words} Put that right, or its address in POSTRIDER_CELLS.`, { cause: error });
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function reasonOf(problem: Error): string {
  return isUnavailable(problem) ? AWAY : problem.message;
}

function say(log: Log, { name }: Cell, problem: Error): void {
  if (!isUnavailable(problem)) log.error({ cell: name }, `${problem.message} Until then it is not used.`);
  else
    log.warn(
      { err: problem, cell: name },
      'a database does not answer yet; work of its cell waits until the database answers',
    );
}

async function complainOfUnnamed(db: Database, log: Log): Promise<void> {
  const words = await unconfiguredCells(db);
  if (words !== null) log.error(words);
}

/** A cell that was unavailable during the migration is migrated when it is back. */
async function lookAgain(opened: Looked, problems: Map<string, string>, log: Log): Promise<void> {
  while (problems.size > 0) {
    await sleep(LOOK_AGAIN_MS, null, { ref: false });
    for (const cell of opened.each.filter(({ name }) => problems.has(name))) {
      const problem = await problemOf(cell, opened, log);
      if (problem === null) {
        problems.delete(cell.name);
        opened.gate?.open(cell.name);
        continue;
      }
      if (cell.name === MAIN_CELL && !isUnavailable(problem) && !(problem instanceof SchemaError))
        throw problem;
      if (reasonOf(problem) !== problems.get(cell.name)) say(log, cell, problem);
      problems.set(cell.name, reasonOf(problem));
    }
  }
}
