/** Runs a command's query in every cell. Unavailable cells are skipped and reported. */
import { type Database, MAIN_CELL } from '../database/database.ts';
import { isUnavailable } from '../database/errors.ts';
import { schemaVersions } from '../database/migrate.ts';
import { type CommandAnswer, EXIT_FAILED } from './command.ts';
import { reason } from './installation.ts';

interface CellAnswer<T> {
  readonly cell: string;
  readonly value: T;
}

export interface CellAway {
  readonly cell: string;
  readonly reason: string;
}

interface CellAnswers<T> {
  readonly answers: readonly CellAnswer<T>[];
  readonly away: readonly CellAway[];
}

/** Errors of the first cell are thrown, because nothing works without it. */
export async function queryEachCell<T>(
  db: Database,
  ask: (cell: Database, name: string) => Promise<T>,
): Promise<CellAnswers<T>> {
  const answers: CellAnswer<T>[] = [];
  const away: CellAway[] = [];
  const one = async ({ name: cell, db: own }: Database['cells'][number]) => {
    try {
      answers.push({ cell, value: await ask(own, cell) });
    } catch (error) {
      if (cell === MAIN_CELL || !isUnavailable(error)) throw error;
      away.push({ cell, reason: reason(error) });
    }
  };
  await Promise.all(db.cells.map(one));
  const places = db.cells.map(({ name }) => name);
  const inOrder = (a: { cell: string }, b: { cell: string }) =>
    places.indexOf(a.cell) - places.indexOf(b.cell);
  return { answers: answers.toSorted(inOrder), away: away.toSorted(inOrder) };
}

/** The available cells, for callers that query all of them themselves. */
export function answering(db: Database): Promise<CellAnswers<Database>> {
  return queryEachCell(db, async (cell) => {
    await schemaVersions(cell);
    return cell;
  });
}

/** Adds to the answer that it is incomplete. */
export function withAway(answer: CommandAnswer, away: readonly CellAway[]): CommandAnswer {
  if (away.length === 0) return answer;
  return { ...answer, lines: [...answer.lines, ...awayLines(away)], exitCode: EXIT_FAILED };
}

export function awayLines(away: readonly CellAway[]): string[] {
  return away.map(({ cell, reason }) => `Left out: the cell ${cell}, which does not answer (${reason}).`);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
