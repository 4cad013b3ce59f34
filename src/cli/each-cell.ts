/** What a command about everybody asks of every cell. One that is away is left out, and said to be. */
import { type Database, MAIN_CELL } from '../database/database.ts';
import { isUnavailable } from '../database/errors.ts';
import { schemaVersions } from '../database/migrate.ts';
import { type CommandAnswer, EXIT_FAILED } from './command.ts';
import { reason } from './installation.ts';

export interface CellAnswer<T> {
  readonly cell: string;
  readonly value: T;
}

export interface CellAway {
  readonly cell: string;
  readonly reason: string;
}

export interface CellAnswers<T> {
  readonly answers: readonly CellAnswer<T>[];
  readonly away: readonly CellAway[];
}

/** Without the first nothing works, so there what fails is thrown. */
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

/** Those that are there, for what asks them all itself. */
export function answering(db: Database): Promise<CellAnswers<Database>> {
  return queryEachCell(db, async (cell) => {
    await schemaVersions(cell);
    return cell;
  });
}

/** The same answer, and that it is not all there is. */
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
