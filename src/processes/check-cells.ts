/**
 * Whether the databases that a role was given are what it takes them for. Those that do not fit, or are somebody else's, are refused at once: that
 * is a mistake in the configuration. Those that are away are used when they are back and were looked at; until then, and where they turn out to
 * be wrong, they are shut, and whoever is in the others does not notice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { checkIdentities, OtherCellError } from '../cells/identity.ts';
import { unnamedCells } from '../cells/unnamed.ts';
import { type Cell, type Database, MAIN_CELL } from '../kit/database/database.ts';
import { isUnavailable, SchemaError } from '../kit/database/errors.ts';
import { checkSchema } from '../kit/database/migrate.ts';
import type { Log } from '../kit/runtime/log.ts';
import type { OpenCells } from './cells.ts';

const RETRY_MS = 500;
const LOOK_AGAIN_MS = 2_000;

/** Its start was refused where a cell was wrong. One that is later must not take down what is started again. */
const isSupervised = () => process.send !== undefined;

/** `giveUp` is told what is wrong with the first. */
export async function checkCells(
  { db, each, gate }: OpenCells,
  log: Log,
  giveUp: (error: unknown) => void,
): Promise<void> {
  const problems = new Map<string, string>();
  for (const cell of each) {
    const problem = await problemOf(cell, each).catch((error: unknown) => {
      if (cell.name === MAIN_CELL || !isSupervised() || !isWrong(error)) throw error;
      return error;
    });
    if (problem === null) continue;
    say(log, cell, problem);
    problems.set(cell.name, problem.message);
    if (cell.name !== MAIN_CELL) gate?.shut(cell.name);
  }
  if (!problems.has(MAIN_CELL)) await complainOfUnnamed(db, log);
  if (problems.size > 0) void lookAgain({ db, each, gate }, problems, log).catch(giveUp);
}

/** For a worker. `cells`: its own, and control. */
export async function waitForCell(own: Database, cells: readonly Cell[], log: Log): Promise<void> {
  let said = '';
  for (;;) {
    try {
      await waitForSchema(own, log);
      return await checkIdentities(cells, () => undefined); // whoever is away is waited for by whoever needs it
    } catch (error) {
      const isOther = cells.some(({ name }) => name !== MAIN_CELL);
      if (!isOther || !isSupervised() || !isWrong(error)) throw error;
      if (error.message !== said) log.error(error.message);
      said = error.message;
      await sleep(LOOK_AGAIN_MS);
    }
  }
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

/** Null where it can be used; that it is away. Throws where it is wrong. */
async function problemOf(cell: Cell, each: readonly Cell[]): Promise<Error | null> {
  const away: Error[] = [];
  try {
    await checkSchema(cell.db);
    // Which installation it is of, the first database says.
    const asked = each.filter(({ name }) => name === MAIN_CELL || name === cell.name);
    await checkIdentities(asked, (_, error) => away.push(error as Error));
  } catch (error) {
    if (!isUnavailable(error)) throw named(cell, error);
    away.push(error as Error);
  }
  return away[0] ?? null;
}

function named({ name }: Cell, error: unknown): unknown {
  if (name === MAIN_CELL || !(error instanceof SchemaError)) return error;
  return new SchemaError(`The cell ${name}: ${error.message}`, { cause: error });
}

function isWrong(error: unknown): error is Error {
  return error instanceof SchemaError || error instanceof OtherCellError;
}

function say(log: Log, { name }: Cell, problem: Error): void {
  if (isWrong(problem)) log.error({ cell: name }, `${problem.message} Until then it is not used.`);
  else
    log.warn(
      { err: problem, cell: name },
      'a database does not answer yet; what needs it waits until it does',
    );
}

async function complainOfUnnamed(db: Database, log: Log): Promise<void> {
  const words = await unnamedCells(db);
  if (words !== null) log.error(words);
}

/** One that was away while others were brought up to date is brought up to date, by somebody, when it is back. */
async function lookAgain(
  { db, each, gate }: Pick<OpenCells, 'db' | 'each' | 'gate'>,
  problems: Map<string, string>,
  log: Log,
): Promise<void> {
  while (problems.size > 0) {
    await sleep(LOOK_AGAIN_MS, null, { ref: false });
    for (const cell of each.filter(({ name }) => problems.has(name))) {
      const problem = await problemOf(cell, each).catch((error: unknown) => {
        if (!isWrong(error) || (cell.name === MAIN_CELL && error instanceof OtherCellError)) throw error;
        return error;
      });
      if (problem !== null) {
        if (isWrong(problem) && problem.message !== problems.get(cell.name)) say(log, cell, problem);
        problems.set(cell.name, problem.message);
        continue;
      }
      if (cell.name === MAIN_CELL) await unnamedCells(db);
      problems.delete(cell.name);
      gate?.open(cell.name);
    }
  }
}
